import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../platform/errors.ts';
import { throwIfCancelled } from './cancellation.ts';
import { damageSentence, refusedDamage } from './damage.ts';
import type { UsableImage } from './filter-images.ts';
import type { PrepareRun } from './media-preparation.ts';
import type { NameAllocator } from './safe-path.ts';
import type { Candidate, Skipped } from './scan.ts';
import { encodePixels } from './video/encode-frame.ts';
import { toolsMissing } from './video/ffmpeg.ts';

/** The quality of `limner frames`. */
const encoding = { format: 'jpeg', quality: 95 } as const;
const kept = 'The given files are unchanged.';

interface VideoImages {
  readonly images: UsableImage[];
  readonly skipped: Skipped[];
  readonly warnings: Skipped[];
}

export interface VideoImageOptions {
  /** Every n-th frame becomes an image. */
  readonly every: number;
  readonly refusesDamaged: boolean;
  readonly run: PrepareRun;
  /** Folder for the files. */
  readonly staging: string;
  readonly names: NameAllocator;
  readonly progress: (fraction: number) => void;
}

/**
 * Writes frames of videos as JPEG images, named by the video and the frame number in it: `film_000123.jpg`. A video that
 * cannot be read is skipped completely.
 */
export async function imagesOfVideos(videos: readonly Candidate[], options: VideoImageOptions): Promise<VideoImages> {
  const found: VideoImages = { images: [], skipped: [], warnings: [] };
  for (const [index, video] of videos.entries()) {
    const progress = (fraction: number) => options.progress((index + fraction) / videos.length);
    const { path } = video;
    const images: UsableImage[] = [];
    try {
      const { total, damage } = await writeImages(video, { ...options, progress }, images);
      found.images.push(...images);
      const reason = `${images.length} of the ${total} frames of ${path} became images.`;
      found.warnings.push(...[damage ?? [], reason].flat().map((sentence) => ({ name: path, reason: sentence })));
    } catch (error) {
      throwIfCancelled(options.run.signal, kept);
      if (!(error instanceof AppError) || !['invalid', 'unavailable'].includes(error.code)) throw error;
      if (error instanceof RefusedVideo) throw error.cause;
      for (const { file } of images) await rm(file, { force: true });
      found.skipped.push({ name: path, reason: error.message });
    }
  }
  return found;
}

/** A refusal that concerns all files, not only the video. */
class RefusedVideo extends AppError {
  constructor(cause: AppError) {
    super(cause.code, cause.message, undefined, { cause });
  }
}

async function writeImages(
  { path, file }: Candidate,
  { every, refusesDamaged, run: { videos, signal }, staging, names, progress }: VideoImageOptions,
  images: UsableImage[],
): Promise<{ readonly total: number; readonly damage: string | undefined }> {
  if (!videos) throw await toolsMissing(`${path} is a video`, 'and add the video again.');
  const probe = await videos.probe(file, { name: path, signal, progress: () => progress(0) });
  const damage = damageSentence(path, probe);
  if (damage !== undefined && refusesDamaged) throw new RefusedVideo(refusedDamage(damage));
  const { frameCount: total } = probe;
  const indices = Array.from({ length: Math.ceil(total / every) }, (_, index) => index * every);
  const stem = path.replace(/\.[^./]{1,10}$/, '');
  for await (const frame of videos.frames(file, indices, signal)) {
    throwIfCancelled(signal, kept);
    const { width, height } = frame;
    const bytes = await encodePixels(frame, encoding);
    const name = names.uniqueName(`${stem}_${String(indices[images.length]).padStart(6, '0')}.jpg`);
    const target = join(staging, names.diskPath(name));
    await mkdir(dirname(target), { recursive: true });
    images.push({ path: name, file: target, origin: 'unpacked', width, height, related: [] });
    await writeFile(target, bytes, { flag: 'wx' });
    progress(images.length / indices.length);
  }
  return { total, damage };
}
