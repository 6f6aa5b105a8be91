import type { Database } from '../../db/open.ts';
import type { FormatSummary } from '../../formats/kit/report.ts';
import type { PreparedMedia } from '../../media/prepare.ts';
import type { Clock } from '../../platform/clock.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import type { AnnotationSetRepository } from '../../work/annotations/annotation-set-repository.ts';
import { importMessage } from '../datasets/dataset-names.ts';
import { importThroughThreads } from '../datasets/import-threads.ts';
import type { WorkEvents } from '../../webhooks/events/work-events.ts';
import type { Intake } from '../intake/intake.ts';
import { planLabels, writeLabelPlan, type LabelPlan } from '../intake/label-plan.ts';
import type { LabelOwner, LabelRepository } from '../../work/labels/label-repository.ts';
import type { ProjectRepository } from '../../work/projects/project-repository.ts';
import type { RequestResult } from '../../requests/request-end.ts';
import type { RequestRun, RequestRunner } from '../../requests/request-queue.ts';
import type { RequestRow } from '../../requests/request-repository.ts';
import { frameRows } from '../../work/tasks/prepared-media.ts';
import type { FrameRow } from '../../work/tasks/media-repository.ts';
import type { TaskRepository } from '../../work/tasks/task-repository.ts';
import type { BackupMediaJob } from './backup-media-job.ts';
import type { BackupRestorer, PlacedPictures } from './backup-restorer.ts';
import type { BackupContents, OpenBackupJob, TaskContents } from './open-backup-job.ts';
import type { ParseBackupJob } from './parse-backup-job.ts';
import { mergedSummaries } from './merged-summaries.ts';
import { placeJobs, restoredTask, type PlacedJob } from './restored-task.ts';
import { namedStorages } from '../../work/storages/storage-repository.ts';

export interface BackupImportParameters {
  readonly kind: 'project' | 'task';
  /** The queue removes it with the end of the request. */
  readonly file: { readonly path: string; readonly name: string };
  /** Whether issues and comments become those of the people whom the backup names. */
  readonly keepsAuthors: boolean;
}

export interface BackupImportDependencies {
  readonly database: Database;
  readonly databaseFile: string;
  readonly dataDirectory: string;
  readonly projects: ProjectRepository;
  readonly tasks: TaskRepository;
  readonly labels: LabelRepository;
  readonly sets: AnnotationSetRepository;
  readonly intake: Intake;
  readonly restorer: BackupRestorer;
  readonly events: WorkEvents;
  readonly workers: WorkerPool;
  readonly clock: Clock;
  readonly onDiscarded: () => void;
}

/** A task of the backup on its way. */
interface Part {
  readonly taskId: number;
  readonly contents: TaskContents;
  readonly media: { readonly prepared: PreparedMedia; readonly rows: readonly FrameRow[] } | null;
  /** Null where the project's labels are the task's. */
  readonly plan: LabelPlan | null;
  readonly jobs: readonly PlacedJob[];
}

/** Shares of the progress bar. */
const share = { opened: 0.1, media: 0.6, annotations: 0.98 } as const;

/**
 * Runs `import:backup`. As with datasets, media and annotations are laid down where nobody sees them, and one
 * transaction shows everything, or nothing comes of it.
 */
export function createBackupImportRunner(dependencies: BackupImportDependencies): RequestRunner {
  const { sets, intake, onDiscarded } = dependencies;
  return async (request, run) => {
    const parameters = JSON.parse(request.parameters) as BackupImportParameters;
    const discard = async () => {
      sets.discardPending(request.id);
      await intake.staged.discard(request.id);
      await intake.folders.discard(request.id);
    };
    // Left by an attempt that a crash or a stop ended.
    await discard();
    try {
      const workFolder = await intake.folders.create(request.id);
      const result = await restore(dependencies, { request, run, parameters, workFolder });
      await intake.folders.discard(request.id);
      return result;
    } catch (error) {
      await discard();
      throw error;
    } finally {
      onDiscarded();
    }
  };
}

interface Import {
  readonly request: RequestRow;
  readonly run: RequestRun;
  readonly parameters: BackupImportParameters;
  readonly workFolder: string;
}

