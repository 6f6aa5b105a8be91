import { type SampleLayout, UnsupportedImage } from './image-header.ts';

export type DirectoryValue = (tag: number) => number | undefined;

const tag = {
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  tileLength: 323,
  extraSamples: 338,
  sampleFormat: 339,
} as const;

/** None, CCITT, LZW, JPEG, Deflate (two numbers), WebP, PackBits. */
const byLibrary = new Set([1, 2, 3, 4, 5, 7, 8, 32946, 50001, 32773]);
/** None, LZW, JPEG, Deflate, PackBits, LERC, Zstandard. */
const byOwnReader = new Set([1, 5, 7, 8, 32946, 32773, 34887, 50000]);

const compressionNames: Readonly<Record<number, string>> = {
  6: 'old JPEG',
  34661: 'JBIG',
  34676: 'SGI LogLuv',
  34677: 'SGI LogLuv',
  34712: 'JPEG 2000',
  34887: 'LERC',
  34892: 'lossy JPEG',
  34925: 'LZMA',
  34933: 'PNG',
  34934: 'JPEG XR',
  50000: 'Zstandard',
  50001: 'WebP',
  50002: 'JPEG XL',
  52546: 'JPEG XL',
};

const photometricNames: Readonly<Record<number, string>> = {
  8: 'CIE L*a*b*',
  9: 'ICC L*a*b*',
  10: 'ITU L*a*b*',
  32803: 'colour filter array (camera raw)',
  32844: 'LogL',
  32845: 'LogLuv',
  34892: 'linear raw',
};

/** Samples of a colour by photometric interpretation: white or black is zero, RGB, palette, mask, CMYK, YCbCr. */
const colourSamples: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 3, 3: 1, 4: 1, 5: 4, 6: 3 };
/** Associated and unassociated transparency in tag 338; 0 is a band of any meaning, such as infrared. */
const isAlpha = (extra: number | undefined): boolean => extra === 1 || extra === 2;
const kinds = { 1: 'unsigned', 2: 'signed', 3: 'float', 4: 'unsigned' } as const;
const ownBits = { unsigned: [8, 10, 12, 14, 16, 32], signed: [8, 16, 32], float: [16, 32, 64] } as const;

/** Layout of a TIFF page for decoders. Throws {@link UnsupportedImage} if no decoder here reads it. */
export function sampleLayoutOf(value: DirectoryValue): SampleLayout {
  const count = value(tag.samplesPerPixel) ?? 1;
  const bits = value(tag.bitsPerSample) ?? 1;
  const photometric = value(tag.photometric) ?? 1;
  const compression = value(tag.compression) ?? 1;
  const format = value(tag.sampleFormat) ?? 1;
  const kind = kinds[format as keyof typeof kinds] as SampleLayout['kind'] | undefined;
  if (kind === undefined)
    throw new UnsupportedImage('contains complex numbers, which cannot be displayed. Save their magnitude');
  const colours = colourSamples[photometric];
  if (colours === undefined) {
    throw new UnsupportedImage(
      `has the colour space ${photometricNames[photometric] ?? `number ${photometric}`}, which cannot be shown here. Save it as RGB`,
    );
  }
  const hasAlpha = count === colours + 1 && isAlpha(value(tag.extraSamples));
  const bands = count - (hasAlpha ? 1 : 0);
  const isGray = photometric <= 1;
  const isPlain = bands === colours && (kind === 'unsigned' ? isLibraryDepth(bits) : bits === 32);
  const needsOwnReader = !isPlain || !byLibrary.has(compression);
  const facts = { compression, photometric, kind, bits, count };
  if (needsOwnReader) requireOwnReader(facts);
  // JPEG compression with 12 bits per sample: both decoders read only 8.
  if (compression === 7 && bits > 8) throw new UnsupportedImage(`is compressed as JPEG of ${bits} bits. ${saveAgain}`);
  return {
    bands,
    hasAlpha,
    kind,
    colour: isGray ? 'gray' : photometric === 2 ? 'rgb' : 'other',
    isInverted: photometric === 0,
    needsOwnReader,
    hasOwnReader: byOwnReader.has(compression) && hasOwnLayout(facts),
    rowsTogether: value(tag.tileLength) ?? value(tag.rowsPerStrip) ?? value(tag.height) ?? 1,
  };
}

const saveAgain = 'Save it with LZW, Deflate or Zstandard compression';
const isLibraryDepth = (bits: number): boolean => [1, 2, 4, 8, 16, 32].includes(bits);

interface OwnReaderFacts {
  readonly compression: number;
  readonly photometric: number;
  readonly kind: SampleLayout['kind'];
  readonly bits: number;
  readonly count: number;
}

const hasOwnLayout = ({ photometric, kind, bits }: Pick<OwnReaderFacts, 'photometric' | 'kind' | 'bits'>): boolean =>
  photometric <= 2 && (ownBits[kind] as readonly number[]).includes(bits);

function requireOwnReader({ compression, photometric, kind, bits, count }: OwnReaderFacts): void {
  if (!byOwnReader.has(compression)) {
    const name = compressionNames[compression] ?? `number ${compression}`;
    throw new UnsupportedImage(`has the compression ${name}, which cannot be read here. ${saveAgain}`);
  }
  if (!hasOwnLayout({ photometric, kind, bits })) {
    throw new UnsupportedImage(
      `has ${count} ${kind} ${count === 1 ? 'sample' : 'samples'} of ${bits} bits a pixel, which cannot be shown here. ` +
        'Save it as gray or RGB of 8, 16 or 32 bits',
    );
  }
}
