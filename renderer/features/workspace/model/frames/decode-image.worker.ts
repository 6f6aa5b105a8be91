import type { Size } from '../../../../canvas/types.ts';
import type { DecodeAnswer, DecodeRequest } from './image-decoder.ts';
import { reducedSize } from './reduced-size.ts';

/** Scales in two steps, because one averages all pixels only at powers of two. Closes the given bitmap. */
async function reduced(whole: ImageBitmap, target: Size): Promise<ImageBitmap> {
  const halvings = Math.floor(Math.log2(whole.width / target.width));
  const halved = await resized(whole, reducedSize(whole, halvings), 'medium');
  return resized(halved, target, 'low');
}

async function resized(from: ImageBitmap, { width, height }: Size, quality: 'low' | 'medium'): Promise<ImageBitmap> {
  if (from.width === width && from.height === height) return from;
  const bitmap = await createImageBitmap(from, { resizeWidth: width, resizeHeight: height, resizeQuality: quality });
  from.close();
  return bitmap;
}

/** Decodes outside the window's thread: scaling a large image there would delay the next key. */
async function decoded({ id, file, target }: DecodeRequest): Promise<DecodeAnswer> {
  try {
    const whole = await createImageBitmap(file);
    const size = { width: whole.width, height: whole.height };
    if (target === null) return { id, bitmap: whole, size };
    return { id, bitmap: await reduced(whole, target), size };
  } catch (error) {
    return { id, message: error instanceof Error ? error.message : String(error) };
  }
}

globalThis.addEventListener('message', ({ data }: MessageEvent<DecodeRequest>) => {
  void decoded(data).then((answer) =>
    globalThis.postMessage(answer, { transfer: 'bitmap' in answer ? [answer.bitmap] : [] }),
  );
});
