import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { type AddImages, dataRequestSchema } from '../../../preload/contract/schema/resources.ts';
import type { ChangeActor } from '../../db/changes.ts';
import type { RequestResult } from '../../background-requests/request-end.ts';
import type { RequestRun, RequestRunner } from '../../background-requests/request-queue.ts';
import type { RequestRow } from '../../background-requests/request-repository.ts';
import type { RequestService } from '../../background-requests/request-service.ts';
import { rawDirectory } from '../../media/media-location.ts';
import type { PreparedMedia } from '../../media/media-preparation.ts';
import { unpackMedia } from '../../media/packed-media.ts';
import type { UploadedFile } from '../../media/scan.ts';
import { defined } from '../../platform/defined.ts';
import { invalidRequest } from '../../platform/errors.ts';
import type { Actor } from '../../users/access/actor.ts';
import { addedRanges } from '../jobs/job-rules.ts';
import type { JobRow } from '../tables/job-table.ts';
import type { FrameRow, MediaRow } from '../tables/media-repository.ts';
import type { TaskRow } from '../tables/task-table.ts';
import type { ReplacedAnnotations } from '../annotations/replaced-annotations.ts';
import type { ReplacedFrameRepository } from '../tables/replaced-frame-repository.ts';
import { type AddedFrames, arrangeFrames } from './added-frames.ts';
import { detailOf } from './removed-frames.ts';
import { frameRows } from './prepared-media.ts';
import {
  type Notes,
  prepareRequest,
  reportOf,
  requireFiles,
  taskDeleted,
  type TaskDataDependencies,
} from './task-data-service.ts';
import { mediaDirectory } from './task-media.ts';

/** Stored parameters, which let the queue repeat the request after a restart. */
interface Parameters {
  readonly request: AddImages;
  readonly uploads: readonly UploadedFile[];
  /** Folder of the uploads. The queue deletes it at the end of the request. */
  readonly uploadDirectory: string | null;
  /** Folder of the new files below `raw/`. Each run of the request uses it, so a crash leaves no second copy. */
  readonly folder: string;
}

export interface AddingDependencies extends Pick<
  TaskDataDependencies,
  'tasks' | 'jobs' | 'media' | 'changes' | 'clock' | 'dataDirectory'
> {
  readonly replaced: Pick<ReplacedAnnotations, 'takeOut'>;
  readonly frames: Pick<ReplacedFrameRepository, 'save'>;
}
type Undo = Pick<AddingDependencies, 'replaced' | 'frames'>;

const key = (taskId: number) =>
  ({ action: 'import', target: 'task', targetId: taskId, subresource: 'images' }) as const;
const folderForm = /^added-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The medium of a task that can have more images. */
export function growable(media: TaskDataDependencies['media'], task: TaskRow | undefined): MediaRow {
  if (task === undefined) throw taskDeleted();
  const row = task.media_id === null ? undefined : media.get(task.media_id);
  if (row === undefined) {
    throw invalidRequest(
      'Cannot add images: the task has no data yet. Wait until its preparation ends, or give it its first images.',
    );
  }
  if (row.kind === 'video') {
    throw invalidRequest(
      'Cannot add images: the frames of this task come from a video, and images have no place in its time. ' +
        'Create a task for the images, or convert the video with "limner frames" and add them to its images.',
    );
  }
  if (row.honeypots_per_job !== null) {
    throw invalidRequest(
      'Cannot add images: the frames of this task are distributed with honeypots. Create a task for the images.',
    );
  }
  if (row.unread === 1) {
    throw invalidRequest(
      'Cannot add images: the images of this task are still being read. Try again when its preparation has ended.',
    );
  }
  return row;
}

/** Adds images behind the frames of a task that has data. */
export function createAddedImagesService(dependencies: TaskDataDependencies, requests: RequestService) {
  const { access, media, dataDirectory } = dependencies;

  function open(actor: Actor, id: number): TaskRow {
    const task = access.task(actor, id, 'upload:data');
    growable(media, task);
    return task;
  }

  return {
    requireOpen: (actor: Actor, id: number) => void open(actor, id),
    /** True while images are added to the task. */
    isActive: (id: number): boolean => requests.isActive(key(id)),
    requireFiles: (actor: Actor, path: string) => requireFiles(actor, { server_files: [path] }, [], dependencies),
    /** A new temporary folder for uploads, on the same disk as the media. */
    uploadDirectory: (taskId: number) =>
      join(dataDirectory, 'data', 'uploads', `task-${taskId}-images-${randomUUID()}`),
    start(actor: Actor, id: number, request: AddImages, uploads: readonly UploadedFile[]): { rq_id: string } {
      const task = open(actor, id);
      requireFiles(actor, request, uploads, dependencies);
      const [first] = uploads;
      const parameters: Parameters = {
        request,
        uploads,
        uploadDirectory: first ? dirname(first.file) : null,
        folder: `added-${randomUUID()}`,
      };
      return requests.start(actor, {
        key: key(id),
        type: 'import:images',
        taskId: id,
        projectId: task.project_id,
        organizationId: task.organization_id,
        parameters: { ...parameters },
      });
    },
  };
}

