import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BucketClient } from '../../buckets/bucket-client.ts';
import type { ReadFrameFile } from '../../media/read-frames.ts';
import { readObjects, type UnreadObject } from '../../media/read-objects.ts';
import { AppError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import type { JobRepository } from '../tables/job-repository.ts';
import {
  awaitsImages,
  isUnread,
  type FrameRow,
  type MediaRepository,
  type MediaRow,
} from '../tables/media-repository.ts';
import type { TaskRepository } from '../tables/task-repository.ts';
import { createSentImages, type ReadingProgress, type Waiting } from './sent-images.ts';
import { storedFrame } from './task-media.ts';

/** Frames that are read in one worker task and stored in one transaction. */
const portion = 256;

/**
 * A window that opens the job or shows a frame needs the CPU more than the frames that are not requested. The reading
 * pauses until this time after the last requested frame, but not longer than the limit for one portion. Milliseconds.
 */
const pause = { opening: 1500, afterFrame: 300, limit: 2000 } as const;

/** The frames stay unread, so that the reading continues when the folder is back. */
const folderAway = (file: string) =>
  new AppError(
    'invalid',
    `Cannot read the images: the folder ${dirname(file)} is not available. Connect its disk, or restore the folder, and try again.`,
  );

/** Images that were sent are read when they arrive. */
const hasOwnFiles = ({ storage, cloud_storage_id: storageId }: MediaRow): boolean =>
  storage === 'local' && storageId === null;

function unreadObject(medium: MediaRow, row: FrameRow): UnreadObject | undefined {
  const { object } = storedFrame(medium, row);
  return object && { ...object, identity: row.identity ?? '' };
}

interface PreparationDependencies {
  readonly media: MediaRepository;
  readonly tasks: Pick<TaskRepository, 'get'>;
  readonly jobs: Pick<JobRepository, 'get'>;
  readonly workers: Pick<WorkerPool, 'run'>;
  readonly clientOf: (storageId: number) => BucketClient;
  readonly log: Logger;
}

/** Reading of one medium, shared by all that wait for it. */
interface Reading {
  readonly left: Set<number>;
  readonly total: number;
  /** The frame that a user looked at last: the next portion starts with it. */
  wanted: number;
  /** Time until which the reading leaves the CPU to the window. */
  pausedUntil: number;
  waiting: number;
  /** Sentences that no listener has received. */
  warnings: string[];
  readonly listeners: Set<NonNullable<Waiting['onProgress']>>;
  readonly done: Promise<void>;
}

export interface FramesOwner {
  readonly kind: 'project' | 'task' | 'job';
  readonly id: number;
}

const newReading = (left: readonly number[], total: number): Omit<Reading, 'done'> => ({
  left: new Set(left),
  total,
  wanted: 0,
  pausedUntil: performance.now() + pause.opening,
  waiting: 0,
  warnings: [],
  listeners: new Set(),
});

/** The next frames in order of need: from the wanted one to the end, then from the start. */
function nextOf({ left, wanted, total }: Omit<Reading, 'done'>): number[] {
  const next: number[] = [];
  for (let step = 0; step < total && next.length < Math.min(portion, left.size); step += 1) {
    const frame = (wanted + step) % total;
    if (left.has(frame)) next.push(frame);
  }
  return next;
}

/** Does not wait if others than the window need all frames, for example an export. */
async function pauseOf(reading: Omit<Reading, 'done'>, signal: AbortSignal): Promise<void> {
  const latest = performance.now() + pause.limit;
  const left = (): number => Math.min(reading.pausedUntil, latest) - performance.now();
  while (reading.waiting <= 1 && left() > 0) await sleep(Math.min(left(), 50), undefined, { signal });
}

export type FramePreparation = ReturnType<typeof createFramePreparation>;

/**
 * Reads sizes and identities of listed frames after their task has opened. A frame that is asked for is read at once;
 * all others are read in portions, from the frame that a user looked at last on. Each portion is stored, so that a
 * restart continues after it.
 */
export function createFramePreparation({ media, tasks, jobs, workers, clientOf, log }: PreparationDependencies) {
  const readings = new Map<number, Reading>();
  const single = new Map<string, Promise<void>>();
  const ending = new AbortController();
  const sending = createSentImages({ media, workers, ending: ending.signal });

  async function readRows(mediaId: number, rows: readonly FrameRow[], signal: AbortSignal): Promise<ReadFrameFile[]> {
    const medium = media.get(mediaId);
    const objects = medium === undefined ? [] : rows.flatMap((row) => unreadObject(medium, row) ?? []);
    const files = rows.flatMap(({ frame, name, file }) => (file === null ? [] : [{ frame, path: name, file }]));
    const read =
      objects.length > 0 && medium?.cloud_storage_id
        ? await readObjects(clientOf(medium.cloud_storage_id), objects, signal)
        : await workers.run('readFrames', files, { signal });
    const away = read.find(({ isAway }) => isAway);
    media.storeRead(
      mediaId,
      read.filter(({ isAway }) => !isAway),
    );
    if (away && objects.length > 0) throw new AppError('invalid', `Cannot read the images: ${away.problem}`);
    if (away) throw folderAway(rows.find(({ frame }) => frame === away.frame)?.file ?? '');
    return read;
  }

  async function readAll(mediaId: number, reading: Omit<Reading, 'done'>): Promise<void> {
    while (reading.left.size > 0) {
      ending.signal.throwIfAborted();
      // All that waited have given up, or the task was deleted: what is stored stays.
      if (reading.waiting === 0 || media.get(mediaId) === undefined) return;
      await pauseOf(reading, ending.signal);
      const numbers = nextOf(reading);
      const rows = numbers.flatMap((frame) => media.frame(mediaId, frame) ?? []);
      const read = await readRows(mediaId, rows.filter(isUnread), ending.signal);
      reading.warnings.push(...read.flatMap(({ warnings }) => warnings));
      for (const frame of numbers) reading.left.delete(frame);
      const { left, total, warnings } = reading;
      for (const listener of reading.listeners) listener({ read: total - left.size, total, unsent: 0 }, warnings);
      if (reading.listeners.size > 0) reading.warnings = [];
    }
    media.endReading(mediaId);
  }

  function readingOf(mediaId: number, size: number): Reading {
    const running = readings.get(mediaId);
    if (running) return running;
    const reading = newReading(media.unreadFrames(mediaId), size);
    // Starts after this turn, when the caller waits for it.
    const done = Promise.resolve()
      .then(() => readAll(mediaId, shared))
      .finally(() => readings.delete(mediaId));
    const shared: Reading = Object.assign(reading, { done });
    readings.set(mediaId, shared);
    return shared;
  }

  const service = {
    /** Resolves when all frames are read. Starts the reading if it does not run. */
    async whole(mediaId: number, { signal, onProgress, awaitsSending = false }: Waiting = {}): Promise<void> {
      for (let row = media.get(mediaId); row?.unread === 1; row = media.get(mediaId)) {
        signal?.throwIfAborted();
        if (awaitsImages(row)) {
          if (!awaitsSending) throw sending.refusal(row);
          await sending.change(row, { signal, onProgress });
          continue;
        }
        const reading = readingOf(mediaId, row.size);
        reading.waiting += 1;
        if (onProgress) reading.listeners.add(onProgress);
        const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
        signal?.addEventListener('abort', () => cancel(), { once: true });
        try {
          await Promise.race([reading.done, cancelled]);
        } finally {
          reading.waiting -= 1;
          if (onProgress) reading.listeners.delete(onProgress);
        }
      }
    },
    /** Reads one frame now, and again if its file was not an image. Resolves when its row is stored. */
    async frame(mediaId: number, row: FrameRow | undefined): Promise<void> {
      if (row === undefined || row.width > 0 || row.file === null) return;
      const medium = media.get(mediaId);
      if (medium === undefined || hasOwnFiles(medium)) return;
      const reading = readings.get(mediaId);
      if (reading) {
        reading.wanted = row.frame;
        reading.pausedUntil = performance.now() + pause.afterFrame;
      }
      const key = `${mediaId} ${row.frame}`;
      const running =
        single.get(key) ??
        readRows(mediaId, [row], ending.signal)
          .then((read) => void reading?.warnings.push(...read.flatMap(({ warnings }) => warnings)))
          .finally(() => single.delete(key));
      single.set(key, running);
      await running;
      reading?.left.delete(row.frame);
    },
    sending,
    /** Frames of a medium that are read. */
    progress(mediaId: number): ReadingProgress {
      const row = media.get(mediaId);
      if (row === undefined) return { read: 0, total: 0, unsent: 0 };
      if (row.unread === 0) return { read: row.size, total: row.size, unsent: 0 };
      if (awaitsImages(row)) return sending.progress(row);
      const left = readings.get(mediaId)?.left.size ?? media.unreadFrames(mediaId).length;
      return { read: row.size - left, total: row.size, unsent: 0 };
    },
    /** Reads all frames of a project's tasks, of a task, or of a job's task. Undefined if they are read. */
    wholeOf({ kind, id }: FramesOwner, waiting: Waiting = {}): Promise<void> | undefined {
      const mediaId = kind === 'job' ? jobs.get(id)?.media_id : kind === 'task' ? tasks.get(id)?.media_id : null;
      const all = kind === 'project' ? media.unreadOfProject(id) : [mediaId ?? 0];
      const unread = all.filter((one) => media.get(one)?.unread === 1);
      return unread.length === 0 ? undefined : wholeOfAll(unread, waiting);
    },
    stop(): void {
      ending.abort();
      if (readings.size > 0) log.info('Reading of listed images stops and continues with the next start');
    },
  };
  async function wholeOfAll(unread: readonly number[], waiting: Waiting): Promise<void> {
    for (const one of unread) await service.whole(one, waiting);
  }

  return service;
}
