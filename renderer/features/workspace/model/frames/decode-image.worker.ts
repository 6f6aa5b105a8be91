import type { DecodeAnswer, DecodeRequest } from './image-decoder.ts';

/** Decodes outside the window's thread: scaling a large image there would delay the next key. */
async function decoded({ id, file, target }: DecodeRequest): Promise<DecodeAnswer> {
  try {
    const whole = await createImageBitmap(file);
    const size = { width: whole.width, height: whole.height };
    if (target === null) return { id, bitmap: whole, size };
    const bitmap = await createImageBitmap(whole, {
      resizeWidth: target.width,
      resizeHeight: target.height,
      // Averages all pixels at a reduction by powers of two.
      resizeQuality: 'medium',
    });
    whole.close();
    return { id, bitmap, size };
  } catch (error) {
    return { id, message: error instanceof Error ? error.message : String(error) };
  }
}

globalThis.addEventListener('message', ({ data }: MessageEvent<DecodeRequest>) => {
  void decoded(data).then((answer) =>
    globalThis.postMessage(answer, { transfer: 'bitmap' in answer ? [answer.bitmap] : [] }),
  );
});
