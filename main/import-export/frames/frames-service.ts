import type { z } from 'zod';
import type {
  FrameCount,
  FrameSelection,
  framesToFilesSchema,
  framesToTaskSchema,
} from '../../../preload/contract/schema/frames.ts';
import { requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import { invalidRequest } from '../../platform/errors.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import { writeExportFile } from '../../background-requests/export-file.ts';
import type { RequestRunner } from '../../background-requests/request-queue.ts';
import type { RequestService } from '../../background-requests/request-service.ts';
import type { MediaRepository } from '../../work/tables/media-repository.ts';
import type { TaskRow } from '../../work/tables/task-repository.ts';
import type { WorkAccess } from '../../work/work-access.ts';
import { framesFileName } from '../export/file-names.ts';
import { counted } from '../import/import-message.ts';
import type { Started } from '../transfer-services.ts';
import type { FramesToTaskParameters } from './frames-to-task.ts';
import { noFrames, selectionJob } from './selection.ts';
import type { SelectFramesJob } from './select-frames-job.ts';

interface Dependencies {
  readonly access: WorkAccess;
  readonly media: MediaRepository;
  readonly workers: WorkerPool;
  readonly databaseFile: string;
  readonly dataDirectory: string;
}

interface FramesExportParameters extends Pick<FramesToTaskParameters, 'sourceTaskId' | 'selection' | 'image'> {
  readonly fileName?: string;
}

const select = (
  { workers, ...paths }: Pick<Dependencies, 'workers' | 'databaseFile' | 'dataDirectory'>,
  target: SelectFramesJob['target'],
  selection: FrameSelection,
  signal?: AbortSignal,
) => workers.run('selectFrames', selectionJob(paths, target, selection), signal ? { signal } : {});

const selectionOf = ({ frames, every, annotated }: FrameSelection): FrameSelection => ({ frames, every, annotated });
const noData = () => invalidRequest('The task has no data yet.');

/** Counts frames, and starts background requests that convert them to images. */
export function createFramesService(dependencies: Dependencies, requests: RequestService) {
  const { access, media } = dependencies;

  const placeOf = ({ id: taskId, project_id: projectId, organization_id: organizationId }: TaskRow) => ({
    taskId,
    projectId,
    organizationId,
  });

  function openVideo(actor: Actor, id: number): TaskRow {
    const task = access.task(actor, id, 'export:dataset');
    const row = task.media_id === null ? undefined : media.get(task.media_id);
    if (!row) throw noData();
    if (row.kind !== 'video') throw invalidRequest('The frames of this task are images already: it has no video.');
    return task;
  }

  /** Requires the permission to create a task like this one. */
  function requireCreation(actor: Actor, task: TaskRow, isInProject: boolean): void {
    const people = { projectOwner: task.project_owner_id, projectAssignee: task.project_assignee_id };
    const place = access.facts.place(actor, task.organization_id);
    requireAllowed(actor, 'task', isInProject ? 'create@project' : 'create', { ...place, people });
  }

  async function requireFrames(id: number, selection: FrameSelection): Promise<void> {
    const { count } = await select(dependencies, { kind: 'task', id }, selection);
    if (count === 0) throw noFrames();
  }

  return {
    async count(actor: Actor, target: SelectFramesJob['target'], selection: FrameSelection): Promise<FrameCount> {
      const { kind, id } = target;
      const row = kind === 'task' ? access.task(actor, id, 'view:metadata') : access.job(actor, id, 'view:metadata');
      if (row.media_id === null) throw noData();
      const { count, total, deleted } = await select(dependencies, target, selectionOf(selection));
      return { count, total, deleted };
    },

    async startTask(actor: Actor, id: number, body: z.output<typeof framesToTaskSchema>): Promise<Started> {
      const task = openVideo(actor, id);
      const projectId = body.same_project ? task.project_id : null;
      requireCreation(actor, task, projectId !== null);
      const selection = selectionOf(body);
      await requireFrames(id, selection);
      const { name, image_format, image_quality, annotations, track_groups: trackGroups } = body;
      const image = { image_format, image_quality };
      const parameters: FramesToTaskParameters = {
        sourceTaskId: id,
        name,
        selection,
        image,
        projectId,
        annotations,
        trackGroups,
      };
      return requests.start(actor, {
        key: { action: 'create', target: 'task', targetId: id, userId: actor.userId, subresource: 'frames' },
        type: 'create:frames',
        ...placeOf(task),
        parameters: { ...parameters },
      });
    },

    async startExport(actor: Actor, id: number, body: z.output<typeof framesToFilesSchema>): Promise<Started> {
      const task = openVideo(actor, id);
      const selection = selectionOf(body);
      await requireFrames(id, selection);
      const { image_format, image_quality, filename } = body;
      const parameters: FramesExportParameters = {
        sourceTaskId: id,
        selection,
        image: { image_format, image_quality },
        fileName: filename === undefined || filename === '' ? undefined : filename,
      };
      return requests.start(actor, {
        key: { action: 'export', target: 'task', targetId: id, userId: actor.userId, subresource: 'frames' },
        type: 'export:frames',
        ...placeOf(task),
        parameters: { ...parameters },
      });
    },
  };
}

/** Creates the runner of `export:frames`. */
export function createFramesExportRunner(
  dependencies: Pick<Dependencies, 'workers' | 'databaseFile' | 'dataDirectory'>,
): RequestRunner {
  const { workers, databaseFile, dataDirectory } = dependencies;
  return async (request, { signal, progress }) => {
    const { sourceTaskId, selection, image, fileName } = JSON.parse(request.parameters) as FramesExportParameters;
    progress(0, 'Selecting frames');
    const { frames } = await select(dependencies, { kind: 'task', id: sourceTaskId }, selection, signal);
    if (frames.length === 0) throw noFrames();
    progress(0, `Writing ${counted(frames.length, 'image')}`);
    const { resultFile } = await writeExportFile(dataDirectory, (destination) => {
      const job = { databaseFile, dataDirectory, sourceTaskId, frames, image, destination };
      return workers.run('exportFrames', job, { signal, onProgress: progress });
    });
    const message = `${counted(frames.length, 'image')} written.`;
    return { message, resultFile, resultName: fileName ?? framesFileName(sourceTaskId, new Date()) };
  };
}
