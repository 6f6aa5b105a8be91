import { posix } from 'node:path';
import { boxOfPoints, shoelaceArea } from '../../../preload/contract/geometry.ts';
import { withoutExtension } from '../kit/dataset-items.ts';
import { pairsOf } from '../kit/extra-fields.ts';
import { documentExporter } from '../kit/image-files/document-exporter.ts';
import { finite, withoutNoise } from '../kit/short-decimals.ts';

/** ISAT's objects always have a group number: those of a task without a group get one of their own. */
function withGroups(objects: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  let last = Math.max(0, ...objects.map(({ group }) => Number(group)));
  return objects.map((object) => (object['group'] === 0 ? { ...object, group: (last += 1) } : object));
}

/** `<subset>/<path>.json` for each image, which lies beside it. */
export const exportIsat = documentExporter({
  format: 'ISAT JSON',
  kinds: new Set(['polygon']),
  kept: { attributes: new Set(['note']), group: true, z_order: true },
  filePath: ({ subset }, image) => `${subset}/${withoutExtension(image)}.json`,
  imagePath: (subset, image) => `${subset}/${image}`,
  object({ label, group, z_order: layer, attributes }, { points }) {
    const { left = 0, top = 0, right = 0, bottom = 0 } = boxOfPoints(points) ?? {};
    return {
      category: label,
      group,
      segmentation: pairsOf(points),
      area: finite(withoutNoise(shoelaceArea(points))),
      layer,
      bbox: [left, top, right, bottom],
      iscrowd: false,
      note: attributes.find(({ name }) => name === 'note')?.value ?? '',
    };
  },
  document: ({ width, height }, image, objects) => ({
    info: { description: 'ISAT', folder: '', name: posix.basename(image), width, height, depth: 3, note: '' },
    objects: withGroups(objects),
  }),
});
