import { posix } from 'node:path';
import { boxOfPoints } from '../../../preload/geometry/geometry.ts';
import { carries, defineFormat } from '../kit/define-format.ts';
import { numbersAt, pairsOf, readPairs } from '../kit/extra-fields.ts';
import { documentExporter } from '../kit/image-files/document-exporter.ts';
import {
  addEvenOddRings,
  type ImageDocument,
  imageDocumentReader,
  labelAt,
} from '../kit/image-files/image-documents.ts';
import { elementsOf } from '../kit/image-files/image-lists.ts';
import type { JsonElement } from '../kit/json-document.ts';
import { byJsonHead } from '../kit/detection.ts';
import type { PlainOutline } from '../kit/plain-outlines.ts';
import { readScore } from '../kit/read-score.ts';
import { isRecord, RecordError } from '../kit/records.ts';
import { addDecimals, ellipsePoints, withoutNoise } from '../kit/short-decimals.ts';

/** Rings of a polygon, including holes: `paths` in version 2, `path` and additional ones in version 1. */
function ringsOf(polygon: Readonly<Record<string, unknown>>): number[][] {
  const { paths, path, additional_paths: more } = polygon;
  const all = Array.isArray(paths) ? paths : [path, ...(Array.isArray(more) ? more : [])];
  return all.map((ring, index) => readPairs(ring, `polygon.paths[${index}]`));
}

/** Version 2 has the image in `item` with its slots, version 1 in `image`. */
function documentOf(values: ReadonlyMap<string, unknown>, objects: readonly JsonElement[]): ImageDocument | null {
  const item = values.get('item') ?? values.get('image');
  if (!isRecord(item)) return null;
  const slots = item['slots'] ?? values.get('slots');
  const slot: unknown = Array.isArray(slots) ? slots[0] : item;
  const { width, height } = isRecord(slot) ? slot : {};
  const name = item['name'] ?? item['original_filename'] ?? item['filename'];
  const folder = typeof item['path'] === 'string' ? item['path'].replace(/^\/+|\/+$/g, '') : '';
  if (typeof name !== 'string') return null;
  const names = folder === '' ? [name] : [`${folder}/${name}`, name];
  return { names, width, height, objects };
}

/** Reads V7 Darwin: one JSON file per image, version 2 or 1. */
const importDarwin = imageDocumentReader({
  needs: 'files of V7 Darwin: JSON with "item" and "annotations"',
  lists: ['annotations', ''],
  members: new Set(
    'id name bounding_box polygon ellipse line keypoint tag attributes inference instance_id slot_names properties ranges created_at updated_at annotators reviewers'.split(
      ' ',
    ),
  ),
  imageMembers: new Set('version schema_ref item image dataset slots annotations'.split(' ')),
  documentOf({ values, lists }) {
    const annotations = lists.get('annotations');
    return annotations ? documentOf(values, annotations) : null;
  },
  elementOf: (element) =>
    documentOf(new Map(Object.entries(element)), elementsOf(element['annotations'], 'annotations')),
  addObject(object, place) {
    const { add, frame, at, path, groupOf, noteUnread, report } = place;
    const { bounding_box: box, polygon, ellipse, line, keypoint, tag, inference, attributes, instance_id } = object;
    const label = labelAt(object['name'], 'name');
    noteUnread(object, label);
    const lose = (rule: string): void => report.dropped('attribute', label, rule);
    const listed = elementsOf(attributes, 'attributes').flatMap(({ value }) => {
      if (typeof value !== 'string') lose('An attribute is not a text.');
      return typeof value === 'string' ? [value] : [];
    });
    const base = {
      frame: frame.frame,
      label,
      attributes: listed.map((value) => {
        const [name = '', ...rest] = value.split(':');
        return rest.length > 0 ? { name, value: rest.join(':') } : { name: value, value: 'true' };
      }),
      group: isRecord(instance_id) ? groupOf(path, instance_id['value']) : 0,
      source: 'file' as const,
    };
    if (isRecord(tag)) return add.tag(base, at);
    const confidence = isRecord(inference) ? inference['confidence'] : undefined;
    const score = readScore(confidence, lose);
    const fields = { ...base, occluded: false, z_order: 0, ...score };
    // Polygons and ellipses state their boxes too.
    if (isRecord(polygon)) return addEvenOddRings(place, ringsOf(polygon), fields, 'polygon');
    if (isRecord(ellipse)) {
      const { center, radius } = ellipse;
      if (!isRecord(center) || !isRecord(radius)) throw new RecordError('ellipse', 'must have a center and radii');
      const [cx = 0, cy = 0] = numbersAt(center, ['x', 'y'], 'ellipse.center');
      const [rx = 0, ry = 0] = numbersAt(radius, ['x', 'y'], 'ellipse.radius');
      const [angle = 0] = ellipse['angle'] == null ? [] : numbersAt(ellipse, ['angle'], 'ellipse');
      const degrees = withoutNoise((((angle * 180) / Math.PI) % 360) + 360) % 360;
      const points = ellipsePoints(cx, cy, rx, ry);
      return add.shape({ ...fields, type: 'ellipse', points, rotation: degrees === 0 ? undefined : degrees }, at);
    }
    if (isRecord(line))
      return add.shape({ ...fields, type: 'polyline', points: readPairs(line['path'], 'line.path') }, at);
    if (isRecord(keypoint))
      return add.shape({ ...fields, type: 'points', points: numbersAt(keypoint, ['x', 'y'], 'keypoint') }, at);
    if (!isRecord(box)) throw new RecordError('', 'has no outline that a task supports');
    const [x = 0, y = 0, w = 0, h = 0] = numbersAt(box, ['x', 'y', 'w', 'h'], 'bounding_box');
    if (w < 0 || h < 0) throw new RecordError('bounding_box', `has a negative size, ${w} × ${h}`);
    return add.shape({ ...fields, type: 'rectangle', points: [x, y, addDecimals(x, w), addDecimals(y, h)] }, at);
  },
});

