import { access, readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import {
  dataRequestSchema,
  type SentImages,
  type unsentImagesSchema,
  type unsentImagesWriteSchema,
} from '../../../preload/contract/schema/resources.ts';
import { joinKeys } from '../../media/arrange-objects.ts';
import { unsentMedia } from '../../media/arrange-names.ts';
import { relatedFolder } from '../../media/filter-images.ts';
import { rawDirectory } from '../../media/media-location.ts';
import { safeRelativeName } from '../../media/safe-path.ts';
import { usualImageName } from '../../media/scan.ts';
import type { RequestService } from '../../background-requests/request-service.ts';
import { AppError, invalidField, invalidRequest, notFound } from '../../platform/errors.ts';
import { createDurableFiles } from '../../platform/durable-files.ts';
import { eachInPortions, inPortions } from '../../platform/portions.ts';
import type { Actor } from '../../users/access/actor.ts';
import { awaitsImages, isRemoved, type MediaRow } from '../tables/media-repository.ts';
import type { FrameRow } from '../tables/media-rows.ts';
import {
  alreadyThere,
  preparationOf,
  startWaiting,
  storeMedia,
  type TaskDataDependencies,
} from './task-data-service.ts';
import { mediaDirectory } from './task-media.ts';

/** A received file, which is moved to the task. */
export interface ReceivedImage {
  readonly frame: number;
  readonly path: string;
}

type Dependencies = Pick<
  TaskDataDependencies,
  | 'access'
  | 'tasks'
  | 'jobs'
  | 'media'
  | 'changes'
  | 'clock'
  | 'workers'
  | 'preparation'
  | 'dataDirectory'
  | 'removeDiscarded'
>;

/** Some milliseconds of the thread that answers requests. */
const listedAtOnce = 5000;

/** Tasks whose frames are created by the names of images, before these are sent. */
export function createUnsentImages(dependencies: Dependencies, requests: RequestService) {
  const { access: may, jobs, media, workers, changes, tasks, clock, dataDirectory } = dependencies;
  const { sending } = dependencies.preparation;

  const fileOf = (taskId: number, { file, name }: FrameRow): string =>
    join(rawDirectory({ directory: mediaDirectory(dataDirectory, taskId) }), file ?? name);

  /** The medium of a task whose images were sent, or are sent now. */
  function mediumOf(actor: Actor, id: number, purpose: 'view:metadata' | 'upload:data'): MediaRow {
    const { media_id: mediaId } = may.task(actor, id, purpose);
    const row = mediaId === null ? undefined : media.get(mediaId);
    if (row === undefined) throw invalidRequest('The task has no data yet.');
    return row;
  }

  /** A frame that takes an image: it has none, because the image was not sent or its file was not an image. */
  function takes(row: FrameRow | undefined, medium: MediaRow): row is FrameRow {
    if (medium.kind !== 'images' || medium.storage !== 'local' || medium.cloud_storage_id !== null)
      throw invalidRequest('Cannot take the images: the task was not created by the names of its images.');
    return row !== undefined && row.width === 0 && !isRemoved(row);
  }

  return {
    /** Creates the frames and jobs, and the request that waits for the images. */
    async open(
      actor: Actor,
      id: number,
      { names, image_quality }: z.output<typeof unsentImagesWriteSchema>,
      signal: AbortSignal,
    ): Promise<{ rq_id: string; job_id: number }> {
      const task = may.task(actor, id, 'upload:data');
      if (task.media_id !== null) throw invalidRequest(alreadyThere);
      if (requests.isActive(preparationOf(id)))
        throw new AppError('conflict', 'Cannot create the frames: other files of this task are being prepared.');
      await inPortions(eachInPortions(names, requireName), signal);
      if (new Set(names).size < names.length) throw invalidField('names', 'Each name must occur only once.');
      const prepared = unsentMedia(await workers.run('arrangeNames', { names: joinKeys(names) }, { signal }));
      const request = dataRequestSchema.parse({ image_quality, sorting_method: 'natural' });
      await storeMedia(dependencies, actor, { task, request, prepared, keepReport: () => undefined, signal });
      const [first] = jobs.ofTask(id);
      if (first === undefined) throw notFound('The task was deleted while its frames were created.');
      return { ...startWaiting(requests, actor, task), job_id: first.id };
    },
    /** In parts: a task may have 100,000 frames. */
    list(actor: Actor, id: number, from: number): z.output<typeof unsentImagesSchema> {
      const medium = mediumOf(actor, id, 'view:metadata');
      const unsent = sending.frames(medium);
      const end = Math.min(medium.size, from + listedAtOnce);
      const rows = media.listedFrames(medium.id, from, end - 1).filter(({ frame }) => unsent.has(frame));
      return {
        total: medium.size,
        frames: rows.map(({ frame }) => frame),
        names: rows.map(({ name }) => name),
        next: end < medium.size && unsent.size > 0 ? end : null,
      };
    },
    /** Refuses early, before the files of a form are read. */
    requireOpen: (actor: Actor, id: number) => void mediumOf(actor, id, 'upload:data'),
    /** Frame that an image of a form belongs to; false if it has an image already. */
    takes(actor: Actor, id: number, frame: number): boolean {
      const medium = mediumOf(actor, id, 'upload:data');
      const row = media.frame(medium.id, frame);
      if (row === undefined) throw notFound(`Cannot take images[${frame}]: the task has no frame ${frame}.`);
      return takes(row, medium);
    },
    /** Moves synced files to their frames, and reads them. */
    async take(actor: Actor, id: number, files: readonly ReceivedImage[]): Promise<SentImages> {
      const medium = mediumOf(actor, id, 'upload:data');
      const disk = createDurableFiles();
      const moved: { frame: number; path: string; file: string }[] = [];
      const folders = new Set<string>();
      for (const { frame, path } of files) {
        const row = media.frame(medium.id, frame);
        if (!takes(row, medium)) continue;
        const file = fileOf(id, row);
        if (!folders.has(dirname(file))) await disk.makeFolder(dirname(file));
        folders.add(dirname(file));
        await disk.rename(path, file);
        moved.push({ frame, path: row.name, file });
      }
      await disk.sync();
      const read = await sending.read(medium.id, moved);
      const results = read.map(({ frame, width, height, problem }) => {
        return { frame, width, height, ...(problem === null ? {} : { problem }) };
      });
      const stored = media.get(medium.id);
      return { results, unsent: stored === undefined ? 0 : sending.left(stored) };
    },
    /** Excludes the frames whose images were not sent. */
    remove(actor: Actor, id: number): void {
      const medium = mediumOf(actor, id, 'upload:data');
      const rows = [...sending.frames(medium)].flatMap((frame) => media.frame(medium.id, frame) ?? []);
      changes.run(actor, { tasks: [id] }, () => {
        const unsent = { width: 0, height: 0, identity: null };
        const given = rows.map(({ frame, name }) => ({ ...unsent, frame, problem: `${name} was not sent.` }));
        sending.giveUp(medium.id, given);
        tasks.touch(id, clock());
      });
    },
    /** Reads images that a process stored before it ended, without storing their sizes. */
    async findStored(id: number): Promise<void> {
      const mediaId = tasks.get(id)?.media_id ?? null;
      const medium = mediaId === null ? undefined : media.get(mediaId);
      if (medium === undefined || !awaitsImages(medium)) return;
      const raw = rawDirectory({ directory: mediaDirectory(dataDirectory, id) });
      const stored = new Set(await filesBelow(raw));
      if (stored.size === 0) return;
      const unsent = sending.frames(medium);
      for (let from = 0; from < medium.size; from += listedAtOnce) {
        const rows = media.frames(medium.id, from, from + listedAtOnce - 1);
        const there = rows.filter(({ frame, file, name }) => unsent.has(frame) && stored.has(file ?? name));
        const files = there.map((row) => ({ frame: row.frame, path: row.name, file: fileOf(id, row) }));
        if (files.length > 0) await sending.read(medium.id, files);
        await nextTurn();
      }
    },
  };
}

/** Relative paths with slashes. */
async function filesBelow(folder: string): Promise<string[]> {
  if (
    await access(folder).then(
      () => false,
      () => true,
    )
  )
    return [];
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'));
}

/** Names that need a change, or files beside images, are for uploads that are prepared as a whole. */
function requireName(name: string): void {
  if (!usualImageName.test(name) || relatedFolder.test(name) || safeRelativeName(name) !== name)
    throw invalidField('names', `Cannot use the name ${JSON.stringify(name)}: it is not a relative path of an image.`);
}
