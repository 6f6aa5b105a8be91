import type { HeaderReader } from './header-reader.ts';

export type ImageFormat = 'jpeg' | 'png' | 'gif' | 'bmp' | 'webp' | 'tiff' | 'avif';

/** EXIF orientation 1–8; 1 is upright. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Contents of a file's header. `width` and `height` are in pixels as stored, before the orientation is applied. */
export interface ImageHeader {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** Frames of an animation or pages of a TIFF; a minimum if counting would mean reading the entire file. */
  readonly pageCount: number;
  readonly bitsPerChannel: number;
  /** False if the file is truncated: the lower part of the image is missing. */
  readonly isComplete: boolean;
  /** Only for TIFF. */
  readonly samples?: SampleLayout;
}

/** The samples of a pixel in a TIFF file (tags 258, 262, 277, 338, 339). */
export interface SampleLayout {
  readonly bands: number;
  readonly hasAlpha: boolean;
  readonly kind: 'unsigned' | 'signed' | 'float';
  readonly colour: 'gray' | 'rgb' | 'other';
  /** True if zero is white. */
  readonly isInverted: boolean;
  /**
   * True if libvips would show wrong values or nothing: bands other than colour and transparency, signed samples of 8
   * or 16 bits, floats of 16 or 64 bits, Zstandard and LERC.
   */
  readonly needsOwnReader: boolean;
  /** True if bands and values can be chosen. */
  readonly hasOwnReader: boolean;
  /** Rows that are compressed together, and so must be decoded together. */
  readonly rowsTogether: number;
}

/**
 * Reads one format's header. Null for an unusual structure: use the decoder's library instead. Throws {@link
 * BrokenHeader} for a file that cannot be an image, {@link UnsupportedImage} for one without a decoder here.
 */
export type HeaderParser = (reader: HeaderReader) => Promise<ImageHeader | null>;

/** `reason` completes the sentence "x.jpg is a JPEG image, but …". */
export class BrokenHeader extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'BrokenHeader';
  }
}

/** An undamaged file that no decoder here reads. `message` completes the sentence "x.tif …". */
export class UnsupportedImage extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnsupportedImage';
  }
}

export const endsInHeader = 'the file ends inside its header';
