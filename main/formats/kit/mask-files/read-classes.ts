import { AppError } from '../../../platform/errors.ts';
import type { Source } from '../../io/source.ts';
import type { FormatReport } from '../report.ts';
import { createColorResolver, type LabelColor } from './label-colors.ts';
import { type MaskImage, readMaskImage } from './read-image.ts';
import type { createSizeWatch } from './size-watch.ts';
import { masksByValue } from './value-masks.ts';

const listed = 10;
/** No value of an image: images have none below 0. */
export const nothing = -1;

export interface ClassReaderOptions {
  readonly source: Source;
  readonly labels: readonly LabelColor[];
  readonly tolerance: number;
  readonly report: FormatReport;
  readonly sizes: ReturnType<typeof createSizeWatch>;
}

/** A mask of one label, by the label's number. */
export interface ClassMask {
  readonly number: number;
  readonly points: readonly number[];
}

/** Counts values of pixels that mean nothing, and names the first of them. */
export function createUnknownValues(report: FormatReport, describe: (value: number) => string) {
  const pixels = new Map<number, number>();
  return {
    count(value: number, times = 1): void {
      pixels.set(value, (pixels.get(value) ?? 0) + times);
    },
    finish(path: string, more: string): void {
      for (const [value, count] of [...pixels].slice(0, listed))
        report.bad(path, describe(value), `no label has it: ${count} pixels were left out`);
      if (pixels.size > listed) report.bad(path, 'the image', `${pixels.size - listed} more ${more}`);
    },
  };
}

export function describeColor(isColor: boolean): (value: number) => string {
  return (value) =>
    isColor ? `the colour ${value >> 16},${(value >> 8) & 255},${value & 255}` : `the number ${value}`;
}

export const manyColors =
  'colours belong to no label; were they compressed? The option color_tolerance takes near colours too';

/** Reads an image, or says in the report why it cannot be read. */
export async function tryReadImage(source: Source, path: string, report: FormatReport): Promise<MaskImage | undefined> {
  try {
    return await readMaskImage(source, path);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error;
    report.bad(path, 'the image', error.message);
    return undefined;
  }
}

/** Splits an image; one that is noise is reported and gives nothing. */
export function trySplit(
  image: MaskImage,
  valueAt: (index: number) => number,
  path: string,
  report: FormatReport,
): ReturnType<typeof masksByValue> {
  try {
    return masksByValue(image.width, image.height, valueAt, nothing);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error;
    report.bad(path, 'the image', error.message);
    return new Map();
  }
}

/** Reads images of classes: by the colours of the labels, or, in grey images, by their numbers. */
export function createClassReader({ source, labels, tolerance, report, sizes }: ClassReaderOptions) {
  const resolver = createColorResolver(labels, tolerance);
  return {
    async read(path: string, size: { readonly width: number; readonly height: number }): Promise<ClassMask[]> {
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
