import { openForDisplay, decodeErrorsNamed } from '../../media/decode.ts';
import type { Pixels } from './pixels.ts';

/** Larger images are scaled down before decoding, because models use far fewer pixels. */
const maxPixels = 40_000_000;

export interface ReadPicture extends Pixels {
  /** Size of the original image; the decoded one may be smaller. */
  readonly fullWidth: number;
  readonly fullHeight: number;
}

/** Decodes an image in this process, so that models get pixels and never files. */
export async function readPixels(bytes: Uint8Array): Promise<ReadPicture> {
  return decodeErrorsNamed('The picture', async () => {
    const image = await openForDisplay(bytes, { name: 'The picture' });
    const { width, height, autoOrient } = await image.metadata();
    const full = { width: autoOrient?.width ?? width, height: autoOrient?.height ?? height };
    const shrink = Math.min(1, Math.sqrt(maxPixels / (full.width * full.height)));
    const smaller = shrink < 1 ? image.resize({ width: Math.round(full.width * shrink), kernel: 'linear' }) : image;
    const { data, info } = await smaller.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
    const pixels = { width: info.width, height: info.height, data: threeChannels(data, info.channels) };
    return { ...pixels, fullWidth: full.width, fullHeight: full.height };
  });
}

function threeChannels(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return data;
  const count = data.length / channels;
  const colours = new Uint8Array(count * 3);
  for (let index = 0; index < count; index += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      colours[index * 3 + channel] = data[index * channels + (channels >= 3 ? channel : 0)] ?? 0;
    }
  }
  return colours;
}
