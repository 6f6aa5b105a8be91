import { deflateSync, inflateSync } from 'node:zlib';
import { maskBox, maskToBitmap } from '../../../preload/geometry/mask-runs.ts';
import { carries, defineFormat } from '../kit/define-format.ts';
import { attributesOfRecord, pairsOf, readPairs } from '../kit/extra-fields.ts';
import { documentExporter } from '../kit/image-files/document-exporter.ts';
import { elementsOf } from '../kit/image-files/image-lists.ts';
import { addRings, imageDocumentReader, labelAt, type ObjectPlace } from '../kit/image-files/image-documents.ts';
import { byJsonHead } from '../kit/detection.ts';
import type { MaskFields } from '../kit/mask-files/add-masks.ts';
import { encodePng } from '../kit/mask-files/png-writer.ts';
import { maskOfPicture } from '../kit/mask-files/read-classes.ts';
import type { PlainOutline } from '../kit/plain-outlines.ts';
import { brief, faultOf, isFiniteNumber, isRecord, RecordError } from '../kit/records.ts';
import type { Attribute, TaskData } from '../kit/task-data.ts';
import { saysSomething } from '../kit/unread-members.ts';

/** PNG masks are far smaller, so data that inflates to more is not one. */
const maxPngBytes = 64 * 1024 * 1024;

/** Tags of an object, `[{name, value}]` or names, as attributes. A tag without a value is true. */
function tagsAsAttributes(tags: unknown, lose: (rule: string) => void): Attribute[] {
  return elementsOf(tags, 'tags').flatMap(({ value: tag }) => {
    const { name, value } = isRecord(tag) ? tag : { name: tag };
    if (typeof name === 'string' && name !== '') return attributesOfRecord({ [name]: value ?? 'true' }, lose);
    lose('A tag has no name.');
    return [];
  });
}

async function addBitmap(bitmap: unknown, { add, masks, at }: ObjectPlace, fields: MaskFields): Promise<void> {
  if (!isRecord(bitmap)) throw new RecordError('bitmap', `must be an object, but is ${brief(bitmap)}`);
  const { data, origin } = bitmap;
  const [left, top, more] = Array.isArray(origin) ? (origin as unknown[]) : [];
  if (typeof data !== 'string') throw new RecordError('bitmap.data', `must be a string, but is ${brief(data)}`);
  if (!isFiniteNumber(left) || !isFiniteNumber(top) || more !== undefined)
    throw new RecordError('bitmap.origin', 'must be two numbers');
  let png: Buffer;
  try {
    png = inflateSync(Buffer.from(data, 'base64'), { maxOutputLength: maxPngBytes });
  } catch {
    throw new RecordError('bitmap.data', 'is not a compressed PNG');
  }
  try {
    const points = await maskOfPicture(png, [left, top]);
    if (!points) throw new RecordError('bitmap', 'has no pixel');
    masks.add(add, points, fields, at);
  } catch (error) {
    throw new RecordError('bitmap', faultOf(error));
  }
}

