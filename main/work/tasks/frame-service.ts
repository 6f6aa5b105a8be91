import type { z } from 'zod';
import type { ChangedFrames, DataMeta, dataMetaPatchSchema } from '../../../preload/contract/schema/resources.ts';
import type { CloudStorageService } from '../../buckets/cloud-storage-service.ts';
import type { MediaFrames } from '../../media/media-frames.ts';
import { createRangeFrames, type RangeFrames } from '../../media/range-frames.ts';
import { AppError, invalidField, invalidRequest } from '../../platform/errors.ts';
import { inPortions } from '../../platform/portions.ts';
import type { Actor } from '../../users/access/actor.ts';
import { jobFrames } from '../jobs/job-rules.ts';
import { chunkTypes } from '../tables/chunk-types.ts';
import { knownFrame, mediaLocation } from './task-media.ts';
import { createFrameChecks } from './frame-checks.ts';
import { createDeletedFrames } from './deleted-frames.ts';
import { createJobFrames, type FramePatch } from './job-frames.ts';
import { createFrameMeta, type FramePart, type FrameRange } from './frame-meta.ts';
import type { FramePreparation } from './frame-preparation.ts';
import { awaitsImages, type FrameRow, isUnread } from '../tables/media-repository.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';

export type { FrameRange } from './frame-meta.ts';
export type FrameService = ReturnType<typeof createFrameService>;

const imageNotSent = (name: string) =>
  new AppError('invalid', `Cannot show ${name}: the image was not sent yet. Send it, and ask again.`);

type Purpose = 'view:data' | 'view:metadata' | 'update:metadata';

