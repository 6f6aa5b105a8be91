import { isAbsolute, join } from 'node:path';
import type { DataRequest } from '../../../preload/contract/schema/resources.ts';
import type { CloudStorageService } from '../../buckets/cloud-storage-service.ts';
import { arrangedMedia, joinKeys } from '../../media/arrange-objects.ts';
import { unpackMedia } from '../../media/packed-media.ts';
import type { UploadedFile } from '../../media/scan.ts';
import type { PreparedMedia, PrepareRequest } from '../../media/media-preparation.ts';
import { AppError, invalidField, invalidRequest } from '../../platform/errors.ts';
import { forbidden, isAdmin } from '../../users/access/access-rules.ts';
import type { ChangeActor } from '../../db/changes.ts';
import type { Actor } from '../../users/access/actor.ts';
import { selectValidationFrames } from '../jobs/frame-selection.ts';
import { segmentRanges } from '../jobs/job-rules.ts';
import type { RequestRun, RequestRunner } from '../../background-requests/request-queue.ts';
import type { RequestResult } from '../../background-requests/request-end.ts';
import type { RequestRow } from '../../background-requests/request-repository.ts';
import type { RequestService } from '../../background-requests/request-service.ts';
import { frameRows, mediaRow } from './prepared-media.ts';
import { listBucket } from './bucket-listing.ts';
import { hasPool, layoutWithPool, requirePool } from './honeypot-layout.ts';
import { mappedRanges, mappingOf } from './job-file-mapping.ts';
import { mediaDirectory } from './task-media.ts';
import type { FramePreparation } from './frame-preparation.ts';
import type { FrameRow } from '../tables/media-repository.ts';
import type { TaskRow } from '../tables/task-table.ts';
import { defined } from '../../platform/defined.ts';
import { inPortions } from '../../platform/portions.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';

/** Stored parameters of a task's data request, which let the queue repeat it after a restart. */
interface DataParameters {
  readonly request: DataRequest;
  readonly uploads: readonly UploadedFile[];
  /** Folder of the uploads. The queue deletes it at the end of the request. */
  readonly uploadDirectory: string | null;
}

export interface PrepareJob {
  readonly dataDirectory: string;
  readonly taskId: number;
  readonly request: PrepareRequest;
}

export const preparationOf = (taskId: number) => ({ action: 'create', target: 'task', targetId: taskId }) as const;

export const alreadyThere = 'Adding more data is not supported';
const videoOverlap = 5;

export interface TaskDataDependencies extends Pick<
  WorkServiceDependencies,
  'dataDirectory' | 'access' | 'tasks' | 'jobs' | 'media' | 'changes' | 'workers' | 'clock'
> {
  /** Base folder of relative `server_files`; null if not set. */
  readonly shareDirectory: () => string | null;
  readonly preparation: FramePreparation;
  readonly cloudStorages: Pick<CloudStorageService, 'clientFor' | 'clientForUpdate' | 'clientOf' | 'addManifest'>;
  /** Deletes the rows of discarded media in the background. */
  readonly removeDiscarded: () => void;
}

