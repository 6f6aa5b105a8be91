import { posix } from 'node:path';
import { boxOfPoints, shoelaceArea } from '../../../preload/geometry/geometry.ts';
import { withoutExtension } from '../kit/dataset-items.ts';
import { carries, defineFormat } from '../kit/define-format.ts';
import { pairsOf, readPairs } from '../kit/extra-fields.ts';
import { documentExporter } from '../kit/image-files/document-exporter.ts';
import { imageDocumentReader, labelAt } from '../kit/image-files/image-documents.ts';
import type { JsonElement } from '../kit/json-document.ts';
import { byJsonHead } from '../kit/detection.ts';
import { truthOf } from '../kit/read-attributes.ts';
import { isFiniteNumber, isRecord } from '../kit/records.ts';
import { finite, withoutNoise } from '../kit/short-decimals.ts';

/** Every ISAT object has a group number. Only numbers shared by several objects of an image are groups. */
function sharedGroups(objects: readonly JsonElement[]): readonly JsonElement[] {
  const counts = new Map<unknown, number>();
  for (const { value } of objects)
    if (isRecord(value)) counts.set(value['group'], (counts.get(value['group']) ?? 0) + 1);
  return objects.map(({ at, value }) =>
    isRecord(value) && counts.get(value['group']) === 1 ? { at, value: { ...value, group: null } } : { at, value },
  );
}

/** Reads ISAT: one JSON file per image, with polygons in layers. */
const importIsat = imageDocumentReader({
  needs: 'ISAT files: JSON about one image, with "info" and "objects"',
  lists: ['objects'],
  members: new Set(['category', 'group', 'segmentation', 'area', 'layer', 'bbox', 'note', 'iscrowd']),
  imageMembers: new Set(['info', 'objects']),
  documentOf({ values, lists }) {
    const info = values.get('info');
    const objects = lists.get('objects');
    if (!isRecord(info) || !objects) return null;
    const { name: image, width, height } = info;
    return { image, width, height, objects: sharedGroups(objects) };
  },
  addObject(object, { add, frame, at, path, groupOf, noteUnread }) {
    const { category, group, segmentation, layer, note } = object;
    const label = labelAt(category, 'category');
    noteUnread(object, label);
    const attributes = [
      ...(typeof note === 'string' && note !== '' ? [{ name: 'note', value: note }] : []),
      ...(truthOf(object['iscrowd']) === true ? [{ name: 'is_crowd', value: 'true' }] : []),
    ];
    const z_order = isFiniteNumber(layer) ? Math.round(layer) : 0;
    const points = readPairs(segmentation, 'segmentation');
    const fields = { frame: frame.frame, label, attributes, occluded: false, source: 'file' as const };
    add.shape({ ...fields, type: 'polygon', points, group: groupOf(path, group), z_order }, at);
  },
});

const detectIsat = byJsonHead(({ path, text, isList, has }) =>
  !isList && has('info') && has('objects') && /"(category|segmentation|depth)"\s*:/.test(text)
    ? { reason: `${path} is JSON with "info" about an image and "objects" in layers.`, confidence: 0.95 }
    : null,
);

/** ISAT requires a group number for every object, so objects without a group get a unique one. */
function withGroups(objects: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  let last = Math.max(0, ...objects.map(({ group }) => Number(group)));
  return objects.map((object) => (object['group'] === 0 ? { ...object, group: (last += 1) } : object));
}

/** Writes `<subset>/<path>.json` beside each image. */
const exportIsat = documentExporter({
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

export const isat = defineFormat({
  name: 'ISAT JSON',
  version: '1.0',
  support: carries({
    both: ['polygon'],
    converted: ['rectangle', 'rotated rectangle', 'ellipse', 'mask', 'track'],
    partial: ['attribute'],
  }),
  importExt: 'JSON, ZIP',
  detect: detectIsat,
  read: importIsat,
  write: exportIsat,
});