export function createAddedImagesRunner(dependencies: TaskDataDependencies, undo: Undo): RequestRunner {
  const { tasks, media, workers, dataDirectory } = dependencies;

  return async (run, control) => {
    const task = run.task_id === null ? undefined : tasks.get(run.task_id);
    const before = growable(media, task);
    // `growable` has refused a missing task.
    const taskId = task?.id ?? 0;
    const { request, uploads, folder } = JSON.parse(run.parameters) as Parameters;
    const raw = rawDirectory({ directory: mediaDirectory(dataDirectory, taskId) });
    await removeUnused(dependencies, before.id, raw);
    control.progress(0, 'Reading the files');
    let stored: Stored;
    try {
      const data = dataRequestSchema.parse({
        ...defined({ ...request, client_files: undefined, every: undefined }),
        sorting_method: request.sorting_method ?? before.sorting_method,
      });
      const packed = await workers.run(
        'prepareMedia',
        {
          dataDirectory,
          taskId,
          request: {
            ...prepareRequest(dependencies, taskId, data, uploads),
            into: folder,
            // Requests that an earlier version stored have no value.
            every: request.every ?? 1,
          },
        },
        { signal: control.signal, onProgress: (fraction) => control.progress(fraction * 0.98) },
      );
      stored = store({ ...dependencies, ...undo }, run, request, unpackMedia(packed), control);
    } catch (error) {
      await rm(join(raw, folder), { recursive: true, force: true });
      throw error;
    }
    for (const file of stored.unused) await rm(join(raw, file), { force: true });
    return stored.result;
  };
}

/** Removes folders of additions that were interrupted and then cancelled. */
async function removeUnused({ media }: TaskDataDependencies, mediaId: number, raw: string): Promise<void> {
  const names = await readdir(raw).catch(() => []);
  for (const name of names) {
    if (folderForm.test(name) && !media.usesFolder(mediaId, name)) {
      await rm(join(raw, name), { recursive: true, force: true });
    }
  }
}

interface Stored {
  readonly result: RequestResult;
  /** New files below `raw/` that no frame has. */
  readonly unused: readonly string[];
}

/** Stores frames, jobs, the task and the end of the request in one transaction. */
function store(
  dependencies: AddingDependencies,
  run: RequestRow,
  request: AddImages,
  prepared: PreparedMedia,
  { finish }: Pick<RequestRun, 'finish'>,
): Stored {
  const actor = dependencies.changes.actorOf(run);
  return dependencies.changes.run(actor, {}, () => {
    const { frames, earlier, unused } = storeAdded(dependencies, actor, run.task_id, { request, prepared });
    const notes: Notes = {
      skipped: prepared.skipped,
      warnings: [...prepared.warnings, ...notesOf(frames, earlier).map((reason) => ({ name: '', reason }))],
    };
    const result = { message: sentence(frames, prepared.skipped.length), report: reportOf(notes) };
    finish(result);
    return { result, unused };
  });
}

/**
 * Adds prepared images to a task, inside a transaction.
 * @returns the frames, the content of replaced ones, and new files below `raw/` that no frame has
 */
export function storeAdded(
  { tasks, jobs, media, changes, clock, replaced: undo, frames: saved }: AddingDependencies,
  actor: ChangeActor,
  taskId: number | null,
  { request, prepared }: { readonly request: AddImages; readonly prepared: PreparedMedia },
): { readonly frames: AddedFrames; readonly earlier: readonly FrameRow[]; readonly unused: readonly string[] } {
  const task = taskId === null ? undefined : tasks.get(taskId);
  const before = growable(media, task);
  if (task === undefined) throw taskDeleted();
  const existing = {
    size: before.size,
    numbersOf: (names: readonly string[]) => media.frameNumbers(before.id, names),
    allNames: () => media.frameNames(before.id),
  };
  const frames = arrangeFrames(frameRows(prepared), existing, request.existing_names);
  const { added, replaced, skipped } = frames;
  const earlier = replaced.flatMap(({ frame }) => media.frame(before.id, frame) ?? []);
  if (added.length + replaced.length > 0) {
    const now = clock();
    const size = before.size + added.length;
    const layout = layoutOf(jobs, task, request, size);
    const ids = changes.run(actor, { tasks: [task.id], jobs: layout.growing.map(({ id }) => id) }, () => {
      if (replaced.length > 0) {
        const place = { projectId: null, taskId: task.id, jobId: null };
        const head = { kind: 'frames', place, userId: actor.userId, detail: detailOf(replaced) } as const;
        const numbers = replaced.map(({ frame }) => frame);
        saved.save(undo.takeOut(head).id, before.id, numbers);
      }
      for (const row of replaced) media.replaceFrame(before.id, row);
      const storage = prepared.inPlace ? 'share' : before.storage;
      media.append(before, { rows: added, storage, date: now });
      tasks.update(task.id, defined({ segment_size: added.length > 0 ? layout.storedSize : undefined }), now);
      return added.length === 0 ? [] : storeJobs(jobs, task, layout, { size, now });
    });
    changes.created(actor, 'job', ids);
  }
  const unused = skipped.flatMap(({ name, file, related }) => [file ?? name, ...related]);
  return { frames, earlier, unused: unused.filter((file) => !isAbsolute(file)) };
}

