import { createHash } from 'node:crypto';
import type { ModelInput } from '../../../preload/contract/schema/model-files.ts';
import { bytesOf } from '../tensor.ts';
import { pictureTensor, type PreparedPicture } from './image-tensor.ts';
import { readPixels, type ReadPicture } from './read-pixels.ts';

/** About eight images of 1920 × 1080 with their tensors. */
const keptBytes = 96 * 1024 * 1024;
const keptMs = 60_000;

export interface PreparedImage extends PreparedPicture {
  readonly pixels: ReadPicture;
}

interface Kept {
  readonly pixels: Promise<ReadPicture>;
  /** By the JSON of the model's input. */
  readonly tensors: Map<string, PreparedPicture>;
  bytes: number;
}

export type PrepareImage = (image: Uint8Array, input: ModelInput) => Promise<PreparedImage>;

export const prepareImage: PrepareImage = async (image, input) => {
  const pixels = await readPixels(image);
  return { ...pictureTensor(pixels, input), pixels };
};

/**
 * The last images that models were called with, decoded and as tensors. Another call for the same image, with another
 * threshold, phrase or model, decodes nothing.
 */
export function createPreparedImages(): { readonly prepare: PrepareImage; clear(): void } {
  const kept = new Map<string, Kept>();
  let idle: NodeJS.Timeout | undefined;

  function taken(key: string, image: Uint8Array): Kept {
    const known = kept.get(key);
    if (known !== undefined) {
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const one: Kept = { pixels: readPixels(image), tensors: new Map(), bytes: 0 };
    kept.set(key, one);
    one.pixels.then(
      ({ data }) => grow(one, data.byteLength),
      () => kept.delete(key),
    );
    return one;
  }

  function grow(one: Kept, bytes: number): void {
    one.bytes += bytes;
    let total = [...kept.values()].reduce((sum, { bytes: own }) => sum + own, 0);
    for (const [oldest, { bytes: own }] of kept) {
      if (total <= keptBytes || kept.size === 1) return;
      kept.delete(oldest);
      total -= own;
    }
  }

  return {
    async prepare(image, input) {
      clearTimeout(idle);
      idle = setTimeout(() => kept.clear(), keptMs);
      idle.unref();
      const one = taken(createHash('sha256').update(image).digest('base64'), image);
      const pixels = await one.pixels;
      const key = JSON.stringify(input);
      let prepared = one.tensors.get(key);
      if (prepared === undefined) {
        prepared = pictureTensor(pixels, input);
        one.tensors.set(key, prepared);
        grow(one, bytesOf(prepared.tensor));
      }
      return { ...prepared, pixels };
    },
    clear(): void {
      clearTimeout(idle);
      kept.clear();
    },
  };
}
