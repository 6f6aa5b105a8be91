import type { FormatReport } from '../report.ts';
import type { MaskImage } from './read-image.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

const named = 5;

/** Compares images of masks with the images that they are about, and says at the end which differ in size. */
export function createSizeWatch(report: FormatReport): {
  compare(path: string, mask: MaskImage, image: Size): void;
  finish(): void;
} {
  const examples: string[] = [];
  let count = 0;
  return {
    compare(path, mask, { width, height }) {
      if (!(width > 0 && height > 0) || (mask.width === width && mask.height === height)) return;
      count += 1;
      if (examples.length < named)
        examples.push(`${path} has ${mask.width} × ${mask.height} pixels for ${width} × ${height}`);
    },
    finish() {
      if (count === 0) return;
      report.warn(
        `${count} images of masks have another size than their images; the masks were kept as they are: ${examples.join('; ')}${count > named ? '; …' : ''}.`,
      );
    },
  };
}
