import type { FrameMatch } from '../kit/task-data.ts';

/** An image that a file names. Formats may try several names for one image until a frame matches. */
export interface StatedImage {
  readonly index: number;
  readonly tried: FrameMatch[];
  frame: number | null;
}

const keyOf = ({ name, frame, subset = '' }: FrameMatch): string => `${subset}\u0000${name ?? `#${frame ?? ''}`}`;

/** Counts the images of a file in the order in which the importer looks up their frames. */
export function createImageTally() {
  const images: StatedImage[] = [];
  const byKey = new Map<string, StatedImage>();
  let last: StatedImage | undefined;
  return {
    images,
    /** The image that an importer looks up, new or repeated; undefined for a guess that refers to no image. */
    image(item: FrameMatch): StatedImage | undefined {
      const key = keyOf(item);
      const known = byKey.get(key);
      if (known) {
        last = known;
        return known;
      }
      // Another candidate name for an image that matched nothing so far.
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
