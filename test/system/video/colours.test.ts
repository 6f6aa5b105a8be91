import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createMediaFrames } from '../../../main/media/media-frames.ts';
import { findVideoTools } from '../../../main/media/video/ffmpeg.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const tools = await findVideoTools();
if (!tools) throw new Error('This suite needs ffmpeg and ffprobe on the PATH.');

const [width, height] = [320, 180];
const asRange = (range: string, matrix: string) => `scale=out_color_matrix=${matrix}:out_range=${range},format=yuv420p`;
const tags = (matrix: string, range: string) => [
  '-colorspace',
  matrix,
  '-color_primaries',
  matrix,
  '-color_trc',
  matrix,
  '-color_range',
  range,
];
const kinds: Record<string, string[]> = {
  'BT.601, limited': ['-vf', asRange('tv', 'bt601'), ...tags('smpte170m', 'tv')],
  'BT.709, limited': ['-vf', asRange('tv', 'bt709'), ...tags('bt709', 'tv')],
  'BT.709, full': ['-vf', asRange('pc', 'bt709'), ...tags('bt709', 'pc')],
  'BT.601, full': ['-vf', asRange('pc', 'bt601'), ...tags('smpte170m', 'pc')],
  'without a word': ['-pix_fmt', 'yuv420p'],
};

async function rgbOf(picture: Buffer | string): Promise<Buffer> {
  return sharp(picture).removeAlpha().toColourspace('srgb').raw().toBuffer();
}

function differences(a: Buffer, b: Buffer) {
  let [sum, most] = [0, 0];
  for (const [index, value] of a.entries()) {
    const difference = Math.abs(value - (b[index] ?? 0));
    sum += difference;
    most = Math.max(most, difference);
  }
  return { mean: sum / a.length, most };
}

/** Encoding hardly changes the bars. A wrong matrix changes them by 8 on average, a wrong range by more. */
describe.each(Object.entries(kinds))('colours of a video, %s', (name, output) => {
  const folder = sharedFolder();

  it("equal those of ffmpeg's own image, forwards and backwards", async () => {
    const file = join(folder, 'bars.mp4');
    const bars = ['-f', 'lavfi', '-i', `smptebars=size=${width}x${height}:rate=30`, '-frames:v', '40'];
    const codec = ['-c:v', 'libx264', '-qp', '1', '-g', '12'];
    await run(tools.ffmpeg, ['-v', 'error', '-y', ...bars, ...output, ...codec, file]);
    const png = join(folder, 'own.png');
    await run(tools.ffmpeg, ['-v', 'error', '-y', '-i', file, '-vf', "select='eq(n,20)'", '-frames:v', '1', png]);
    const own = await rgbOf(png);
    const media = createMediaFrames();
    try {
      const frames = media.of({ directory: folder, inPlace: true });
      const frame = (videoFrame: number) => ({ path: `${videoFrame}`, file, videoFrame, width, height });
      const original = await frames.originalFrame(frame(20));
      expect(differences(await rgbOf(original.bytes ?? ''), own), name).toEqual({ mean: 0, most: 0 });
      for (const number of [20, 21, 22, 20, 19, 18]) {
        const { mean, most } = differences(await rgbOf(await frames.compressedFrame(frame(number), 95)), own);
        expect(mean, `${number}`).toBeLessThan(1.5);
        expect(most, `${number}`).toBeLessThan(24);
      }
    } finally {
      await media.dispose();
    }
  });
});

describe('pixels with one colour in a compressed frame', () => {
  const folder = sharedFolder();
  const chromaOf = async (pixelFormat: string, quality: number) => {
    const file = join(folder, `${pixelFormat}.mp4`);
    const bars = ['-f', 'lavfi', '-i', `smptebars=size=${width}x${height}:rate=30`, '-frames:v', '4'];
    await run(tools.ffmpeg, ['-v', 'error', '-y', ...bars, '-pix_fmt', pixelFormat, '-c:v', 'libx264', file]);
    const media = createMediaFrames();
    try {
      const frame = { path: 'frame', file, videoFrame: 2, width, height };
      const picture = await media.of({ directory: folder, inPlace: true }).compressedFrame(frame, quality);
      return (await sharp(picture).metadata()).chromaSubsampling;
    } finally {
      await media.dispose();
    }
  };

  it('have one in the video, below the quality for viewing single pixels', async () => {
    expect(await chromaOf('yuv420p', 70)).toBe('4:2:0');
    expect(await chromaOf('yuv444p', 70)).toBe('4:4:4');
    expect(await chromaOf('yuv420p', 95)).toBe('4:4:4');
  });
});