/** Gives a task its media and jobs in the background, completely or not at all. */
export function createTaskDataService(dependencies: TaskDataDependencies, requests: RequestService) {
  const { access, dataDirectory } = dependencies;

  function requireEmpty(actor: Actor, id: number): TaskRow {
    const task = access.task(actor, id, 'upload:data');
    if (task.media_id !== null) throw invalidRequest(alreadyThere);
    return task;
  }

  function enqueue(actor: Actor, id: number, parameters: DataParameters): { rq_id: string } {
    const task = access.task(actor, id, 'upload:data');
    return requests.start(actor, {
      key: preparationOf(id),
      type: 'create:task',
      taskId: id,
      projectId: task.project_id,
      organizationId: task.organization_id,
      parameters: { ...parameters },
    });
  }

  return {
    requireEmpty: (actor: Actor, id: number) => void requireEmpty(actor, id),
    /** Temporary folder for uploads. It is on the same disk as the media, so that files can be moved. */
    uploadDirectory: (taskId: number) => join(dataDirectory, 'data', 'uploads', `task-${taskId}`),
    /** Repeats a failed preparation, or continues the reading of a listed folder. Refused if it had uploads, because these are already deleted. */
    startAgain(actor: Actor, id: number): { rq_id: string } {
      const { media_id: mediaId } = access.task(actor, id, 'upload:data');
      const isListed = mediaId !== null && dependencies.media.get(mediaId)?.unread === 1;
      if (!isListed) requireEmpty(actor, id);
      const failed = requests.failedParameters(preparationOf(id));
      if (failed === null) throw invalidRequest('No preparation of this task has failed. Send its files.');
      const { request, uploads } = JSON.parse(failed) as DataParameters;
      if (uploads.length > 0) {
        throw invalidRequest(
          'Cannot repeat the preparation: uploaded files are deleted when it fails. Upload them again.',
        );
      }
      return isListed
        ? enqueue(actor, id, { request, uploads, uploadDirectory: null })
        : this.start(actor, id, request, []);
    },
    /** Starts the preparation of uploaded files, or of files on this workstation that `server_files` names. */
    start(actor: Actor, id: number, request: DataRequest, uploads: readonly UploadedFile[]): { rq_id: string } {
      const task = requireEmpty(actor, id);
      if (request.remote_files.length > 0) {
        throw invalidField('remote_files', 'Limner works offline. Download the files first and upload them.');
      }
      mappingOf(request);
      requirePool(request, task);
      if (typeof request.cloud_storage_id === 'number') requireBucket(actor, request, uploads, dependencies);
      else if (request.filename_pattern)
        throw invalidField(
          'filename_pattern',
          'File patterns are for cloud storages only. List the files, or their folder.',
        );
      else requireFiles(actor, request, uploads, dependencies);
      const uploadDirectory = uploads.length > 0 ? this.uploadDirectory(id) : null;
      return enqueue(actor, id, { request, uploads, uploadDirectory });
    },
  };
}

export function createTaskDataRunner(dependencies: TaskDataDependencies): RequestRunner {
  const { tasks, workers, dataDirectory } = dependencies;

  return async (run, { signal, progress, keepReport }) => {
    const { task_id: taskId, parameters } = run;
    const task = taskId === null ? undefined : tasks.get(taskId);
    if (!task) throw taskDeleted();
    // An earlier run listed the files, and ended before it had read all of them.
    if (task.media_id !== null)
      return resultOf(await readListed(dependencies, task.media_id, keptNotes(run), { signal, progress, keepReport }));
    if (awaitsSending(run)) throw taskDeleted();
    const { request, uploads } = JSON.parse(parameters) as DataParameters;
    progress(0, 'Reading the files');
    const prepared =
      typeof request.cloud_storage_id === 'number'
        ? await prepareObjects(dependencies, task.id, request, signal)
        : unpackMedia(
            await workers.run(
              'prepareMedia',
              { dataDirectory, taskId: task.id, request: prepareRequest(dependencies, task.id, request, uploads) },
              { signal, onProgress: (fraction) => progress(fraction * 0.98) },
            ),
          );
    const actor = dependencies.changes.actorOf(run);
    const mediaId = await storeMedia(dependencies, actor, { task, request, prepared, keepReport, signal });
    return resultOf(await readListed(dependencies, mediaId, prepared, { signal, progress, keepReport }));
  };
}

/** Lists the objects of a bucket. Their sizes are read later, unless a manifest has them. */
async function prepareObjects(
  dependencies: TaskDataDependencies,
  taskId: number,
  request: DataRequest,
  signal: AbortSignal,
): Promise<PreparedMedia> {
  const storageId = request.cloud_storage_id ?? 0;
  const { objects, order } = await listBucket(dependencies.cloudStorages.clientOf(storageId), request, signal);
  const job = {
    keys: joinKeys(objects.map(({ path }) => path)),
    order: joinKeys(order),
    request: prepareRequest(dependencies, taskId, request, []),
  };
  return arrangedMedia(objects, storageId, await dependencies.workers.run('arrangeObjects', job, { signal }));
}

