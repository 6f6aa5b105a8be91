import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import { writeAtomically } from '../atomic-write.ts';
import { inputArguments, runTool, type VideoTools } from './ffmpeg.ts';
import { toProbeError } from '../probe.ts';
import { type Complaints, decodeFrames, framesOfPackets, isRising } from './video-frames.ts';

/** A decoded frame is held whole. */
const maxFramePixels = 200_000_000;

const indexSchema = z.object({
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  /** Seconds of one unit of `timestamps`. */
  secondsPerUnit: z.number().positive(),
  /** Presentation time of each frame in units, strictly rising; empty when the file states no usable times. */
  timestamps: z.array(z.number().int()),
  frameCount: z.number().int().positive(),
  /** Indices of frames at which decoding can start. */
  keyframes: z.array(z.number().int()),
  /** It keeps its colours at half the resolution of its brightness, as nearly all videos do. */
  hasHalfColours: z.boolean().default(false),
  /** Of the file: `start` and `end` in seconds. */
  chapters: z
    .array(z.object({ id: z.number().int(), start: z.number(), end: z.number(), title: z.string() }))
    .default([]),
  /** Null for a whole file, as far as one can tell. */
  damage: z
    .object({
      /** Frames that the header states; null where it states no number. */
      promisedFrames: z.number().int().positive().nullable(),
      /** What the decoder said about it. */
      words: z.string(),
    })
    .nullable()
    .default(null),
});
export type VideoDamage = NonNullable<VideoIndex['damage']>;

/** Which frames a video has, in the order in which they are decoded and shown. */
export type VideoIndex = z.infer<typeof indexSchema>;

export interface IndexOptions {
  /** How people know the file. */
  readonly name: string;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((fraction: number) => void) | undefined;
}

const streamSchema = z.object({
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  time_base: z.string(),
  pix_fmt: z.string().optional(),
  nb_frames: z.string().optional(),
  avg_frame_rate: z.string().optional(),
  tags: z.object({ rotate: z.string().optional() }).optional(),
  side_data_list: z.array(z.looseObject({ rotation: z.number().optional() })).optional(),
});
const probeSchema = z.object({
  streams: z.array(z.unknown()),
  format: z.looseObject({ duration: z.string().optional() }).optional(),
  chapters: z.array(z.unknown()).optional(),
});
const chapterSchema = z.object({
  id: z.number().int(),
  start_time: z.coerce.number(),
  end_time: z.coerce.number(),
  tags: z.object({ title: z.string().optional() }).optional(),
});

/**
 * The frames of a video by its packets where their times say it all, which costs no decoding: only its beginning and its
 * end are decoded, to see that a packet is a frame and that the file goes as far as it says. Otherwise the whole video is
 * decoded once. Fails with `invalid` when there is no frame.
 */
async function buildVideoIndex(tools: VideoTools, file: string, options: IndexOptions): Promise<VideoIndex> {
  const stream = await readStream(tools, file, options);
  const { width, height, secondsPerUnit, hasHalfColours, chapters } = stream;
  const known = { width, height, secondsPerUnit, hasHalfColours, chapters };
  const packets = await framesOfPackets(tools, file, { ...options, ...stream });
  if (packets) {
    options.progress?.(1);
    return { ...known, ...packets, frameCount: packets.timestamps.length, damage: null };
  }
  const frames = await decodeFrames(tools, file, {
    ...options,
    onCount(count) {
      if (stream.expectedFrames > 0) options.progress?.(Math.min(1, count / stream.expectedFrames));
    },
  });
  const { timestamps, keyframes } = frames;
  const frameCount = timestamps.length;
  if (frameCount === 0) throw new AppError('invalid', `${options.name} holds no video frame that can be decoded.`);
  const damage = damageOf(frameCount, frames.complaints, stream.statedFrames);
  return { ...known, timestamps: isRising(timestamps) ? timestamps : [], frameCount, keyframes, damage };
}

