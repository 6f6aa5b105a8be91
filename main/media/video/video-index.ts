import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import { writeAtomically } from '../atomic-write.ts';
import { inputArguments, runTool, type VideoTools } from './ffmpeg.ts';
import { toProbeError } from '../probe.ts';
import { type Complaints, decodeFrames, framesOfPackets, isRising } from './video-frames.ts';

/** A decoded frame is held in memory completely. */
const maxFramePixels = 200_000_000;

const indexSchema = z.object({
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  /** Seconds of one unit of `timestamps`. */
  secondsPerUnit: z.number().positive(),
  /** Presentation time of each frame in units, strictly rising; empty if the file states no usable times. */
  timestamps: z.array(z.number().int()),
  frameCount: z.number().int().positive(),
  /** Indices of frames at which decoding can start. */
  keyframes: z.array(z.number().int()),
  /** True for 4:2:0 chroma subsampling, as in nearly all videos. */
  hasHalfColours: z.boolean().default(false),
  chapters: z
    .array(z.object({ id: z.number().int(), start: z.number(), end: z.number(), title: z.string() }))
    .default([]),
  /** Null if no damage was detected. */
  damage: z
    .object({
      /** Frames that the header states; null if it states no number. */
      promisedFrames: z.number().int().positive().nullable(),
      words: z.string(),
    })
    .nullable()
    .default(null),
});
export type VideoDamage = NonNullable<VideoIndex['damage']>;

/** Frames of a video, in order of decoding and display. */
export type VideoIndex = z.infer<typeof indexSchema>;

export interface IndexOptions {
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
 * Builds the index from packets if their times are complete, so that only the start and the end are decoded. This
 * checks that a packet is a frame and that the file is not truncated. Otherwise decodes the entire video once. Throws
 * `invalid` if there is no frame.
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
  if (frameCount === 0) throw new AppError('invalid', `${options.name} contains no video frame that can be decoded.`);
  const damage = damageOf(frameCount, frames.complaints, stream.statedFrames);
  return { ...known, timestamps: isRising(timestamps) ? timestamps : [], frameCount, keyframes, damage };
}

/** The index stored in `indexDirectory`, built if there is none for this video. A moved video keeps its index. */
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

/** Uses whole seconds, because a copied file keeps its time only roughly. */
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
  if (!stream.success) throw new AppError('invalid', `${options.name} contains no video.`);
  const { width, height, time_base, pix_fmt = '', nb_frames, avg_frame_rate } = stream.data;
  if (width * height > maxFramePixels) {
    throw new AppError(
      'invalid',
      `${options.name} has frames of ${width} × ${height} pixels; the limit is ${Math.floor(maxFramePixels / 1_000_000)} megapixels.`,
    );
  }
  const duration = Number(answer.data?.format?.duration ?? 0);
  // ffmpeg rotates frames upright automatically; a quarter turn swaps the sides.
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
    /** Frame count of the header; null without one. */
    statedFrames: Number(nb_frames) || null,
    /** Estimate if the header has no count. Only for progress. */
    expectedFrames: Number(nb_frames) || Math.round(duration * fraction(avg_frame_rate ?? '')) || 0,
  };
}

/** Names of pixel formats with 4:2:0 chroma subsampling. */
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
 * Truncated files produce a clear message. Otherwise fewer frames than stated are no proof of damage: edit lists
 * exclude some, and codecs that pack frames count them differently. Such a file must also produce an error message of
 * the decoder.
 */
function damageOf(count: number, { ending, other }: Complaints, statedFrames: number | null): VideoDamage | null {
  const promisedFrames = statedFrames !== null && statedFrames > count ? statedFrames : null;
  const words = ending ?? (promisedFrames === null ? undefined : other);
  return words === undefined ? null : { promisedFrames, words: words.slice(0, 200) };
}
