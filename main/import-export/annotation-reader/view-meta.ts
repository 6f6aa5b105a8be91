import type { TaskMeta } from '../../formats/kit/task-data.ts';
import type { JobRow } from '../../work/tables/job-repository.ts';
import type { ProjectRow } from '../../work/tables/project-repository.ts';
import { frameStep, type MediaRow } from '../../work/tables/media-repository.ts';
import { labelOwner } from '../../work/tables/label-repository.ts';
import type { TaskRow } from '../../work/tables/task-repository.ts';
import { defaultSubset, emptyMeta } from './empty-view.ts';
import { labelInfo } from './shape-names.ts';
import type { WorkerContext } from '../bulk-writer/worker-context.ts';

const now = () => new Date().toISOString().replace('Z', '000Z');

export function taskMeta(
  { labels, datasets }: WorkerContext,
  task: TaskRow,
  media: MediaRow,
  jobs: readonly JobRow[],
  kind: 'task' | 'job',
): TaskMeta {
  const step = frameStep(media.frame_filter);
  const first = Math.min(...jobs.map((job) => job.start_frame));
  const last = Math.max(...jobs.map((job) => job.stop_frame));
  return {
    kind,
    id: kind === 'job' ? (jobs[0]?.id ?? task.id) : task.id,
    name: task.name,
    mode: task.mode,
    size: last - first + 1,
    overlap: task.overlap ?? 0,
    bug_tracker: task.bug_tracker,
    created_date: task.created_date,
    updated_date: task.updated_date,
    subset: task.subset === '' ? defaultSubset : task.subset,
    start_frame: media.start_frame,
    stop_frame: media.stop_frame,
    frame_step: step,
    frame_filter: media.frame_filter,
    segments: jobs.map((job) => ({
      id: job.id,
      start: job.start_frame,
      stop: job.stop_frame,
      url: `/api/jobs/${job.id}`,
    })),
    owner: datasets.user(task.owner_id),
    assignee: datasets.user(task.assignee_id),
    labels: labels.list(labelOwner(task.project_id, task.id)).map(labelInfo),
    source: media.video === null ? '' : ((JSON.parse(media.video) as { path?: string }).path ?? ''),
    tasks: [],
    dumped: now(),
  };
}

export function projectMeta(
  { labels, datasets }: WorkerContext,
  project: ProjectRow,
  tasks: readonly TaskMeta[],
): TaskMeta {
  const { id, name, bug_tracker, created_date, updated_date } = project;
  const size = tasks.reduce((sum, task) => sum + task.size, 0);
  return {
    ...emptyMeta,
    id,
    name,
    bug_tracker,
    created_date,
    updated_date,
    size,
    mode: tasks.some((task) => task.mode === 'interpolation') ? 'interpolation' : 'annotation',
    stop_frame: Math.max(0, size - 1),
    owner: datasets.user(project.owner_id),
    assignee: datasets.user(project.assignee_id),
    labels: labels.list({ kind: 'project', id }).map(labelInfo),
    tasks,
    dumped: now(),
  };
}
