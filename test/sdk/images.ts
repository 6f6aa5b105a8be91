import { maskFromBitmap } from '../../preload/geometry/mask-runs.ts';
import type { DatasetExportOptions } from '../../preload/contract/schema/export-options.ts';
import { createInMemoryTaskData } from '../../main/formats/kit/in-memory-task-data.ts';
import { createFormatReport } from '../../main/formats/kit/report.ts';
import type { FrameImage, LabeledShape } from '../../main/formats/kit/task-data.ts';
import { applyExportOptions } from '../../main/import-export/export-options/apply-export-options.ts';
import { createImageCopier } from '../../main/import-export/export-options/copy-image.ts';
import { exportTo, exporterOf, shapeOf } from '../formats/support/format-fixtures.ts';
import { makeImage } from '../support/images.ts';

export const [width, height] = [320, 240];

export async function frameImages(count: number, size = { width, height }): Promise<Map<number, FrameImage>> {
  const bytes = await Promise.all(
    Array.from({ length: count }, (_, index) => makeImage({ ...size, text: `${index}` })),
  );
  return new Map(bytes.map((picture, index) => [index, { extension: '.jpg', bytes: picture }]));
}

const shape = (frame: number, label: string, type: LabeledShape['type'], points: readonly number[]) =>
  shapeOf({ frame, label, type, points });
const solid = maskFromBitmap(new Uint8Array(400).fill(1), 20, 20, { left: 200, top: 100 }) ?? [];
/** Ten images: a car as a box on each except the last, a van as a mask on four, a tree as a small polygon on one. */
export const shapes = [
  ...Array.from({ length: 9 }, (_unused, frame) => shape(frame, 'car', 'rectangle', [10, 20, 110, 70])),
  ...[0, 1, 2, 3].map((frame) => shape(frame, 'van', 'mask', solid)),
  shape(4, 'tree', 'polygon', [0, 0, 4, 0, 4, 4, 0, 4]),
];

export interface ArrangedExport {
  readonly format: string;
  readonly exportOptions: DatasetExportOptions;
  readonly onlyAnnotated?: boolean;
}

/** Exports the ten images and their shapes with the given formats and options. */
export async function createTenPictures() {
  const images = await frameImages(10);
  return async (path: string, { format, exportOptions, onlyAnnotated = false }: ArrangedExport): Promise<void> => {
    const plain = createInMemoryTaskData({
      frames: Array.from(images.keys(), (index) => ({ name: `${index}.jpg`, width, height })),
      labels: [{ name: 'car' }, { name: 'van' }, { name: 'tree' }],
      images,
      shapes,
    });
    const { view } = applyExportOptions(plain, {
      exportOptions,
      onlyAnnotated,
      report: createFormatReport(),
      copyPicture: createImageCopier(exportOptions.images),
      checkCancelled: () => undefined,
    });
    await exportTo(path, exporterOf(format), view, true);
  };
}
