import type { Source } from '../../io/source.ts';
import { faultOf } from '../records.ts';
import type { FormatReport } from '../report.ts';
import type { FrameInfo, ImageSize } from '../task-data.ts';
import { createColorResolver, type LabelColor } from './label-colors.ts';
import { decodeMaskImage, type MaskImage, readMaskImage } from './read-image.ts';
import type { createSizeWatch } from './size-watch.ts';
import { masksByValue } from './value-masks.ts';

const listed = 10;
/** Never a pixel value, because these are not negative. */
export const nothing = -1;

export interface ClassReaderOptions {
  readonly source: Source;
  readonly labels: readonly LabelColor[];
  readonly tolerance: number;
  readonly report: FormatReport;
  readonly sizes: ReturnType<typeof createSizeWatch>;
}

export interface ClassMask {
  readonly number: number;
  readonly points: readonly number[];
}

/** Counts pixels with unknown values and reports the first ones. */
export function createUnknownValues(report: FormatReport, describe: (value: number) => string) {
  const pixels = new Map<number, number>();
  return {
    count(value: number, times = 1): void {
      pixels.set(value, (pixels.get(value) ?? 0) + times);
    },
    finish(path: string, more: string): void {
      for (const [value, count] of [...pixels].slice(0, listed))
        report.invalid(path, describe(value), `no label has this value: ${count} pixels were left out`);
      if (pixels.size > listed) report.invalid(path, 'the image', `${pixels.size - listed} more ${more}`);
    },
  };
}

export function describeColor(isColor: boolean): (value: number) => string {
  return (value) =>
    isColor ? `the colour ${value >> 16},${(value >> 8) & 255},${value & 255}` : `the number ${value}`;
}

export const manyColors =
  'colors belong to no label; were they compressed? The option color_tolerance accepts similar colors';

/** Reads an image, or reports the reason why it cannot. */
export async function tryReadImage(source: Source, path: string, report: FormatReport): Promise<MaskImage | undefined> {
  try {
    return await readMaskImage(source, path);
  } catch (error) {
    report.invalid(path, 'the image', faultOf(error));
    return undefined;
  }
}

/** Splits an image into masks. An image of noise is reported and returns undefined. */
export function trySplit(
  image: MaskImage,
  valueAt: (index: number) => number,
  path: string,
  report: FormatReport,
): ReturnType<typeof masksByValue> {
  try {
    return masksByValue(image.width, image.height, valueAt, nothing);
  } catch (error) {
    report.invalid(path, 'the image', faultOf(error));
    return new Map();
  }
}

/** The pixels of an image that are not 0 as a mask; undefined if there are none. */
export function setPixels(image: MaskImage, path: string, report: FormatReport): readonly number[] | undefined {
  return trySplit(image, (index) => (image.valueAt(index) === 0 ? nothing : 1), path, report).get(1)?.points;
}

/**
 * Reads the mask of an image embedded in a document, with its corner at the given point. Throws `AppError('invalid')`.
 */
export async function maskOfPicture(
  picture: Uint8Array,
  [left, top]: readonly [number, number],
): Promise<number[] | undefined> {
  const { width, height, valueAt } = await decodeMaskImage(picture);
  const points = masksByValue(width, height, (index) => (valueAt(index) === 0 ? nothing : 1), nothing).get(1)?.points;
  const box = (points?.length ?? 0) - 4;
  return points?.map((value, index) => (index < box ? value : value + ((index - box) % 2 === 0 ? left : top)));
}

/** Masks of a number image by number. An invalid image is reported and returns undefined. */
export async function readNumbers(
  path: string,
  frame: FrameInfo,
  { source, report, sizes }: Pick<ClassReaderOptions, 'source' | 'report' | 'sizes'>,
): Promise<ReturnType<typeof masksByValue> | undefined> {
  const image = await tryReadImage(source, path, report);
  if (image?.isColor === true) report.invalid(path, 'the image', 'it has colors, but must be gray');
  if (!image || image.isColor) return undefined;
  sizes.compare(path, image, frame);
  return trySplit(image, (index) => image.valueAt(index), path, report);
}

/** Creates a reader of class images by label color or, in gray images, by label number. */
export function createClassReader({ source, labels, tolerance, report, sizes }: ClassReaderOptions) {
  const resolver = createColorResolver(labels, tolerance);
  return {
    async read(path: string, size: ImageSize): Promise<ClassMask[]> {
      const image = await tryReadImage(source, path, report);
      if (!image) return [];
      sizes.compare(path, image, size);
      const unknown = createUnknownValues(report, describeColor(image.isColor));
      const numberAt = (index: number): number => {
        const value = image.valueAt(index);
        const number = image.isColor ? resolver.resolve(value) : value < labels.length ? value : -1;
        if (number < 0 && value !== 0) unknown.count(value);
        return number;
      };
      const masks = trySplit(image, numberAt, path, report);
      unknown.finish(path, manyColors);
      return Array.from(masks, ([number, { points }]) => ({ number, points }));
    },
  };
}
