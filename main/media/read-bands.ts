import { readFile, stat } from 'node:fs/promises';
import type { GeoTIFF, GeoTIFFImage } from 'geotiff';
import type { Sharp } from 'sharp';
import { defaultWindow } from '../../preload/geometry/value-window.ts';
import { defaultBands, screenBands, type Display } from './display.ts';
import type { Orientation, SampleLayout } from './headers/image-header.ts';
import { loadSharp } from './load-sharp.ts';
import type { ImageProbe } from './probe.ts';
import { createRangeFinder, type Samples, type ValueRange } from './value-range.ts';

/** Bytes of samples that are decoded at once. */
const pieceBytes = 64 * 1024 ** 2;
/** 16-bit colours below this come from a 12-bit sensor and would be nearly black. */
const twelveBits = 4096;
type Spread = Pick<ValueRange, 'low' | 'high'>;
const deepest: Readonly<Record<number, Spread>> = { 8: { low: 0, high: 255 }, 16: { low: 0, high: 65_535 } };

/**
 * Chosen bands of a TIFF as an image with 8 bits per channel. Unsigned 8-bit samples and 16-bit colours keep their
 * scale; of all others a percentile range is mapped to 0–255. NaN is black. Upright unless `isTurned` is false. Loops
 * over every sample, so it must not run in the thread that serves requests.
 */
export async function readBands(
  source: string | Uint8Array,
  probe: BandProbe,
  { display, isTurned }: { readonly display: Display; readonly isTurned: boolean },
): Promise<Sharp> {
  const file = await openFile(source);
  try {
    const picture = await readPage(await file.getImage(), probe, display);
    return isTurned ? await upright(picture, probe.orientation) : picture;
  } finally {
    file.close();
  }
}

type BandProbe = ImageProbe & { readonly samples: SampleLayout };

async function readPage(image: GeoTIFFImage, probe: BandProbe, display: Display): Promise<Sharp> {
  const bands = display.bands ?? defaultBands(probe.samples);
  const [width, height] = [image.getWidth(), image.getHeight()];
  const pieces = piecesOf(probe, { width, height });
  const range = await rangeOf(image, pieces, { probe, bands, display });
  const data = Buffer.alloc(width * height * bands.length);
  for (const piece of pieces) {
    for (const [channel, samples] of (await readPiece(image, piece, bands)).entries()) {
      spread(samples, range, data, {
        start: piece[1] * width * bands.length + channel,
        step: bands.length,
        isInverted: probe.samples.isInverted,
      });
    }
  }
  const sharp = await loadSharp();
  const channels = bands.length === 1 ? 1 : 3;
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
}

async function openFile(source: string | Uint8Array): Promise<GeoTIFF> {
  const { fromArrayBuffer, fromFile } = await import('geotiff');
  // Small files are read at once; otherwise each strip would be a separate read.
  const isSmall = typeof source !== 'string' || (await stat(source)).size <= pieceBytes;
  if (!isSmall) return fromFile(source);
  const bytes = typeof source === 'string' ? await readFile(source) : source;
  return fromArrayBuffer(Uint8Array.from(bytes).buffer);
}

type Piece = [left: number, top: number, right: number, bottom: number];

/** Ranges of rows that are decoded in sequence, so that no strip or tile is decoded twice. */
function piecesOf(
  { samples: { rowsTogether }, cost }: BandProbe,
  { width, height }: { readonly width: number; readonly height: number },
): Piece[] {
  const rowBytes = Math.max(1, cost.decodedBytes / height);
  const together = Math.max(1, Math.min(rowsTogether, height));
  const rows = Math.max(together, Math.floor(pieceBytes / rowBytes / together) * together);
  return Array.from({ length: Math.ceil(height / rows) }, (_, index) => [
    0,
    index * rows,
    width,
    Math.min(height, (index + 1) * rows),
  ]);
}

async function readPiece(image: GeoTIFFImage, window: Piece, bands: readonly number[]): Promise<Samples[]> {
  return (await image.readRasters({ window, samples: [...bands], interleave: false })) as unknown as Samples[];
}

interface RangeFacts {
  readonly probe: BandProbe;
  readonly bands: readonly number[];
  readonly display: Display;
}

/** One range for all bands, so that colours stay true. */
async function rangeOf(
  image: GeoTIFFImage,
  pieces: readonly Piece[],
  { probe, bands, display: { window } }: RangeFacts,
): Promise<Spread> {
  const { samples, bitsPerChannel } = probe;
  const plain = samples.kind === 'unsigned' ? deepest[bitsPerChannel] : undefined;
  const isColour = samples.colour === 'rgb' && bands.length === screenBands;
  if (plain && window === undefined && bitsPerChannel === 8) return plain;
  const finder = createRangeFinder(probe.width * probe.height * bands.length, image.getGDALNoData());
  for (const piece of pieces) {
    for (const band of await readPiece(image, piece, bands)) finder.add(band);
    if (plain && window === undefined && isColour && finder.largest() >= twelveBits) return plain;
  }
  return finder.range(window ?? defaultWindow);
}

function spread(
  samples: Samples,
  { low, high }: Spread,
  target: Buffer,
  { start, step, isInverted }: { readonly start: number; readonly step: number; readonly isInverted: boolean },
): void {
  const factor = 255 / (high > low ? high - low : 1);
  const [sign, zero] = isInverted ? [-factor, high] : [factor, low];
  let at = start;
  for (const value of samples) {
    const shown = (value - zero) * sign + 0.5;
    // A comparison with NaN is false.
    target[at] = shown >= 255 ? 255 : shown > 0 ? shown : 0;
    at += step;
  }
}

/** libvips mirrors before it rotates. */
const turns: Readonly<Record<Orientation, { readonly flip?: true; readonly flop?: true; readonly angle?: number }>> = {
  1: {},
  2: { flop: true },
  3: { angle: 180 },
  4: { flip: true },
  5: { flop: true, angle: 270 },
  6: { angle: 90 },
  7: { flop: true, angle: 90 },
  8: { angle: 270 },
};

/** Rotates before any crop, because crop regions refer to the upright image. */
async function upright(picture: Sharp, orientation: Orientation): Promise<Sharp> {
  if (orientation === 1) return picture;
  const { flip = false, flop = false, angle = 0 } = turns[orientation];
  const turned = await picture.flip(flip).flop(flop).rotate(angle).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = turned.info;
  const sharp = await loadSharp();
  return sharp(turned.data, { raw: { width, height, channels }, limitInputPixels: false });
}
