import type { z } from 'zod';
import type { DataMeta, dataMetaPatchSchema } from '../../../preload/contract/schema/resources.ts';
import type { Database } from '../../db/open.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import type { Actor } from '../actor.ts';
import type { JobRepository } from '../jobs/job-repository.ts';
import type { WorkAccess } from '../work-access.ts';
import { frameStoreFor, mediaLocation, storedFrame } from './task-media.ts';
import { frameStep, type FrameRow, type MediaRepository, type MediaRow } from './media-repository.ts';
import type { TaskRepository } from './task-repository.ts';

export type FrameService = ReturnType<typeof createFrameService>;

/** Frames first..last (task-relative) of one medium. */
export interface FrameRange {
  readonly taskId: number;
  readonly media: MediaRow;
  readonly first: number;
  readonly last: number;
}

type Purpose = 'view:data' | 'view:metadata' | 'update:metadata';

/** Which frames a task or job has; the files behind them are the media folder's matter. */
export function createFrameService(dependencies: {
  readonly database: Database;
  readonly media: MediaRepository;
  readonly tasks: TaskRepository;
  readonly jobs: JobRepository;
  readonly access: WorkAccess;
  readonly clock: Clock;
  readonly dataDirectory: string;
}) {
  const { database, media, tasks, jobs, access, clock, dataDirectory } = dependencies;

  function range(taskId: number, mediaId: number | null, first: number, last: number | null): FrameRange {
    const row = mediaId === null ? undefined : media.get(mediaId);
    if (!row) {
      const message = 'The task has no data yet.';
      throw new AppError('invalid', message, [message]);
    }
    return { taskId, media: row, first, last: last ?? row.size - 1 };
  }
  const ofTask = (actor: Actor, id: number, purpose: Purpose = 'view:data') =>
    range(id, access.task(actor, id, purpose).media_id, 0, null);
  function ofJob(actor: Actor, id: number, purpose: Purpose = 'view:data'): FrameRange {
    const job = access.job(actor, id, purpose);
    return range(job.task_id, job.media_id, job.start_frame, job.stop_frame);
  }

  function meta({ media: row, first, last }: FrameRange): DataMeta {
    const step = frameStep(row.frame_filter);
    return {
      chunks_updated_date: row.created_date,
      chunk_size: row.chunk_size,
      size: last - first + 1,
      image_quality: row.image_quality,
      start_frame: row.start_frame + first * step,
      stop_frame: row.start_frame + last * step,
      frame_filter: row.frame_filter,
      frames: media.frames(row.id, first, last).map(presentFrame),
      deleted_frames: media.deletedFrames(row.id, first, last),
      included_frames: null,
      storage: row.storage === 'share' ? 'share' : 'local',
      cloud_storage_id: null,
    };
  }

  function replaceDeleted(
    target: FrameRange,
    body: z.output<typeof dataMetaPatchSchema>,
    touch: (now: string) => void,
  ) {
    const wrong = body.deleted_frames?.find((frame) => frame < target.first || frame > target.last);
    if (wrong !== undefined) throw invalidField('deleted_frames', `There is no frame ${wrong} here.`);
    if (!body.deleted_frames) return;
    const numbers = body.deleted_frames;
    database
      .transaction(() => {
        media.replaceDeletedFrames(target.media.id, target.first, target.last, numbers);
        touch(clock());
      })
      .immediate();
  }

  return {
    ofTask,
    ofJob,
    taskMeta: (actor: Actor, id: number) => meta(ofTask(actor, id, 'view:metadata')),
    jobMeta: (actor: Actor, id: number) => meta(ofJob(actor, id, 'view:metadata')),
    updateTaskMeta(actor: Actor, id: number, body: z.output<typeof dataMetaPatchSchema>): DataMeta {
      const target = ofTask(actor, id, 'update:metadata');
      replaceDeleted(target, body, (now) => tasks.touch(id, now));
      return meta(target);
    },
    updateJobMeta(actor: Actor, id: number, body: z.output<typeof dataMetaPatchSchema>): DataMeta {
      const target = ofJob(actor, id, 'update:metadata');
      replaceDeleted(target, body, (now) => jobs.touch(id, now));
      return meta(target);
    },
    /** Gives out the pixels of the range's frames; see `task-media.ts` for their stored form. */
    store: (target: FrameRange) => frameStoreFor(dataDirectory, target.taskId, target.media),
    location: (target: FrameRange) => mediaLocation(dataDirectory, target.taskId, target.media),
    stored: (target: FrameRange, row: FrameRow) => storedFrame(target.media, row),
    frames: (target: FrameRange, first = target.first, last = target.last): FrameRow[] =>
      media.frames(target.media.id, first, last),
    /** A frame by its task-relative number, which must lie in the range. */
    frame(target: FrameRange, number: number): FrameRow {
      const row = number >= target.first && number <= target.last ? media.frame(target.media.id, number) : undefined;
      if (!row) {
        const message = `There is no frame ${number} here.`;
        throw new AppError('not-found', message, { detail: message });
      }
      return row;
    },
  };
}

function presentFrame(row: FrameRow) {
  return {
    width: row.width,
    height: row.height,
    name: row.name,
    related_files: row.related.length,
    has_related_context: row.related.length > 0,
  };
}