/** Begins the stored parameters of a request that waits for images, which may take hours, and occupies no slot. */
const waitingParameters = { awaitsSending: true } as const;
const waitingStart = JSON.stringify(waitingParameters).slice(0, -1);
export const awaitsSending = ({ parameters }: Pick<RequestRow, 'parameters'>): boolean =>
  parameters.startsWith(waitingStart);

/** Starts the request that ends when all images of a task were sent. */
export const startWaiting = (requests: RequestService, actor: Actor, task: TaskRow): { rq_id: string } =>
  requests.start(actor, {
    key: preparationOf(task.id),
    type: 'create:task',
    taskId: task.id,
    projectId: task.project_id,
    organizationId: task.organization_id,
    parameters: { ...waitingParameters, request: {}, uploads: [], uploadDirectory: null },
  });

const resultOf = (notes: Notes): RequestResult => ({
  message: skippedSentence(notes),
  ...(notes.skipped.length + notes.warnings.length > 0 ? { report: reportOf(notes) } : {}),
});

/** Notes of the interrupted run of a request. */
function keptNotes({ report }: RequestRow): Notes {
  if (report === null) return { skipped: [], warnings: [] };
  const { invalid, warnings } = JSON.parse(report) as ReturnType<typeof skippedReport>;
  return {
    skipped: invalid.map(({ file, reason }) => ({ name: file, reason })),
    warnings: warnings.map((reason) => ({ name: '', reason })),
  };
}

export type Notes = Pick<PreparedMedia, 'skipped' | 'warnings'>;

/** Reads the files of a listed folder, whose task is already open. */
async function readListed(
  { media, preparation }: TaskDataDependencies,
  mediaId: number,
  { skipped, warnings: earlier }: Notes,
  { signal, progress, keepReport }: Pick<RequestRun, 'signal' | 'progress' | 'keepReport'>,
): Promise<Notes> {
  const warnings = [...earlier];
  await preparation.whole(mediaId, {
    signal,
    awaitsSending: true,
    onProgress({ read, total }, found) {
      progress(read / total);
      warnings.push(...found.map((reason) => ({ name: '', reason })));
      if (found.length > 0) keepReport(reportOf({ skipped, warnings }));
    },
  });
  if (media.get(mediaId) === undefined) throw taskDeleted();
  const problems = media.problems(mediaId).map(({ name, problem: reason }) => ({ name, reason }));
  return { skipped: [...skipped, ...problems], warnings };
}

export const taskDeleted = () => new AppError('not-found', 'Cannot create the data of the task: the task was deleted.');

function skippedSentence({ skipped, warnings }: Notes): string {
  const [first] = skipped;
  if (first === undefined) {
    const more = warnings.length > 1 ? ` (and ${warnings.length - 1} more notes)` : '';
    return `${warnings[0]?.reason ?? ''}${more}`;
  }
  const more = skipped.length === 1 ? '' : ` (and ${skipped.length - 1} more)`;
  return `${skipped.length} of the files could not be used: ${first.reason}${more}`;
}

export const reportOf = (notes: Notes): string => JSON.stringify(skippedReport(notes));

function skippedReport({ skipped, warnings }: Notes) {
  return {
    included: [],
    dropped: [],
    invalid: skipped.map(({ name, reason }) => ({ file: name, at: '', reason })),
    invalidCount: skipped.length,
    warnings: warnings.map(({ reason }) => reason),
  };
}

