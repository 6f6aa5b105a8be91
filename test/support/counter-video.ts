import sharp from 'sharp';
import type { VideoReader } from '../../main/media/video/video.ts';
import type { RgbPixels } from '../../main/platform/bmp.ts';

/** The frame number that a frame of the counter videos shows: column b is bright if bit b is set. */
export function numberOf({ data, width, height }: RgbPixels): number {
  let number = 0;
  for (let bit = 0; bit < 8; bit += 1) {
    const at = (Math.floor(height / 2) * width + Math.floor(((bit + 0.5) * width) / 8)) * 3;
    if ((data[at] ?? 0) > 128) number |= 1 << bit;
  }
  return number;
}

export async function numbersOf(reader: VideoReader, file: string, frames: readonly number[]): Promise<number[]> {
  const numbers: number[] = [];
  for await (const pixels of reader.frames(file, frames)) numbers.push(numberOf(pixels));
  return numbers;
}

export async function shownBy(picture: Uint8Array): Promise<number> {
  const decoded = sharp(picture).removeAlpha().toColourspace('srgb').raw();
  const { data, info } = await decoded.toBuffer({ resolveWithObject: true });
  return numberOf({ data, width: info.width, height: info.height });
}
