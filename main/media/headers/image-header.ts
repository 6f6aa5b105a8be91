import type { HeaderReader } from './header-reader.ts';

export type ImageFormat = 'jpeg' | 'png' | 'gif' | 'bmp' | 'webp' | 'tiff' | 'avif';

/** EXIF orientation 1–8; 1 is upright. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** What a file's header states; `width` and `height` are in pixels as stored, before the orientation is applied. */
export interface ImageHeader {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** Frames of an animation or pages of a TIFF; a floor where counting would mean reading the whole file. */
  readonly pageCount: number;
  readonly bitsPerChannel: number;
  /** False when the file ends before its picture does: the lower part is missing. */
  readonly isComplete: boolean;
}

/**
 * Reads one format's header. Null: the structure is unusual, ask the decoder's library instead.
 * Fails with {@link BrokenHeader} when the file cannot be an image that anybody could show.
 */
export type HeaderParser = (reader: HeaderReader) => Promise<ImageHeader | null>;

/** `reason` completes the sentence "x.jpg is a JPEG image, but …". */
export class BrokenHeader extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'BrokenHeader';
  }
}

export const endsInHeader = 'the file ends inside its header';