/** Refuses what is not possible with the images of a bucket. */
function requireBucket(
  actor: Actor,
  request: DataRequest,
  uploads: readonly UploadedFile[],
  { cloudStorages }: Pick<TaskDataDependencies, 'cloudStorages'>,
): void {
  cloudStorages.clientFor(actor, request.cloud_storage_id ?? 0);
  if (uploads.length > 0)
    throw invalidField('cloud_storage_id', 'Upload the files, or name objects of a cloud storage, but not both.');
  if (request.server_files.length === 0 && !request.filename_pattern) throw invalidRequest('No media data found');
  if (request.copy_data)
    throw invalidField('copy_data', 'Images of a cloud storage are not copied. Leave copy_data out.');
  if (hasPool(request))
    throw invalidField(
      'validation_params',
      'A validation pool (gt_pool) is not supported for images of a cloud storage. Use the mode gt, or upload the images.',
    );
}

/** Refuses a request without files, and local files that the actor may not use or that have no base folder. */
export function requireFiles(
  actor: Actor,
  { server_files: local }: Pick<DataRequest, 'server_files'>,
  uploads: readonly UploadedFile[],
  { shareDirectory }: Pick<TaskDataDependencies, 'shareDirectory'>,
): void {
  if (local.length > 0 && !isAdmin(actor)) throw forbidden();
  const relative = local.find((path) => !isAbsolute(path));
  if (relative !== undefined && shareDirectory() === null) throw noShare(relative);
  if (uploads.length > 0 && local.length > 0)
    throw invalidField('server_files', 'Upload the files, or name files on this computer, but not both.');
  if (uploads.length === 0 && local.length === 0) throw invalidRequest('No media data found');
}

const noShare = (path: string): AppError =>
  new AppError(
    'invalid',
    `Cannot read ${path}: the path is relative, and there is no shared folder. Set LIMNER_SHARE_DIR, or give the absolute path.`,
  );

export function prepareRequest(
  { dataDirectory, shareDirectory }: TaskDataDependencies,
  taskId: number,
  request: DataRequest,
  uploads: readonly UploadedFile[],
): PrepareRequest {
  const root = shareDirectory();
  const mapping = mappingOf(request);
  const order = mapping?.flat() ?? request.upload_file_order;
  return {
    location: { directory: mediaDirectory(dataDirectory, taskId) },
    // Uploads are complete until the database knows the media, so an attempt that crashed starts from the beginning.
    replacesLeft: true,
    refusesDamaged: !request.accept_damaged,
    // The frames of a pool are sorted and copied, so their files are read first.
    opensEarly: request.open_early && !hasPool(request),
    uploads,
    ...(request.server_files.length > 0 && typeof request.cloud_storage_id !== 'number'
      ? {
          local: {
            paths: request.server_files,
            exclude: request.server_files_exclude,
            ...(root === null || request.server_files.some((path) => path.startsWith('/')) ? {} : { root }),
          },
        }
      : {}),
    copy: request.copy_data,
    sorting_method: mapping ? 'predefined' : request.sorting_method,
    random_seed: taskId,
    ...(order.length > 0 ? { upload_file_order: order } : {}),
    ...defined({ start_frame: request.start_frame, stop_frame: request.stop_frame }),
    frame_filter: request.frame_filter,
  };
}

/** Only here, manually selected frames are named by their files, because they have no numbers yet. */
function validationFrames(
  { frames: names, ...selection }: NonNullable<DataRequest['validation_params']>,
  rows: readonly FrameRow[],
  jobs: readonly { start: number; stop: number }[],
): number[] {
  const numbers = new Map(rows.map(({ name, frame }) => [name, frame]));
  const frames = names?.map((name) => {
    const frame = numbers.get(name);
    if (frame === undefined)
      throw new AppError('invalid', `The validation frame ${name} is not among the task's files.`);
    return frame;
  });
  return selectValidationFrames(
    { ...selection, ...defined({ frames }) },
    { size: rows.length, deleted: new Set(), jobs },
  );
}