const detectDarwin = byJsonHead(({ path, text, has }) => {
  if (!has('annotations')) return null;
  const isSecond = has('item') && /"(slots|source_info)"\s*:|"version"\s*:\s*"2/.test(text);
  const isFirst = has('image') && has('dataset');
  return isSecond || isFirst
    ? { reason: `${path} is JSON with one image and its "annotations", as V7 writes it.`, confidence: 0.95 }
    : null;
});

const pointsOf = (points: readonly number[]) => pairsOf(points).map(([x, y]) => ({ x, y }));

function boxOf(points: readonly number[]): Record<string, number> {
  const { left = 0, top = 0, right = 0, bottom = 0 } = boxOfPoints(points) ?? {};
  return { x: left, y: top, w: addDecimals(right, -left), h: addDecimals(bottom, -top) };
}

function outlineOf({ kind, points, rotation }: PlainOutline): Record<string, unknown> {
  const [x = 0, y = 0, right = 0, top = 0] = points;
  switch (kind) {
    case 'rectangle':
      return { bounding_box: boxOf(points) };
    case 'polyline':
      return { line: { path: pointsOf(points) } };
    case 'point':
      return { keypoint: { x, y } };
    case 'ellipse': {
      const radius = { x: addDecimals(right, -x), y: addDecimals(y, -top) };
      return { ellipse: { angle: (rotation * Math.PI) / 180, center: { x, y }, radius } };
    }
    default:
      return { bounding_box: boxOf(points), polygon: { paths: [pointsOf(points)] } };
  }
}

const exportDarwin = documentExporter({
  format: 'V7 Darwin',
  kinds: new Set(['rectangle', 'polygon', 'polyline', 'point', 'ellipse']),
  kept: { attributes: true, group: true, score: true, rotation: true },
  filePath: ({ subset }, image) => `${subset}/${image}.json`,
  imagePath: (subset, image) => `${subset}/${image}`,
  object: ({ label, group, score = 1, attributes }, outline) => ({
    name: label,
    ...outlineOf(outline),
    attributes: attributes.length > 0 ? attributes.map(({ name, value }) => `${name}:${value}`) : undefined,
    instance_id: group === 0 ? undefined : { value: group },
    inference: score === 1 ? undefined : { confidence: score },
    slot_names: ['0'],
  }),
  tag: ({ label, attributes }) => ({
    name: label,
    tag: {},
    attributes: attributes.length > 0 ? attributes.map(({ name, value }) => `${name}:${value}`) : undefined,
  }),
  document: ({ width, height }, image, objects, tags) => {
    const name = posix.basename(image);
    const folder = posix.dirname(image);
    const slot = { type: 'image', slot_name: '0', width, height, source_files: [{ file_name: name }] };
    return {
      version: '2.0',
      item: { name, path: folder === '.' ? '/' : `/${folder}`, slots: [slot] },
      annotations: [...objects, ...tags],
    };
  },
});

export const darwin = defineFormat({
  name: 'V7 Darwin JSON',
  version: '2.0',
  support: carries({
    both: ['rectangle', 'ellipse', 'polygon', 'polyline', 'points', 'tag', 'attribute'],
    converted: ['rotated rectangle', 'mask', 'track'],
  }),
  importExt: 'JSON, ZIP',
  detect: detectDarwin,
  read: importDarwin,
  write: exportDarwin,
});
