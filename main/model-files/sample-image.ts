import sharp from 'sharp';
import { sampleSvg } from '../../preload/contract/sample-image.ts';

let rendered: Promise<Buffer> | null = null;

/** The sample image as PNG. */
export function sampleImage(): Promise<Buffer> {
  rendered ??= sharp(Buffer.from(sampleSvg)).png().toBuffer();
  return rendered;
}
