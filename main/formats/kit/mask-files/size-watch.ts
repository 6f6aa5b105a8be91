import type { FormatReport } from '../report.ts';
import type { ImageSize } from '../task-data.ts';

const named = 5;

/** Compares the sizes of mask images (or of `what`) with those of the frames, and reports differences at the end. */
export function createSizeWatch(
  report: FormatReport,
  what = { files: 'mask images', kept: 'the masks' },
): {
  compare(path: string, stated: ImageSize, image: ImageSize): void;
  finish(): void;
} {
  const examples: string[] = [];
  let count = 0;
  return {
    compare(path, stated, { width, height }) {
      const isKnown = width > 0 && height > 0 && stated.width > 0 && stated.height > 0;
      if (!isKnown || (stated.width === width && stated.height === height)) return;
      count += 1;
      if (examples.length < named)
        examples.push(`${path} has ${stated.width} × ${stated.height} pixels for ${width} × ${height}`);
    },
    finish() {
      if (count === 0) return;
      report.warn(
        `${count} ${what.files} have another size than their images; ${what.kept} were not scaled: ${examples.join('; ')}${count > named ? '; …' : ''}.`,
      );
    },
  };
}