/** The index kept in `indexDirectory`, made when there is none of this video. A video that moves keeps its index. */
export async function loadVideoIndex(
  tools: VideoTools,
  file: string,
  indexDirectory: string,
  options: IndexOptions,
): Promise<VideoIndex> {
  const indexFile = join(indexDirectory, `${await identityOf(file, options.name)}.json`);
  const known = await readIndex(indexFile);
  if (known) return known;
  const index = await buildVideoIndex(tools, file, options);
  await writeAtomically(indexFile, (temporary) => writeFile(temporary, JSON.stringify(index)));
  return index;
}

async function readIndex(indexFile: string): Promise<VideoIndex | undefined> {
  try {
    return indexSchema.parse(JSON.parse(await readFile(indexFile, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Whole seconds, because a copied file keeps its time only roughly. */
async function identityOf(file: string, name: string): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(file);
    return `${size}-${Math.trunc(mtimeMs / 1000)}`;
  } catch (error) {
    throw toProbeError(error, name);
  }
}

async function readStream(tools: VideoTools, file: string, options: IndexOptions) {
  const args = [
    '-v',
    'error',
    '-select_streams',
    'v:0',
    '-show_streams',
    '-show_format',
    '-show_chapters',
    '-of',
    'json',
    ...inputArguments(file),
  ];
  const parts: Buffer[] = [];
  for await (const part of runTool(tools.ffprobe, args, options)) parts.push(part);
  const answer = probeSchema.safeParse(JSON.parse(Buffer.concat(parts).toString('utf8')));
  const stream = streamSchema.safeParse(answer.data?.streams[0]);
  if (!stream.success) throw new AppError('invalid', `${options.name} holds no video.`);
  const { width, height, time_base, pix_fmt = '', nb_frames, avg_frame_rate } = stream.data;
  if (width * height > maxFramePixels) {
    throw new AppError(
      'invalid',
      `${options.name} has frames of ${width} × ${height} pixels; the limit is ${Math.floor(maxFramePixels / 1_000_000)} megapixels.`,
    );
  }
  const duration = Number(answer.data?.format?.duration ?? 0);
  // ffmpeg turns frames upright by itself; a quarter turn swaps the sides.
  const isTurned = Math.abs(rotationOf(stream.data)) % 180 === 90;
  return {
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    secondsPerUnit: fraction(time_base) || 1,
    hasHalfColours: halfColours.test(pix_fmt),
    chapters: (answer.data?.chapters ?? []).flatMap((stated) => {
      const chapter = chapterSchema.safeParse(stated);
      if (!chapter.success) return [];
      const { id, start_time: start, end_time: end, tags } = chapter.data;
      return [{ id, start, end, title: tags?.title ?? '' }];
    }),
    /** The header's word; null without one. */
    statedFrames: Number(nb_frames) || null,
    /** Estimated where the header states no number: for progress only. */
    expectedFrames: Number(nb_frames) || Math.round(duration * fraction(avg_frame_rate ?? '')) || 0,
  };
}

/** Names of pixel formats in which two by two pixels share a colour. */
const halfColours = /^(yuvj?420|nv12|nv21|p010)/;

function rotationOf(stream: z.infer<typeof streamSchema>): number {
  const stated = stream.side_data_list?.find((data) => data.rotation !== undefined)?.rotation;
  return stated ?? Number(stream.tags?.rotate ?? 0);
}

function fraction(text: string): number {
  const [above, below] = text.split('/').map(Number);
  return above && below ? above / below : 0;
}

/**
 * A file that ends early says so. Otherwise fewer frames than were promised are no proof: an edit list leaves some out, and
 * codecs that pack frames count them differently. It takes the decoder's complaint as well.
 */
function damageOf(count: number, { ending, other }: Complaints, statedFrames: number | null): VideoDamage | null {
  const promisedFrames = statedFrames !== null && statedFrames > count ? statedFrames : null;
  const words = ending ?? (promisedFrames === null ? undefined : other);
  return words === undefined ? null : { promisedFrames, words: words.slice(0, 200) };
}
