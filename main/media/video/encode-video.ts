import { spawn } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { AppError } from '../../platform/errors.ts';
import { runTool, type VideoTools } from './ffmpeg.ts';

export interface EncodeOptions {
  /** 1 to 100 (best). */
  readonly quality: number;
  readonly signal?: AbortSignal | undefined;
}

/** H.264's rate factor: 0 is lossless, 51 the worst. */
const rateFactor = (quality: number): number => Math.round((51 * (100 - quality)) / 99);

/** The first encoder that the installed ffmpeg supports is used. */
const encoders: readonly { readonly name: string; readonly options: (quality: number) => string[] }[] = [
  { name: 'libx264', options: (quality) => ['-preset', 'ultrafast', '-crf', `${rateFactor(quality)}`] },
  {
    name: 'libopenh264',
    options: (quality) => ['-qmin', `${rateFactor(quality)}`, '-qmax', `${rateFactor(quality)}`, '-rc_mode', 'off'],
  },
  { name: 'mpeg4', options: (quality) => ['-qscale:v', `${Math.max(1, Math.round((31 * (100 - quality)) / 99))}`] },
];

const known = new Map<string, Promise<(typeof encoders)[number]>>();

function encoderOf({ ffmpeg }: VideoTools): Promise<(typeof encoders)[number]> {
  const kept = known.get(ffmpeg);
  if (kept) return kept;
  const pending = askEncoders(ffmpeg);
  known.set(ffmpeg, pending);
  pending.catch(() => known.delete(ffmpeg));
  return pending;
}

async function askEncoders(ffmpeg: string): Promise<(typeof encoders)[number]> {
  let text = '';
  for await (const part of runTool(ffmpeg, ['-hide_banner', '-encoders'], { name: 'ffmpeg' })) text += part.toString();
  const found = encoders.find(({ name }) => text.includes(` ${name} `));
  if (found) return found;
  throw new AppError(
    'unavailable',
    'Cannot create video chunks: the ffmpeg of this computer writes neither H.264 nor MPEG-4. Request single frames.',
  );
}

/** Writes images of one size (8-bit RGB) as an MP4 with 25 frames per second; width and height must be even. */
export async function encodeVideo(
  tools: VideoTools,
  { width, height }: { readonly width: number; readonly height: number },
  pictures: AsyncIterable<Uint8Array>,
  target: string,
  { quality, signal }: EncodeOptions,
): Promise<void> {
  const encoder = await encoderOf(tools);
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-r', '25', '-i', 'pipe:0'];
  const even = ['-vf', 'scale=trunc((iw+1)/2)*2:trunc((ih+1)/2)*2', '-pix_fmt', 'yuv420p'];
  const output = ['-c:v', encoder.name, ...encoder.options(quality), '-f', 'mp4', '-y', `file:${target}`];
  const child = spawn(tools.ffmpeg, ['-hide_banner', '-loglevel', 'error', ...input, ...even, ...output], {
    stdio: ['pipe', 'ignore', 'pipe'],
    signal,
  });
  let complaint = '';
  child.stderr.on('data', (part: Buffer) => {
    complaint = `${complaint}${part.toString()}`.slice(-2000);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // If ffmpeg ends first, its exit status says more than the broken pipe.
  const written = pipeline(Readable.from(pictures, { objectMode: true }), child.stdin).catch((error: unknown) => {
    if (!isPipeError(error)) {
      child.kill();
      throw error;
    }
  });
  const [, status] = await Promise.all([written, ended]);
  if (status === 0) return;
  throw new AppError('internal', 'ffmpeg could not write the chunk.', undefined, { cause: complaint });
}

const isPipeError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE');