/** The last segment by its frames, and the jobs that the added frames need. */
function layoutOf(jobs: TaskDataDependencies['jobs'], task: TaskRow, request: AddImages, size: number) {
  const all = jobs.ofTask(task.id);
  const last = all
    .filter(({ type }) => type === 'annotation')
    .reduce<JobRow | undefined>((a, b) => (a === undefined || b.stop_frame > a.stop_frame ? b : a), undefined);
  const ofLast = all.filter(({ segment_id: segment }) => segment === last?.segment_id);
  const segments = new Set(all.filter(({ type }) => type === 'annotation').map(({ segment_id: segment }) => segment));
  // The size of a single segment says nothing: CVAT's default is one job for all frames.
  const isWhole = segments.size === 1 && last?.start_frame === 0;
  const segmentSize = request.segment_size ?? (isWhole ? 0 : task.segment_size);
  const { lastStop, ranges } = addedRanges(
    {
      start: last?.start_frame ?? 0,
      stop: last?.stop_frame ?? -1,
      mayGrow: ofLast.every((job) => isUntouched(jobs, job)),
    },
    size,
    segmentSize,
    task.overlap ?? 0,
  );
  const growing = last !== undefined && lastStop > last.stop_frame ? ofLast : [];
  const groundTruth = all.filter(({ type }) => type === 'ground_truth');
  const lengths = [...ranges.map(({ start, stop }) => stop - start + 1), lastStop - (last?.start_frame ?? 0) + 1];
  const storedSize = segmentSize === 0 ? Math.max(...lengths) : Math.min(segmentSize, size);
  return { storedSize, lastStop, ranges, growing, groundTruth };
}

/** A track would continue on the added frames, so its job does not grow. */
const isUntouched = (
  jobs: TaskDataDependencies['jobs'],
  { id, stage, state, assignee_id: assignee }: JobRow,
): boolean => stage === 'annotation' && state === 'new' && assignee === null && !jobs.hasTracks(id);

function storeJobs(
  jobs: TaskDataDependencies['jobs'],
  task: TaskRow,
  { lastStop, ranges, growing, groundTruth }: ReturnType<typeof layoutOf>,
  { size, now }: { readonly size: number; readonly now: string },
): number[] {
  for (const job of growing) {
    jobs.extend(job, lastStop);
    jobs.touch(job.id, now);
  }
  // A ground-truth job has the range of the task and a list of its frames, which stays.
  for (const job of groundTruth) jobs.extend(job, size - 1);
  return ranges.flatMap(({ start, stop }) => {
    const parentId = jobs.insert(task.id, start, stop, now);
    const replicas = Array.from({ length: task.consensus_replicas }, () =>
      jobs.insert(task.id, start, stop, now, { type: 'consensus_replica', parentId }),
    );
    return [parentId, ...replicas];
  });
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

function sentence({ added, replaced, skipped }: AddedFrames, unreadable: number): string {
  const parts = [
    `Added ${counted(added.length, 'image')}.`,
    ...(replaced.length > 0 ? [`Replaced ${counted(replaced.length, 'image')}.`] : []),
    ...(skipped.length > 0 ? [`Skipped ${counted(skipped.length, 'image')} whose names exist.`] : []),
    ...(unreadable > 0 ? [`${counted(unreadable, 'file')} could not be used.`] : []),
  ];
  return parts.join(' ');
}

/** Sentences about images whose names exist. */
function notesOf({ replaced, skipped, renamed }: AddedFrames, earlier: readonly FrameRow[]): string[] {
  const before = new Map(earlier.map((row) => [row.frame, row]));
  return [
    ...skipped.map(({ name }) => `${name} was skipped: a frame has this name.`),
    ...renamed.map(([from, to]) => `${from} was added as ${to}: a frame has its name.`),
    ...replaced.map(({ frame, name, width, height }) => {
      const old = before.get(frame);
      const isSame = old === undefined || (old.width === width && old.height === height);
      const sizes = `from ${old?.width} × ${old?.height} to ${width} × ${height} pixels`;
      return isSame
        ? `The image of ${name} was replaced.`
        : `The image of ${name} was replaced, and its size changed ${sizes}: objects keep their coordinates.`;
    }),
  ];
}