async function restore(dependencies: BackupImportDependencies, work: Import): Promise<RequestResult> {
  const { workers, database, intake } = dependencies;
  const { signal, progress, finish } = work.run;
  const { kind, file } = work.parameters;
  progress(0, 'Opening the backup');
  const job: OpenBackupJob = { kind, file, workFolder: work.workFolder };
  const contents = await workers.run<OpenBackupJob, BackupContents>('openBackup', job, {
    signal,
    onProgress: (fraction) => progress(fraction * share.opened),
  });
  const taskIds = intake.staged.stage(work.request.id, contents.tasks.length);
  const projectId = contents.project ? database.transaction(() => intake.ids.reserve('project', 1)).immediate() : null;
  const projectPlan =
    contents.project && planFor(dependencies, { kind: 'project', id: projectId ?? 0 }, contents.project.labels);
  progress(share.opened, 'Unpacking the images');
  const parts: Part[] = [];
  for (const [index, task] of contents.tasks.entries()) {
    parts.push(
      await preparePart(dependencies, work, { task, taskId: taskIds[index] ?? 0, index, contents, projectPlan }),
    );
  }
  progress(share.media, 'Reading the annotations');
  const summaries: FormatSummary[] = [];
  for (const [index, part] of parts.entries()) {
    const labels = (part.plan ?? projectPlan)?.labels ?? [];
    summaries.push(await readAnnotations(dependencies, work, { part, labels, index, count: parts.length }));
  }
  const summary = mergedSummaries(summaries);
  const result = {
    message: restoredMessage(contents, parts, summary),
    report: JSON.stringify(summary),
    resultId: projectId ?? taskIds[0] ?? 0,
  };
  const pictures = await dependencies.restorer.placePictures([
    contents.guide,
    ...parts.map((part) => part.contents.guide),
  ]);
  try {
    publish(dependencies, work, { contents, parts, projectId, projectPlan, pictures, end: () => finish(result) });
  } catch (error) {
    await pictures.discard();
    throw error;
  }
  return result;
}

function planFor(
  { database, intake }: BackupImportDependencies,
  owner: LabelOwner,
  labels: TaskContents['task']['labels'],
): LabelPlan {
  return database.transaction(() => planLabels(owner, [], labels, intake.ids)).immediate();
}

interface Preparing {
  readonly task: TaskContents;
  readonly taskId: number;
  readonly index: number;
  readonly contents: BackupContents;
  readonly projectPlan: LabelPlan | null;
}

async function preparePart(
  dependencies: BackupImportDependencies,
  { request, run, parameters }: Import,
  { task: contents, taskId, index, contents: { tasks }, projectPlan }: Preparing,
): Promise<Part> {
  const { workers, dataDirectory, database, sets } = dependencies;
  const { task, folder } = contents;
  const plan = projectPlan ? null : planFor(dependencies, { kind: 'task', id: taskId }, task.labels);
  if (!task.data) return { taskId, contents, media: null, plan, jobs: [] };
  const job: BackupMediaJob = { dataDirectory, taskId, file: parameters.file, folder, task };
  const prepared = await workers.run<BackupMediaJob, PreparedMedia>('prepareBackupMedia', job, {
    signal: run.signal,
    onProgress: (fraction) =>
      run.progress(share.opened + ((index + fraction) / tasks.length) * (share.media - share.opened)),
  });
  const jobs = database.transaction(() => placeJobs(task, () => sets.createPending(null, request.id))).immediate();
  return { taskId, contents, media: { prepared, rows: frameRows(prepared) }, plan, jobs };
}

interface Reading {
  readonly part: Part;
  readonly labels: LabelPlan['labels'];
  readonly index: number;
  readonly count: number;
}

function readAnnotations(
  { workers, databaseFile, dataDirectory }: BackupImportDependencies,
  { run }: Import,
  { part, labels, index, count }: Reading,
): Promise<FormatSummary> {
  if (part.jobs.length === 0) return Promise.resolve(mergedSummaries([]));
  const { annotations: path, ranges } = part.contents;
  const jobs = part.jobs.map(({ start, stop, frames, frameOffset: offset }) => ({
    start,
    stop,
    frames: frames ? new Set(frames) : null,
    offset,
  }));
  return importThroughThreads<ParseBackupJob>(workers, {
    name: 'parseBackup',
    job: (port, state) => ({ path, ranges, jobs, labels, port, state }),
    targets: part.jobs.map(({ setId, start, stop, frameOffset }) => ({
      setId,
      firstFrame: start + frameOffset,
      lastFrame: stop + frameOffset,
      frameOffset,
    })),
    paths: { databaseFile, dataDirectory },
    signal: run.signal,
    progress: (fraction) =>
      run.progress(share.media + ((index + fraction) / count) * (share.annotations - share.media)),
  });
}

