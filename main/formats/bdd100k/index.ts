import { carries, defineFormat } from '../kit/define-format.ts';
import { attributesOfRecord, flagOf, numbersAt, pairsOf, readPairs } from '../kit/extra-fields.ts';
import { labelAt } from '../kit/image-files/image-documents.ts';
import { elementsOf, imageListReader } from '../kit/image-files/image-lists.ts';
import { listExporter } from '../kit/image-files/list-exporter.ts';
import { byJsonHead } from '../kit/detection.ts';
import type { JsonElement } from '../kit/json-document.ts';
import type { PlainOutline } from '../kit/plain-outlines.ts';
import { readScore } from '../kit/read-score.ts';
import { brief, isRecord, optionalRecord, RecordError } from '../kit/records.ts';

/** Place of image attributes in the report, where objects have their own place. */
const ofImage = 'attributes of the image';

/** Files about one image have their objects in their only frame. */
function objectsOf({ labels, frames }: Readonly<Record<string, unknown>>): JsonElement[] {
  return [
    ...elementsOf(labels, 'labels'),
    ...elementsOf(frames, 'frames').flatMap(({ at, value }) =>
      elementsOf(optionalRecord(value, at)?.['objects'], `${at}.objects`),
    ),
  ];
}

/** Outlines. Lists have one object per outline; files about one image have one list of points `[x, y, type]`. */
function partsOf(poly2d: unknown): JsonElement[] {
  const parts = elementsOf(poly2d, 'poly2d');
  if (!Array.isArray(poly2d) || parts.length === 0 || !parts.every(({ value }) => Array.isArray(value))) return parts;
  const pairs: unknown[][] = poly2d;
  const types = pairs.map((pair) => (pair[2] === 'C' ? 'C' : 'L')).join('');
  const vertices = pairs.map((pair) => (typeof pair[2] === 'string' ? pair.slice(0, 2) : pair));
  return [{ at: 'poly2d', value: { vertices, types, closed: true } }];
}

/** Reads BDD100K and Scalabel: one list of images with boxes, polygons and lines, or one file per image. */
const importBdd = imageListReader({
  needs: 'labels of BDD100K: a JSON list of images with "name" and "labels", or a file for each with "frames"',
  ofOne: { lists: ['labels', 'frames'] },
  members: new Set('id category attributes score manualShape manualAttributes'.split(' ')),
  // `url` repeats `name`; attributes are reported separately.
  imageMembers: new Set('name url labels frames attributes width height size'.split(' ')),
  documentOf(element) {
    const { name, labels, frames, width, height, attributes, size } = element;
    const isList = (value: unknown): boolean => value === undefined || value === null || Array.isArray(value);
    if (typeof name !== 'string' || !isList(labels) || !isList(frames)) return null;
    const objects = objectsOf(element);
    const others = isRecord(attributes) && Object.keys(attributes).length > 0 && objects.length > 0;
    return {
      names: [/\.\w{3,4}$/.test(name) ? name : `${name}.jpg`],
      ...(isRecord(size) ? { width: size['width'], height: size['height'] } : { width, height }),
      objects: others ? [...objects, { at: 'attributes', value: { [ofImage]: attributes } }] : objects,
    };
  },
  // `labels.json` is a generic name, not a subset.
  subsetOf: (path) =>
    path
      .slice(path.lastIndexOf('/') + 1)
      .replace(/\.json$/i, '')
      .replace(/^labels$/i, 'default'),
  addObject(object, { add, frame, at, masks, noteUnread, report }) {
    if (ofImage in object)
      throw new RecordError('', `a frame has no attributes: ${Object.keys(object[ofImage] ?? {}).join(', ')}`);
    const { category, box2d, poly2d, attributes, score } = object;
    const label = labelAt(category, 'category');
    const isBox = box2d !== undefined && box2d !== null;
    const { [isBox ? 'box2d' : 'poly2d']: _used, ...others } = object;
    noteUnread(others, label);
    const lose = (rule: string): void => report.dropped('attribute', label, rule);
    const all = attributesOfRecord(attributes, lose);
    const hidden = all.find(({ name }) => name === 'occluded');
    const fields = {
      frame: frame.frame,
      label,
      attributes: all.filter(({ name }) => name !== 'occluded'),
      occluded: flagOf(hidden?.value, 'occluded', lose),
      z_order: 0,
      source: 'file' as const,
      ...readScore(score, lose),
    };
    if (isBox) {
      const points = numbersAt(box2d, ['x1', 'y1', 'x2', 'y2'], 'box2d');
      return add.shape({ ...fields, group: 0, type: 'rectangle', points }, at);
    }
    const parts = partsOf(poly2d);
    if (parts.length === 0) throw new RecordError('', 'has neither a box nor a 2D outline');
    const group = parts.length > 1 ? masks.nextGroup() : 0;
    for (const { at: place, value } of parts) {
      if (!isRecord(value)) throw new RecordError(place, `must be an object, but is ${brief(value)}`);
      const { vertices, types, closed } = value;
      if (typeof types === 'string' && types.includes('C'))
        report.dropped('polygon', label, 'A task has no curves: their control points became corners.');
      const points = readPairs(vertices, `${place}.vertices`);
      add.shape({ ...fields, group, type: closed === false ? 'polyline' : 'polygon', points }, at);
    }
  },
});

const detectBdd = byJsonHead(({ path, isList, text, has }) => {
  if (!has('name') || /"(rectangle|polygon|brush)labels"\s*:/.test(text)) return null;
  if (isList && (has('labels') || has('videoName')))
    return { reason: `${path} is a JSON list of images with "name" and "labels".`, confidence: 0.95 };
  return !isList && has('frames') && /"objects"\s*:/.test(text)
    ? { reason: `${path} is JSON about one image, with "name" and the objects of its "frames".`, confidence: 0.95 }
    : null;
});

function outlineOf({ kind, points }: PlainOutline): Record<string, unknown> {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points;
  if (kind === 'rectangle') return { box2d: { x1, y1, x2, y2 } };
  const vertices = pairsOf(points);
  return { poly2d: [{ vertices, types: 'L'.repeat(vertices.length), closed: kind === 'polygon' }] };
}

/** Writes `labels/<subset>.json`, a list of images, and the images in `images/<subset>`. */
const exportBdd = listExporter({
  format: 'BDD100K',
  kinds: new Set(['rectangle', 'polygon', 'polyline']),
  kept: { attributes: true, ownNames: new Set(['occluded']), occluded: true, score: true },
  listPath: (subset) => `labels/${subset}.json`,
  imagePath: (subset, image) => `images/${subset}/${image}`,
  object: ({ label, attributes, occluded, score }, outline) => ({
    category: label,
    attributes: { ...Object.fromEntries(attributes.map(({ name, value }) => [name, value])), occluded },
    score: score === undefined || score === 1 ? undefined : score,
    ...outlineOf(outline),
  }),
  element: ({ width, height }, { name }, objects) => ({
    name,
    width,
    height,
    labels: objects.map((object, index) => ({ id: String(index), ...object })),
  }),
});

export const bdd100k = defineFormat({
  name: 'BDD100K',
  version: '1.0',
  support: carries({
    both: ['rectangle', 'polygon', 'polyline', 'attribute'],
    converted: ['rotated rectangle', 'ellipse', 'mask', 'track'],
  }),
  importExt: 'JSON, ZIP',
  detect: detectBdd,
  read: importBdd,
  write: exportBdd,
});
