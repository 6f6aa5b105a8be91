import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openSource } from '../formats/io/open-source.ts';
import { AppError } from '../platform/errors.ts';
import { forEachConcurrently, throwIfCancelled } from './cancellation.ts';
import { type Candidate, type Collected, collectLocal, collectUploads, type Skipped, withoutRepeated } from './scan.ts';
import { numbersOf, sortImages } from './frame-order.ts';
import type { PreparedFrame, PreparedMedia, PrepareRequest, PrepareRun } from './media-preparation.ts';
import { identityOfImage } from './read-frames.ts';
import { rawDirectory } from './media-location.ts';
import { moveFiles } from './move-files.ts';
import { parseFrameStep, selectFrames } from './select-frames.ts';
import { createNameAllocator, type NameAllocator } from './safe-path.ts';
import { type FilteredImages, filterImages, type UsableImage } from './filter-images.ts';
import { storageError } from './storage-errors.ts';
import { unpackArchive } from './unpack.ts';
import { damageSentence, refusedDamage, requireWhole } from './damage.ts';
import { toolsMissing } from './video/ffmpeg.ts';
import { imagesOfVideos } from './video-images.ts';

const kept = 'The given files are unchanged.';
/** Progress at the end of each step. */
const share = { collect: 0.02, unpack: 0.5, filterImages: 0.95 } as const;

/**
 * Creates a task's frames from uploaded and local files: unpacks archives, reads every header, sorts, and places the
 * files below `raw/`. Invalid files do not fail the preparation but are returned in `skipped`. Nothing is removed:
 * uploads get a second name below `raw/`, and the caller deletes them when the task is stored. After an error or
 * cancellation, `raw/` is empty.
 *
 * Throws `invalid` if no usable file remains, `storage-full`, or `cancelled`.
 */
export async function prepareTaskMedia(request: PrepareRequest, run: PrepareRun = {}): Promise<PreparedMedia> {
  const { directory } = request.location;
  parseFrameStep(request.frame_filter ?? '');
  await mkdir(directory, { recursive: true });
  if (request.replacesLeft !== true) await requireEmpty(targetOf(request));
  await removeAbandoned(directory);
  const staging = join(directory, `raw.${randomUUID()}.part`);
  await mkdir(staging);
  try {
    return await prepare(request, run, staging);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throwIfCancelled(run.signal, kept);
    throw storageError(
      error,
      `Cannot store the task's media: the disk is full. ${kept} Free some space and try again.`,
    );
  }
}

const targetOf = ({ location, into = '' }: PrepareRequest): string => join(rawDirectory(location), into);

async function requireEmpty(raw: string): Promise<void> {
  const present = await readdir(raw).catch(() => []);
  if (present.length > 0) throw new AppError('invalid', 'Adding more data is not supported');
}

/** Only one run at a time prepares a task, so existing files were left by a crash. */
async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (/^raw\..+\.part$/.test(name)) await rm(join(directory, name), { recursive: true, force: true });
  }
}

async function prepare(request: PrepareRequest, run: PrepareRun, staging: string): Promise<PreparedMedia> {
  const report = run.progress ?? (() => undefined);
  const names = createNameAllocator();
  const collected = await collect(request, run.signal, () => report(0));
  report(share.collect);
  const unpacked = await unpackAll(collected, { run, staging, names }, (fraction) =>
    report(share.collect + fraction * (share.unpack - share.collect)),
  );
  const start = collected.archives.length > 0 ? share.unpack : share.collect;
  const found = await filterImages(unpacked.candidates, {
    keepsLarge: run.keepsLarge ?? false,
    signal: run.signal,
    progress: (fraction) => report(start + fraction * (share.filterImages - start)),
  });
  const made = await framesOf(found.videos, { request, run, staging, names });
  found.images.push(...made.images);
  const skipped = [...collected.skipped, ...unpacked.skipped, ...found.skipped, ...made.skipped];
  await removeUnused(unpacked.candidates, found);
  const renamed = names.renamed.map(({ from, to }) => ({
    name: to,
    reason: `${from} was given more than once; this one is named ${to}.`,
  }));
  const warnings = [...renamed, ...found.warnings, ...made.warnings];
  const placing = { request, run, staging, names, skipped, warnings };
  if (found.images.length > 0) {
    if (request.refusesDamaged === true) requireWhole(found.cutOff);
    const others = request.every === undefined ? found.videos : [];
    skipped.push(
      ...others.map(({ path }) => ({
        name: path,
        reason: `${path} is a video among images; create a separate task for it.`,
      })),
    );
    return prepareImages(sortImages(found.images, request, skipped), placing);
  }
  const [video, another] = found.videos;
  if (!video || request.every !== undefined) throw nothingUsable(skipped);
  if (request.into !== undefined) {
    throw new AppError(
      'invalid',
      `Cannot add ${video.path}: it is a video, and a task with images accepts only images. Create a task for the video. ${kept}`,
    );
  }
  if (another) {
    throw new AppError(
      'invalid',
      `A task can have one video, and ${found.videos.length} were given: ${video.path}, ${another.path}… Create one task for each. ${kept}`,
    );
  }
  return prepareVideo(video, placing);
}

/** Images of the frames of videos that are added to a task of images. */
async function framesOf(
  videos: readonly Candidate[],
  { request, ...options }: { request: PrepareRequest; run: PrepareRun; staging: string; names: NameAllocator },
): Promise<Awaited<ReturnType<typeof imagesOfVideos>>> {
  const { into, every } = request;
  if (into === undefined || every === undefined) return { images: [], skipped: [], warnings: [] };
  return imagesOfVideos(videos, {
    ...options,
    every,
    refusesDamaged: request.refusesDamaged === true,
    progress: (fraction) => options.run.progress?.(share.unpack + fraction * (share.filterImages - share.unpack)),
  });
}