/** The frames of a task and the ranges of its annotation jobs. */
function layoutOf(prepared: PreparedMedia, request: DataRequest, task: Pick<TaskRow, 'overlap' | 'segment_size'>) {
  const rows = frameRows(prepared);
  if (request.validation_params && hasPool(request)) {
    const pool = layoutWithPool(rows, request.validation_params, task.segment_size);
    const segmentSize = Math.max(...pool.jobs.map(({ start, stop }) => stop - start + 1));
    return { rows: pool.rows, ranges: pool.jobs, overlap: 0, segmentSize, pool };
  }
  const mapping = mappingOf(request);
  const overlap = mapping ? 0 : (task.overlap ?? (prepared.kind === 'video' ? videoOverlap : 0));
  const ranges = mapping ? mappedRanges(mapping, rows) : segmentRanges(rows.length, task.segment_size, overlap);
  const longest = mapping ? Math.max(...mapping.map(({ length }) => length)) : task.segment_size;
  const segmentSize = longest === 0 ? rows.length : Math.min(longest, rows.length);
  return { rows, ranges, overlap, segmentSize, pool: null };
}

interface NewMedia {
  readonly keepReport: RequestRun['keepReport'];
  readonly signal?: AbortSignal | undefined;
  readonly task: TaskRow;
  readonly request: DataRequest;
  readonly prepared: PreparedMedia;
}

/** Stores the frames in portions, then the jobs and the task in one transaction that shows all of them. */
export async function storeMedia(
  dependencies: Pick<TaskDataDependencies, 'tasks' | 'jobs' | 'media' | 'changes' | 'clock' | 'removeDiscarded'>,
  actor: ChangeActor,
  { task: { id: taskId, ...task }, request, prepared, keepReport, signal }: NewMedia,
): Promise<number> {
  const { tasks, jobs, media, changes, clock, removeDiscarded } = dependencies;
  const isVideo = prepared.kind === 'video';
  if (isVideo && hasPool(request))
    throw new AppError('invalid', 'validation mode "gt_pool" can only be used with "annotation" mode tasks');
  const now = clock();
  const { rows, ranges, overlap, segmentSize, pool } = layoutOf(prepared, request, task);
  const poolRow = pool && {
    honeypots_per_job: pool.perJob,
    start_frame: 0,
    stop_frame: rows.length - 1,
    frame_filter: '',
  };
  const row = { ...mediaRow(prepared, rows, request, now), ...poolRow };
  const show = (mediaId: number) => {
    const stored = tasks.get(taskId);
    if (!stored) throw taskDeleted();
    if (stored.media_id !== null) throw invalidRequest(alreadyThere);
    const jobIds = changes.run(actor, { tasks: [taskId] }, () => {
      const change = {
        media_id: mediaId,
        mode: isVideo ? ('interpolation' as const) : ('annotation' as const),
        segment_size: segmentSize,
        overlap: Math.min(overlap, Math.floor(segmentSize / 2)),
      };
      tasks.update(taskId, change, now);
      const own = ranges.map(({ start, stop }) => ({ start, stop, id: jobs.insert(taskId, start, stop, now) }));
      const replicas = own.flatMap(({ start, stop, id: parentId }) =>
        Array.from({ length: task.consensus_replicas }, () =>
          jobs.insert(taskId, start, stop, now, { type: 'consensus_replica', parentId }),
        ),
      );
      const ids = [...own.map(({ id }) => id), ...replicas];
      if (pool) return [...ids, jobs.insert(taskId, pool.pool.start, pool.pool.stop, now, { type: 'ground_truth' })];
      if (!request.validation_params) return ids;
      const frames = validationFrames(request.validation_params, rows, ranges);
      return [...ids, jobs.insert(taskId, 0, rows.length - 1, now, { type: 'ground_truth', frames })];
    });
    changes.created(actor, 'job', jobIds);
    keepReport(reportOf(prepared));
    return mediaId;
  };
  let stored: number | undefined;
  try {
    const mediaId = (stored = await inPortions(media.insertInPortions(row, rows), signal));
    return changes.run(actor, {}, () => show(mediaId));
  } catch (error) {
    if (stored !== undefined) media.discard(stored);
    removeDiscarded();
    throw error;
  }
}
