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
  /** Only of a TIFF. */
  readonly samples?: SampleLayout;
}

/** The samples of a pixel in a TIFF file (tags 258, 262, 277, 338, 339). */
export interface SampleLayout {
  /** Without transparency. */
  readonly bands: number;
  readonly hasAlpha: boolean;
  readonly kind: 'unsigned' | 'signed' | 'float';
  readonly colour: 'gray' | 'rgb' | 'other';
  /** Zero is white. */
  readonly isInverted: boolean;
  /**
   * True where libvips would show something else than the file says, or nothing: bands beyond a colour and its
   * transparency, signed samples of 8 or 16 bits, floats of 16 or 64 bits, Zstandard and LERC.
   */
  readonly needsOwnReader: boolean;
  /** Whether bands and values can be chosen. */
  readonly hasOwnReader: boolean;
  /** Rows that are compressed together: these have to be decoded as one. */
  readonly rowsTogether: number;
}

/**
 * Reads one format's header. Null: the structure is unusual, ask the decoder's library instead.
 * Fails with {@link BrokenHeader} for a file that cannot be an image, with {@link UnsupportedImage} for one that no
 * decoder here reads.
 */
export type HeaderParser = (reader: HeaderReader) => Promise<ImageHeader | null>;

/** `reason` completes the sentence "x.jpg is a JPEG image, but …". */
export class BrokenHeader extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'BrokenHeader';
  }
}

/** An undamaged file of a kind that no decoder here reads. `message` completes the sentence "x.tif …". */
export class UnsupportedImage extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnsupportedImage';
  }
}

export const endsInHeader = 'the file ends inside its header';