function restoredMessage({ project }: BackupContents, parts: readonly Part[], summary: FormatSummary): string {
  const frames = parts.reduce((sum, { media }) => sum + (media?.rows.length ?? 0), 0);
  const what = project ? `The project with ${parts.length} ${parts.length === 1 ? 'task' : 'tasks'}` : 'The task';
  return `${what} and ${frames} ${frames === 1 ? 'frame' : 'frames'} restored. ${importMessage(summary)}`;
}

interface Publication {
  readonly contents: BackupContents;
  readonly parts: readonly Part[];
  readonly projectId: number | null;
  readonly projectPlan: LabelPlan | null;
  readonly pictures: PlacedPictures;
  readonly end: () => void;
}

/** Shows what was restored and ends the request: both or neither. */
function publish(dependencies: BackupImportDependencies, work: Import, publication: Publication): void {
  const { database, labels, projects, intake, restorer, events, clock } = dependencies;
  const { request } = work;
  const { contents, parts, projectId, projectPlan, pictures, end } = publication;
  const actor = events.actorOf(request);
  database
    .transaction(() => {
      const now = clock();
      if (contents.project && projectId !== null) {
        projects.insert({
          id: projectId,
          name: contents.project.name,
          owner_id: request.owner_id,
          assignee_id: null,
          bug_tracker: contents.project.bug_tracker,
          organization_id: request.organization_id,
          date: now,
        });
        projects.keepStorages(projectId, namedStorages(contents.project.limner ?? {}));
        if (projectPlan) writeLabelPlan(labels, { kind: 'project', id: projectId }, projectPlan);
        if (contents.guide)
          restorer.guide({ projectId, taskId: null }, contents.guide, { pictures, ownerId: request.owner_id, now });
        events.projectCreated(actor, projectId);
      }
      for (const part of parts) writePart(dependencies, work, { part, projectId, pictures, now });
      intake.staged.settle(parts.map(({ taskId }) => taskId));
      end();
    })
    .immediate();
}

function writePart(
  { labels, tasks, intake, restorer, events }: BackupImportDependencies,
  { request, parameters }: Import,
  {
    part,
    projectId,
    pictures,
    now,
  }: Pick<Publication, 'projectId' | 'pictures'> & { readonly part: Part; readonly now: string },
): void {
  const { taskId, contents, media, plan, jobs } = part;
  const actor = events.actorOf(request);
  const common = {
    id: taskId,
    projectId,
    organizationId: request.organization_id,
    ownerId: request.owner_id,
  };
  const jobIds = media
    ? intake.writer.write(restoredTask(contents.task, { ...common, ...media, jobs, now }), now)
    : writeEmptyTask(tasks, contents, common, now);
  tasks.keepStorages(taskId, namedStorages(contents.task.limner ?? {}));
  if (plan) writeLabelPlan(labels, { kind: 'task', id: taskId }, plan);
  if (contents.guide)
    restorer.guide({ projectId: null, taskId }, contents.guide, { pictures, ownerId: request.owner_id, now });
  restorer.issues(contents.issues, jobIds, parameters.keepsAuthors);
  events.taskCreated(actor, taskId);
  events.jobsCreated(actor, jobIds);
}

/** A task that had no data when it was backed up. */
function writeEmptyTask(
  tasks: TaskRepository,
  { task }: TaskContents,
  place: { id: number; projectId: number | null; organizationId: number | null; ownerId: number | null },
  date: string,
): number[] {
  tasks.insert({
    id: place.id,
    name: task.name,
    project_id: place.projectId,
    owner_id: place.ownerId,
    assignee_id: null,
    bug_tracker: task.bug_tracker,
    overlap: task.limner?.overlap ?? null,
    segment_size: task.limner?.segment_size ?? 0,
    subset: task.subset,
    organization_id: place.organizationId,
    date,
  });
  return [];
}
