import type { ModelInput } from '../../../preload/contract/schema/model-files.ts';
import { bytesOf, levelsOf } from '../tensor.ts';
import { pictureTensor, type PreparedPicture } from './image-tensor.ts';
import { readPixels, type ReadPicture } from './read-pixels.ts';

/** About four images of 1920 × 1080 with their tensors. At least the last image is kept. */
const keptBytes = 32 * 1024 * 1024;
const keptMs = 60_000;

export interface PreparedImage extends PreparedPicture {
  readonly pixels: ReadPicture;
}

interface Kept {
  readonly image: Uint8Array;
  readonly pixels: Promise<ReadPicture>;
  /** By the JSON of the model's input. */
  readonly tensors: Map<string, PreparedPicture>;
  bytes: number;
  /** Number of calls that read the image now. */
  users: number;
}

export type PrepareImage = (image: Uint8Array, input: ModelInput) => Promise<PreparedImage>;

export const prepareImage: PrepareImage = async (image, input) => {
  const pixels = await readPixels(image);
  return { ...pictureTensor(pixels, input), pixels };
};

/**
 * The last images that models were called with, decoded and as tensors. Another call for the same image, with another
 * threshold, phrase or model, decodes nothing.
 *
 * The memory of dropped images is freed at once. Otherwise each frame of a batch would add megabytes outside the heap,
 * and V8 would collect the complete heap after every second frame.
 */
export function createPreparedImages(): {
  /** The images are valid until the work ends. */
  use<Result>(work: (prepare: PrepareImage) => Promise<Result>): Promise<Result>;
  clear(): void;
} {
  /** The last used one is at the end. */
  let kept: Kept[] = [];
  let idle: NodeJS.Timeout | undefined;

  function taken(image: Uint8Array): Kept {
    const known = kept.find((one) => Buffer.compare(one.image, image) === 0);
    const one: Kept = known ?? { image, pixels: readPixels(image), tensors: new Map(), bytes: 0, users: 0 };
    kept = [...kept.filter((other) => other !== one), one];
    if (known !== undefined) return one;
    one.pixels.then(
      ({ data }) => grow(one, data.byteLength),
      () => (kept = kept.filter((other) => other !== one)),
    );
    return one;
  }

  function grow(one: Kept, bytes: number): void {
    one.bytes += bytes;
    let total = kept.reduce((sum, { bytes: own }) => sum + own, 0);
    while (total > keptBytes && kept.length > 1) {
      const dropped = kept.shift() as Kept;
      total -= dropped.bytes;
      freeUnused(dropped);
    }
  }

  function freeUnused(one: Kept): void {
    if (one.users > 0 || kept.includes(one)) return;
    one.pixels.then(
      ({ data }) => free(data),
      () => undefined,
    );
    // Other data may be on its way to a server after its call was cancelled. Levels are not: see RuntimeChannel.
    for (const { tensor } of one.tensors.values()) for (const levels of levelsOf(tensor)) free(levels);
    one.tensors.clear();
  }

  function clear(): void {
    clearTimeout(idle);
    const dropped = kept;
    kept = [];
    for (const one of dropped) freeUnused(one);
  }

  async function prepareOnce(one: Kept, input: ModelInput): Promise<PreparedImage> {
    const pixels = await one.pixels;
    const key = JSON.stringify(input);
    let prepared = one.tensors.get(key);
    if (prepared === undefined) {
      prepared = pictureTensor(pixels, input);
      one.tensors.set(key, prepared);
      grow(one, bytesOf(prepared.tensor));
    }
    return { ...prepared, pixels };
  }

  return {
    async use(work) {
      const used: Kept[] = [];
      try {
        return await work((image, input) => {
          clearTimeout(idle);
          idle = setTimeout(clear, keptMs);
          idle.unref();
          const one = taken(image);
          one.users += 1;
          used.push(one);
          return prepareOnce(one, input);
        });
      } finally {
        for (const one of used) {
          one.users -= 1;
          freeUnused(one);
        }
      }
    },
    clear,
  };
}

function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