/** Frames of a task or job; `media/range-frames.ts` provides their pixels. */
export function createFrameService(
  dependencies: Pick<
    WorkServiceDependencies,
    'media' | 'tasks' | 'jobs' | 'access' | 'changes' | 'clock' | 'dataDirectory'
  > & {
    readonly mediaFrames: MediaFrames;
    readonly preparation: FramePreparation;
    readonly cloudStorages: Pick<CloudStorageService, 'clientFor'>;
  },
) {
  const { media, jobs, access, changes, clock, dataDirectory, mediaFrames, preparation, cloudStorages } = dependencies;
  const { frame, framesOf, rowsOf, meta, metaJson } = createFrameMeta(media);
  const checks = createFrameChecks({ dataDirectory });
  const { replaceDeleted, replaceDisabled, isDisabledHoneypot } = createDeletedFrames(dependencies);

  function range(
    taskId: number,
    mediaId: number | null,
    [first, last]: readonly [first: number, last: number | null],
    included: readonly number[] | null = null,
  ): FrameRange {
    const row = mediaId === null ? undefined : media.get(mediaId);
    if (!row) throw invalidRequest('The task has no data yet.');
    return { taskId, media: row, first, last: last ?? row.size - 1, included };
  }
  const ofTask = (actor: Actor, id: number, purpose: Purpose = 'view:data') =>
    range(id, access.task(actor, id, purpose).media_id, [0, null]);
  function ofJob(actor: Actor, id: number, purpose: Purpose = 'view:data'): FrameRange {
    const job = access.job(actor, id, purpose);
    return range(job.task_id, job.media_id, [job.start_frame, job.stop_frame], jobFrames(job));
  }

  /** States of images used in place are those of the last check, so that the answer does not wait for each file. */
  const statesOf = (target: FrameRange) => checks.known(target, (from, to) => framesOf(target, from, to));
  const described = (target: FrameRange, disabled: readonly number[] = []): DataMeta =>
    meta(target, rowsOf(target), { disabled, states: statesOf(target) });
  const describedJson = (target: FrameRange, disabled: readonly number[] = [], part: FramePart = {}): Promise<Buffer> =>
    inPortions(metaJson(target, { disabled, states: statesOf(target) }, part));

  /** Reads one frame of a listed folder, or all of them. Refuses a frame whose file is not an image. */
  async function prepared(target: FrameRange, number?: number, signal?: AbortSignal): Promise<void> {
    if (number === undefined) return void (await preparation.whole(target.media.id, { signal }));
    await preparation.frame(target.media.id, frame(target, number));
    const row = frame(target, number);
    if (row.problem) throw new AppError('invalid', row.problem);
    if (awaitsImages(target.media) && isUnread(row)) throw imageNotSent(row.name);
  }

  const ready = (target: FrameRange): Promise<FrameRange> => prepared(target).then(() => target);
  const readyTask = async (actor: Actor, id: number) => ready(ofTask(actor, id, 'view:metadata'));
  const readyJob = async (actor: Actor, id: number) => ready(ofJob(actor, id, 'view:metadata'));

  /** Takes the images of a task from another bucket, which must have the same objects. */
  function setCloudStorage(actor: Actor, id: number, storageId: number): void {
    const target = ofTask(actor, id, 'update:metadata');
    if (target.media.cloud_storage_id === null)
      throw invalidField('cloud_storage_id', 'The images of this task are not in a cloud storage.');
    cloudStorages.clientFor(actor, storageId);
    media.setCloudStorage(target.media.id, storageId);
  }

  const disabledOf = (id: number) => JSON.parse(jobs.get(id)?.disabled_frames ?? '[]') as number[];

  const oneFrame = createJobFrames({
    media,
    preparation,
    jobs,
    changes,
    clock,
    checks,
    frame,
    disabledOf,
    isDisabledHoneypot,
    replaceDisabled,
  });

  return {
    ofTask,
    ofJob,
    stop: checks.stop,
    prepared,
    /** Sizes are known, as clients expect. */
    taskMeta: async (actor: Actor, id: number): Promise<DataMeta> => described(await readyTask(actor, id)),
    jobMeta: async (actor: Actor, id: number) => described(await readyJob(actor, id), disabledOf(id)),
    /** Both as JSON, written in portions. */
    taskMetaJson: async (actor: Actor, id: number) => describedJson(await readyTask(actor, id)),
    jobMetaJson: async (actor: Actor, id: number) => describedJson(await readyJob(actor, id), disabledOf(id)),
    /** The same at once: frames that are not read have the width 0. */
    listedFramesJson: (actor: Actor, id: number, part: FramePart) =>
      describedJson(ofJob(actor, id, 'view:metadata'), disabledOf(id), part),
    readingProgress: (actor: Actor, id: number) => preparation.progress(ofJob(actor, id, 'view:metadata').media.id),
    /** Images used in place that have changed on disk. Checks all of them. */
    changedFrames(actor: Actor, id: number): Promise<ChangedFrames> {
      const target = ofTask(actor, id, 'view:metadata');
      return checks.changed(target, (from, to) => framesOf(target, from, to));
    },
    jobFrame: (actor: Actor, id: number, number: number) =>
      oneFrame.described(ofJob(actor, id, 'view:metadata'), id, number),
    updateJobFrame: (actor: Actor, id: number, number: number, body: FramePatch) =>
      oneFrame.update(actor, { target: ofJob(actor, id, 'update:metadata'), id, number }, body),
    async updateTaskMeta(actor: Actor, id: number, body: z.output<typeof dataMetaPatchSchema>): Promise<DataMeta> {
      if (typeof body.cloud_storage_id === 'number') setCloudStorage(actor, id, body.cloud_storage_id);
      const target = ofTask(actor, id, 'update:metadata');
      await prepared(target);
      if (body.deleted_frames !== undefined) replaceDeleted(actor, target, body, null);
      return described(target);
    },
    async updateJobMeta(actor: Actor, id: number, body: z.output<typeof dataMetaPatchSchema>): Promise<DataMeta> {
      const target = ofJob(actor, id, 'update:metadata');
      await prepared(target);
      const row = jobs.get(id);
      if (row?.type === 'ground_truth') replaceDisabled(actor, row, body);
      else replaceDeleted(actor, target, body, id);
      return described(target, disabledOf(id));
    },
    of: (target: FrameRange): RangeFrames =>
      createRangeFrames(mediaFrames.of(mediaLocation(dataDirectory, target.taskId, target.media)), {
        first: target.first,
        last: target.last,
        included: target.included,
        chunkSize: target.media.chunk_size,
        imageQuality: target.media.image_quality,
        // Selected frames of a video are not consecutive, so their chunks contain images.
        chunksAs:
          target.included === null
            ? chunkTypes({ media_kind: target.media.kind, zip_chunks: target.media.zip_chunks })
            : undefined,
        frame: (number) => knownFrame(target.media, frame(target, number)),
        frames: (first, last) => framesOf(target, first, last).map((row) => knownFrame(target.media, row)),
      }),
    pictures: mediaFrames.pictures,
    frames: (target: FrameRange): FrameRow[] => framesOf(target, target.first, target.last),
    frame,
  };
}