/** Reads Supervisely: `<dataset>/ann/<image>.json`, with the project's classes in `meta.json`. */
const importSupervisely = imageDocumentReader({
  needs: 'Supervisely files: JSON about one image, with "size" and "objects"',
  isFile: (path) => /\.json$/i.test(path) && !/(^|\/)(meta|key_id_map|obj_class_to_machine_color)\.json$/i.test(path),
  lists: ['objects', 'tags'],
  members: new Set(
    'id classId classTitle geometryType points geometry bitmap tags instance labelerLogin createdAt updatedAt shape nnCreated nnUpdated'.split(
      ' ',
    ),
  ),
  imageMembers: new Set(['size', 'objects', 'tags']),
  documentOf({ values, lists }, path) {
    const size = values.get('size');
    const objects = lists.get('objects');
    if (!isRecord(size) || !objects) return null;
    const image = path.replace(/\.json$/i, '').replace(/^(?:.*\/)?ann\//, '');
    // Older exports omit the extension.
    const names = [/\.[a-z]{3,4}$/i.test(image) ? image : `${image}.jpg`];
    const tags = (lists.get('tags') ?? []).map(({ at, value }) => ({ at, value: { geometryType: 'tag', tag: value } }));
    return { names, width: size['width'], height: size['height'], objects: [...objects, ...tags] };
  },
  subsetOf: (path) => /(?:^|\/)([^/]+)\/ann\//.exec(path)?.[1] ?? 'default',
  async addObject(object, place) {
    const { geometryType, classTitle, tags, geometry, bitmap } = object;
    const { add, frame, at, noteUnread, report } = place;
    if (geometryType === 'tag') {
      const { tag } = object;
      const name = isRecord(tag) ? tag['name'] : tag;
      const plain = { frame: frame.frame, group: 0, source: 'file' as const, attributes: [] };
      const label = labelAt(name, 'name');
      if (isRecord(tag) && saysSomething(tag['value']))
        report.dropped('tag', label, `An image-level label has no value: ${brief(tag['value'])} was left out.`);
      return add.tag({ ...plain, label }, at);
    }
    const label = labelAt(classTitle, 'classTitle');
    noteUnread(object, label);
    const fields = {
      frame: frame.frame,
      label,
      attributes: tagsAsAttributes(tags, (rule) => report.dropped('attribute', label, rule)),
      occluded: false,
      group: 0,
      z_order: 0,
      source: 'file' as const,
    };
    if (geometryType === 'bitmap') return addBitmap(bitmap, place, fields);
    const points = object['points'] ?? (isRecord(geometry) ? geometry['points'] : undefined);
    if (!isRecord(points)) throw new RecordError('points', `must be an object, but is ${brief(points)}`);
    const outer = readPairs(points['exterior'], 'points.exterior');
    const holes = elementsOf(points['interior'], 'points.interior');
    switch (geometryType) {
      case 'rectangle':
        if (outer.length !== 4) throw new RecordError('points.exterior', 'must be two corners');
        return add.shape({ ...fields, type: 'rectangle', points: outer }, at);
      case 'polygon': {
        const rings = holes.map((hole) => readPairs(hole.value, hole.at));
        return addRings(place, [outer, ...rings], fields, 'points.interior');
      }
      case 'line':
        return add.shape({ ...fields, type: 'polyline', points: outer }, at);
      case 'point':
        return add.shape({ ...fields, type: 'points', points: outer }, at);
      default:
        throw new RecordError('geometryType', `${brief(geometryType)} is not supported by a task`);
    }
  },
});

const detectSupervisely = byJsonHead(({ path, isList, text, has }) => {
  if (isList) return null;
  if (has('objects') && has('size') && (has('tags') || /"classTitle"\s*:/.test(text)))
    return { reason: `${path} is JSON with the "size" of an image, "tags" and "objects".`, confidence: 0.95 };
  return null;
});

const types: Readonly<Partial<Record<PlainOutline['kind'], string>>> = {
  rectangle: 'rectangle',
  polygon: 'polygon',
  polyline: 'line',
  point: 'point',
};

function geometryOf({ kind, points }: PlainOutline): Record<string, unknown> {
  if (kind !== 'mask') return { geometryType: types[kind], points: { exterior: pairsOf(points), interior: [] } };
  const { left, top } = maskBox(points);
  const { bitmap, width, height } = maskToBitmap(points);
  const png = encodePng({ kind: 'bits', width, height, pixels: bitmap });
  return { geometryType: 'bitmap', bitmap: { data: deflateSync(png).toString('base64'), origin: [left, top] } };
}

/** Classes (for any kind of shape) and tag names. */
function metaOf({ meta }: TaskData): string {
  const classes = meta.labels.map(({ name, color }) => ({ title: name, shape: 'any', color, geometry_config: {} }));
  const attributes = new Set(meta.labels.flatMap((label) => label.attributes.map(({ name }) => name)));
  const tags = [
    ...meta.labels.map(({ name }) => ({ name, value_type: 'none', color: '#808080' })),
    ...[...attributes].map((name) => ({ name, value_type: 'any_string', color: '#808080' })),
  ].filter(({ name }, index, all) => all.findIndex((one) => one.name === name) === index);
  return `${JSON.stringify({ classes, tags, projectType: 'images' })}\n`;
}

/** Writes `<subset>/ann/<image>.json` per image, `<subset>/img/<image>`, and `meta.json`. */
const exportSupervisely = documentExporter({
  format: 'Supervisely',
  kinds: new Set(['rectangle', 'polygon', 'polyline', 'point', 'mask']),
  kept: { attributes: true },
  filePath: ({ subset }, image) => `${subset}/ann/${image}.json`,
  imagePath: (subset, image) => `${subset}/img/${image}`,
  object: ({ label, attributes }, outline) => ({
    classTitle: label,
    description: '',
    tags: attributes.map(({ name, value }) => ({ name, value })),
    ...geometryOf(outline),
  }),
  tag: ({ label }) => ({ name: label, value: null }),
  document: ({ width, height }, _image, objects, tags) => ({
    description: '',
    tags,
    size: { height, width },
    objects,
  }),
  files: (task_data) => new Map([['meta.json', metaOf(task_data)]]),
});

export const supervisely = defineFormat({
  name: 'Supervisely',
  version: '1.0',
  support: carries({
    both: ['rectangle', 'polygon', 'polyline', 'points', 'mask', 'tag', 'attribute'],
    converted: ['rotated rectangle', 'ellipse', 'track'],
  }),
  importExt: 'JSON, ZIP',
  detect: detectSupervisely,
  read: importSupervisely,
  write: exportSupervisely,
});
