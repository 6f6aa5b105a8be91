import { readPairs } from '../kit/extra-fields.ts';
import { imageDocumentReader, labelAt } from '../kit/image-files/image-documents.ts';
import { byJsonHead } from '../kit/json-heads.ts';
import type { JsonElement } from '../kit/json-record.ts';
import { isFiniteNumber, isRecord } from '../kit/records.ts';

/** Every object has a group number: only those that several objects of an image share say something. */
function sharedGroups(objects: readonly JsonElement[]): readonly JsonElement[] {
  const counts = new Map<unknown, number>();
  for (const { value } of objects)
    if (isRecord(value)) counts.set(value['group'], (counts.get(value['group']) ?? 0) + 1);
  return objects.map(({ at, value }) =>
    isRecord(value) && counts.get(value['group']) === 1 ? { at, value: { ...value, group: null } } : { at, value },
  );
}

/** Files of ISAT: one JSON for each image, with polygons in layers. */
export const importIsat = imageDocumentReader({
  needs: 'ISAT files: JSON about one image, with "info" and "objects"',
  lists: ['objects'],
  members: new Set(['category', 'group', 'segmentation', 'area', 'layer', 'bbox', 'note']),
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
    const attributes = typeof note === 'string' && note !== '' ? [{ name: 'note', value: note }] : [];
    const z_order = isFiniteNumber(layer) ? Math.round(layer) : 0;
    const points = readPairs(segmentation, 'segmentation');
    const fields = { frame: frame.frame, label, attributes, occluded: false, source: 'file' as const };
    add.shape({ ...fields, type: 'polygon', points, group: groupOf(path, group), z_order }, at);
  },
});

export const detectIsat = byJsonHead(({ path, text, isList, has }) =>
  !isList && has('info') && has('objects') && /"(category|segmentation|depth)"\s*:/.test(text)
    ? { reason: `${path} is JSON with "info" about an image and "objects" in layers.`, confidence: 0.95 }
    : null,
);
