import { mkdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { RemovedFrames, RemoveFrames } from '../../../preload/contract/schema/resources.ts';
import { loadSharp } from '../../media/load-sharp.ts';
import { rawDirectory } from '../../media/media-location.ts';
import { createDurableFiles } from '../../platform/durable-files.ts';
import { invalidField, invalidRequest } from '../../platform/errors.ts';
import type { Actor } from '../../users/access/actor.ts';
import { everythingOf, type AnnotationFeed } from '../annotations/annotation-feed.ts';
import type { AnnotationSetRepository } from '../annotations/annotation-set-repository.ts';
import type { FrameObjectsRepository } from '../annotations/frame-objects-repository.ts';
import type { ReplacedAnnotations } from '../annotations/replaced-annotations.ts';
import { type FrameRow, isRemoved, type MediaRow } from '../tables/media-repository.ts';
import { type ReplacedFrameRepository, standInFolder } from '../tables/replaced-frame-repository.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';
import { mediaDirectory } from './task-media.ts';

interface Dependencies extends Pick<
  WorkServiceDependencies,
  'access' | 'tasks' | 'jobs' | 'media' | 'changes' | 'clock' | 'dataDirectory'
> {
  readonly sets: Pick<AnnotationSetRepository, 'live'>;
  readonly replaced: Pick<ReplacedAnnotations, 'takeOut'>;
  readonly frames: ReplacedFrameRepository;
  readonly objects: FrameObjectsRepository;
  readonly news: Pick<AnnotationFeed, 'changed'>;
}

/** Larger stand-ins are scaled down, because they take seconds to write. */
const standInPixels = 64_000_000;

const fileOf = ({ file, name }: FrameRow): string => file ?? name;
const standInOf = ({ width, height }: FrameRow): string =>
  `${standInFolder}/${Math.max(1, width)}x${Math.max(1, height)}.png`;

/**
 * Removes images of frames for good. The frames keep their numbers, as deleted frames with a gray image: see decision
 * 0036.
 */
export function createRemovedFrames(dependencies: Dependencies) {
  const { access, tasks, jobs, media, changes, clock, dataDirectory, sets, replaced, frames, objects, news } =
    dependencies;

  function removable(actor: Actor, id: number): MediaRow {
    const task = access.task(actor, id, 'upload:data');
    const row = task.media_id === null ? undefined : media.get(task.media_id);
    if (row === undefined) throw invalidRequest('Cannot remove frames: the task has no data yet.');
    if (row.kind === 'video') {
      throw invalidRequest(
        'Cannot remove frames for good: the frames of this task are in one video file, so no disk space would be freed. Delete the frames instead.',
      );
    }
    if (row.honeypots_per_job !== null) {
      throw invalidRequest(
        'Cannot remove frames for good: honeypots of this task share the images of its ground truth. Delete the frames instead.',
      );
    }
    if (row.unread === 1) {
      throw invalidRequest(
        'Cannot remove frames: the images of this task are still being read. Try again when its preparation has ended.',
      );
    }
    return row;
  }

  /** Wanted frames that have an image. */
  function chosen(row: MediaRow, wanted = media.deletedFrames(row.id, 0, row.size - 1)): FrameRow[] {
    const missing = wanted.find((frame) => frame >= row.size);
    if (missing !== undefined) {
      throw invalidField('frames', `Frame ${missing} does not exist: the task has the frames 0 to ${row.size - 1}.`);
    }
    const numbers = [...new Set(wanted)].sort((a, b) => a - b);
    return numbers.flatMap((frame) => media.frame(row.id, frame) ?? []).filter((row) => !isRemoved(row));
  }

  /** Live sets of the task's jobs with objects on the frames. */
  const setsWith = (taskId: number, numbers: readonly number[]) =>
    jobs.ofTask(taskId).flatMap(({ id: jobId }) =>
      sets
        .live(jobId)
        .map((set) => ({ jobId, set, count: objects.count(set, numbers) }))
        .filter(({ count }) => count > 0),
    );

  async function counted(taskId: number, rows: readonly FrameRow[]): Promise<Omit<RemovedFrames, 'change'>> {
    const raw = rawDirectory({ directory: mediaDirectory(dataDirectory, taskId) });
    const files = rows.flatMap((row) => [fileOf(row), ...row.related]).filter((file) => !isAbsolute(file));
    let bytes = 0;
    for (const file of new Set(files))
      bytes += await stat(join(raw, file)).then(
        ({ size }) => size,
        () => 0,
      );
    const numbers = rows.map(({ frame }) => frame);
    return {
      frame_count: rows.length,
      object_count: setsWith(taskId, numbers).reduce((sum, { count }) => sum + count, 0),
      bytes,
      files_in_place: rows.filter((row) => isAbsolute(fileOf(row))).length,
    };
  }

  /** Writes a gray image for each size. Clients that download chunks need an image of the frame's size. */
  async function writeStandIns(taskId: number, rows: readonly FrameRow[]): Promise<void> {
    const raw = rawDirectory({ directory: mediaDirectory(dataDirectory, taskId) });
    const disk = createDurableFiles();
    const sizes = new Map(rows.map((row) => [standInOf(row), row]));
    for (const [file, { width, height }] of sizes) {
      const scale = Math.min(1, Math.sqrt(standInPixels / Math.max(1, width * height)));
      const [wide, high] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
      const path = join(raw, file);
      await mkdir(dirname(path), { recursive: true });
      const sharp = await loadSharp();
      await sharp({ create: { width: wide ?? 1, height: high ?? 1, channels: 3, background: '#808080' } })
        .png({ palette: true })
        .toFile(path);
      disk.written(path);
    }
    await disk.sync();
  }

  function remove(actor: Actor, id: number, wanted: readonly number[]): number | null {
    const row = removable(actor, id);
    const rows = chosen(row, [...wanted]);
    const numbers = rows.map(({ frame }) => frame);
    const found = setsWith(id, numbers);
    const jobIds = [...new Set(found.map(({ jobId }) => jobId))];
    return changes.run(actor, { tasks: [id], jobs: jobIds }, () => {
      const now = clock();
      const taken = replaced.takeOut({
        kind: 'frames',
        place: { projectId: null, taskId: id, jobId: null },
        userId: actor.userId,
        detail: detailOf(rows),
      });
      for (const { jobId, set } of found) objects.move(set, numbers, taken.hiddenOf(jobId));
      taken.end(found.reduce((sum, { count }) => sum + count, 0));
      frames.save(taken.id, row.id, numbers);
      const tombstones = rows.map((frame) => ({
        frame: frame.frame,
        file: standInOf(frame),
        problem: `${frame.name} was removed on ${now.slice(0, 10)}.`,
      }));
      frames.bury(row.id, tombstones, now);
      tasks.touch(id, now);
      jobs.touchAll(jobIds, now);
      news.changed({ userId: actor.userId, window: null }, everythingOf(jobIds));
      return taken.id;
    });
  }

  return {
    async remove(actor: Actor, id: number, { frames: wanted, preview }: RemoveFrames): Promise<RemovedFrames> {
      const rows = chosen(removable(actor, id), wanted);
      const facts = await counted(id, rows);
      if (preview || rows.length === 0) return { ...facts, change: null };
      await writeStandIns(id, rows);
      const numbers = rows.map(({ frame }) => frame);
      return { ...facts, change: remove(actor, id, numbers) };
    },
  };
}

const namedAtMost = 3;

/** Names of the first frames, and the number of the others. */
export function detailOf(rows: readonly Pick<FrameRow, 'name'>[]): string {
  const names = rows.slice(0, namedAtMost).map(({ name }) => name);
  const more = rows.length - names.length;
  return more > 0 ? `${names.join(', ')} + ${more}` : names.join(', ');
}
