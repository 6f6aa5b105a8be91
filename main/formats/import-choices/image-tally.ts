import type { FrameMatch } from '../kit/task-data.ts';

/** An image that a file names. Formats may try several names for one image until a frame fits. */
export interface StatedImage {
  /** Place among the images of the file, from 0. */
  readonly index: number;
  readonly tried: FrameMatch[];
  /** The frame that was found, or null. */
  frame: number | null;
}

const keyOf = ({ name, frame, subset = '' }: FrameMatch): string => `${subset}\u0000${name ?? `#${frame ?? ''}`}`;

/** Counts the images of a file in the order in which its importer asks for their frames. */
export function createImageTally() {
  const images: StatedImage[] = [];
  const byKey = new Map<string, StatedImage>();
  let last: StatedImage | undefined;
  return {
    images,
    /** The image that an importer asks for, again or for the first time; undefined for a guess that is about no image. */
    image(item: FrameMatch): StatedImage | undefined {
      const key = keyOf(item);
      const known = byKey.get(key);
      if (known) {
        last = known;
        return known;
      }
      // A further name of an image whose names so far fitted nothing.
      const isFurther = item.isGuess === true;
      if (isFurther && last?.frame !== null) return undefined;
      const image = isFurther && last ? last : { index: images.length, tried: [], frame: null };
      if (!isFurther) images.push(image);
      image.tried.push(item);
      byKey.set(key, image);
      last = image;
      return image;
    },
  };
}
