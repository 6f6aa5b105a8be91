import { sampleSvg } from '../../preload/contract/sample-image.ts';
import { loadSharp } from '../media/load-sharp.ts';

let rendered: Promise<Buffer> | null = null;

/** The sample image as PNG. */
export function sampleImage(): Promise<Buffer> {
  rendered ??= render();
  return rendered;
}

async function render(): Promise<Buffer> {
  const sharp = await loadSharp();
  return sharp(Buffer.from(sampleSvg)).png().toBuffer();
}