async function collect(request: PrepareRequest, signal: AbortSignal | undefined, beat: () => void): Promise<Collected> {
  const uploads = await collectUploads(request.uploads ?? []);
  const local = await collectLocal(request.local ?? { paths: [] }, signal, beat);
  return {
    candidates: [...uploads.candidates, ...local.candidates],
    archives: [...uploads.archives, ...local.archives],
    skipped: [...uploads.skipped, ...local.skipped],
  };
}

async function unpackAll(
  collected: Collected,
  { run, staging, names }: { run: PrepareRun; staging: string; names: NameAllocator },
  progress: (fraction: number) => void,
): Promise<{ candidates: Candidate[]; skipped: Skipped[] }> {
  const { archives } = collected;
  const own = await withoutRepeated(collected.candidates);
  const named = own.candidates.map((candidate) => ({ ...candidate, path: names.uniqueName(candidate.path) }));
  const parts = [{ candidates: named, skipped: own.skipped }];
  for (const [index, archive] of archives.entries()) {
    const prefix = archives.length > 1 ? `${archive.path.replace(/\.(zip|tar|tgz|tar\.gz)$/i, '')}/` : '';
    parts.push(
      await unpackArchive(archive, {
        openSource: run.openSource ?? openSource,
        target: staging,
        names,
        prefix,
        signal: run.signal,
        progress: (fraction) => progress((index + fraction) / archives.length),
      }),
    );
  }
  return { candidates: parts.flatMap((part) => part.candidates), skipped: parts.flatMap((part) => part.skipped) };
}

async function removeUnused(candidates: readonly Candidate[], { images, videos }: FilteredImages): Promise<void> {
  const used = new Set([...images.flatMap((image) => [image, ...image.related]), ...videos].map(({ file }) => file));
  const unused = candidates.filter(({ file, origin }) => origin === 'unpacked' && !used.has(file));
  await forEachConcurrently(unused, 4, ({ file }) => rm(file, { force: true }));
}

const namedAtMost = 5;

function nothingUsable(skipped: readonly Skipped[]): AppError {
  if (skipped.length === 0)
    return new AppError(
      'invalid',
      'No files were given, or the folder is empty. Choose images, a video or an archive.',
    );
  const some = skipped.slice(0, namedAtMost).map(({ reason }) => reason.replace(/\.$/, ''));
  const more = skipped.length > namedAtMost ? `; and ${skipped.length - namedAtMost} more` : '';
  const count =
    skipped.length === 1
      ? 'The only file given cannot be used'
      : `None of the ${skipped.length} files is an image that can be read`;
  return new AppError('invalid', `${count}: ${some.join('; ')}${more}.`);
}

interface FileMoves {
  readonly request: PrepareRequest;
  readonly run: PrepareRun;
  readonly staging: string;
  readonly names: NameAllocator;
  readonly skipped: Skipped[];
  readonly warnings: readonly Skipped[];
}

function place(files: readonly Candidate[], { request, run, staging, names }: FileMoves): Promise<Map<string, string>> {
  return moveFiles(files, {
    staging,
    names,
    raw: targetOf(request),
    copy: request.copy ?? false,
    signal: run.signal,
    progress: (fraction) => run.progress?.(share.filterImages + fraction * (1 - share.filterImages)),
  });
}

async function prepareImages(images: readonly UsableImage[], placing: FileMoves): Promise<PreparedMedia> {
  const { request, run, skipped, warnings } = placing;
  const range = selectFrames(images.length, request);
  const files = images.flatMap((image) => [image, ...image.related]);
  const placed = await place(files, placing);
  const frames: PreparedFrame[] = [];
  const fileOf = (file: string): string => {
    const name = placed.get(file);
    return name === undefined ? file : [...(request.into === undefined ? [] : [request.into]), name].join('/');
  };
  await forEachConcurrently(range.indices, 4, async (source, frame) => {
    throwIfCancelled(run.signal, kept);
    // The range was computed for this list.
    const { path, file, width, height, related } = images[source] as UsableImage;
    const related_files = related.map((one) => ({ path: one.path, file: fileOf(one.file) }));
    const identity = placed.has(file) ? null : await identityOfImage(file, path);
    frames[frame] = { path, file: fileOf(file), identity, width, height, related_files };
  });
  run.progress?.(1);
  const inPlace = !(request.copy ?? false) && files.some(({ origin }) => origin === 'local');
  return { kind: 'images', frames, skipped, warnings, inPlace, ...numbersOf(range) };
}

async function prepareVideo(video: Candidate, placing: FileMoves): Promise<PreparedMedia> {
  const { request, run, skipped, warnings } = placing;
  if (!run.videos) throw await toolsMissing(`${video.path} is a video`, `and add the video again. ${kept}`);
  const progress = (fraction: number) => run.progress?.(share.unpack + fraction * (share.filterImages - share.unpack));
  const probe = await run.videos.probe(video.file, { name: video.path, signal: run.signal, progress });
  const damage = damageSentence(video.path, probe);
  if (damage !== undefined && request.refusesDamaged === true) throw refusedDamage(damage);
  const range = selectFrames(probe.frameCount, request);
  const placed = await place([video], placing);
  run.progress?.(1);
  const file = placed.get(video.file) ?? video.file;
  const inPlace = video.origin === 'local' && !(request.copy ?? false);
  return {
    kind: 'video',
    video: { ...probe, path: video.path, file },
    frame_indices: range.indices,
    skipped,
    warnings: damage === undefined ? warnings : [...warnings, { name: video.path, reason: damage }],
    inPlace,
    ...numbersOf(range),
  };
}
