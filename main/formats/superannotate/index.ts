import { boxOfPixelCorners, cornersOf, normalRotation } from '../kit/corner-box.ts';
import { carries, defineFormat } from '../kit/define-format.ts';
import { numbersAt } from '../kit/extra-fields.ts';
import { documentExporter } from '../kit/image-files/document-exporter.ts';
import { elementsOf } from '../kit/image-files/image-lists.ts';
import { addRings, imageDocumentReader, labelAt } from '../kit/image-files/image-documents.ts';
import { byJsonHead } from '../kit/detection.ts';
import type { PlainOutline } from '../kit/plain-outlines.ts';
import { readScore } from '../kit/read-score.ts';
import { brief, isFiniteNumber, isRecord, RecordError } from '../kit/records.ts';
import { addDecimals, ellipsePoints } from '../kit/short-decimals.ts';
import type { Attribute, LabeledShape } from '../kit/task-data.ts';

function flatNumbers(value: unknown, at: string): number[] {
  if (Array.isArray(value) && value.every(isFiniteNumber)) return value;
  throw new RecordError(at, `must be a list of numbers, but is ${brief(value)}`);
}

type Outline = Pick<LabeledShape, 'type' | 'points' | 'rotation'>;

function outlineOf(type: unknown, object: Readonly<Record<string, unknown>>): Outline {
  const { points } = object;
  switch (type) {
    case 'bbox':
      return { type: 'rectangle', points: numbersAt(points, ['x1', 'y1', 'x2', 'y2'], 'points') };
    case 'rbbox': {
      const corners = numbersAt(points, ['x1', 'y1', 'x2', 'y2', 'x3', 'y3', 'x4', 'y4'], 'points');
      return { type: 'rectangle', ...boxOfPixelCorners(corners) };
    }
    case 'polyline':
      return { type: 'polyline', points: flatNumbers(points, 'points') };
    case 'point':
      return { type: 'points', points: numbersAt(object, ['x', 'y'], '') };
    case 'ellipse': {
      const [cx = 0, cy = 0, rx = 0, ry = 0] = numbersAt(object, ['cx', 'cy', 'rx', 'ry'], '');
      const rotation = object['angle'] == null ? 0 : normalRotation(numbersAt(object, ['angle'], '')[0] ?? 0);
      return {
        type: 'ellipse',
        points: ellipsePoints(cx, cy, rx, ry),
        rotation: rotation === 0 ? undefined : rotation,
      };
    }
    default:
      throw new RecordError('type', `${brief(type)} is not supported by a task`);
  }
}

function attributesOf(value: unknown, lose: (rule: string) => void): Attribute[] {
  return elementsOf(value, 'attributes').flatMap(({ value: attribute }): Attribute[] => {
    const { name, groupName } = isRecord(attribute) ? attribute : {};
    const group = typeof groupName === 'string' && groupName !== '' ? groupName : name;
    if (typeof name === 'string' && typeof group === 'string') return [{ name: group, value: name }];
    lose('An attribute has no name.');
    return [];
  });
}

const common = ['id', 'type', 'classId', 'className', 'points', 'attributes', 'groupId', 'probability', 'exclude'];
const shown = ['x', 'y', 'cx', 'cy', 'rx', 'ry', 'angle', 'locked', 'visible', 'createdAt', 'createdBy'];
const made = ['creationType', 'updatedAt', 'updatedBy', 'trackingId', 'error'];

/** Reads SuperAnnotate: one JSON file per image with "metadata" and "instances". */
const importSuperAnnotate = imageDocumentReader({
  needs: 'SuperAnnotate files: JSON about one image, with "metadata" and "instances"',
  isFile: (path) => /\.json$/i.test(path) && !/(^|\/)(classes|config|attributes)\.json$/i.test(path),
  lists: ['instances', 'tags'],
  members: new Set([...common, ...shown, ...made]),
  imageMembers: new Set(['metadata', 'instances', 'tags']),
  documentOf({ values, lists }, path) {
    const metadata = values.get('metadata');
    const instances = lists.get('instances');
    if (!isRecord(metadata) || !instances) return null;
    const { name: image, width, height } = metadata;
    // `a.jpg.json`, or `a.jpg___objects.json` of older exports, below an annotations folder or beside the images.
    const own = path.replace(/(___(objects|pixel))?\.json$/i, '').replace(/^(.*\/)?annotations\//, '');
    const names = [/\.[a-z]{3,4}$/i.test(own) ? own : `${own}.jpg`, ...(typeof image === 'string' ? [image] : [])];
    const tags = (lists.get('tags') ?? []).map(({ at, value }) => ({ at, value: { type: 'tag', className: value } }));
    return { names, width, height, objects: [...instances, ...tags] };
  },
  subsetOf: (path) => /^(?:.*\/)?annotations\/([^/]+)\//.exec(path)?.[1] ?? /^([^/]+)\//.exec(path)?.[1] ?? 'default',
  addObject(object, place) {
    const { type, className, probability, groupId, exclude } = object;
    const { add, frame, at, path, groupOf, noteUnread, report } = place;
    const label = labelAt(className, 'className');
    noteUnread(object, label);
    const lose = (rule: string): void => report.dropped('attribute', label, rule);
    const attributes = attributesOf(object['attributes'], lose);
    const group = groupId === 0 ? 0 : groupOf(path, groupId);
    const base = { frame: frame.frame, label, attributes, group, source: 'file' as const };
    if (type === 'tag') return add.tag(base, at);
    const fields = {
      ...base,
      occluded: false,
      z_order: 0,
      ...readScore(probability === 100 ? undefined : probability, lose, 100),
    };
    if (type !== 'polygon') return add.shape({ ...fields, ...outlineOf(type, object) }, at);
    const holes = elementsOf(exclude, 'exclude').map((ring) => flatNumbers(ring.value, ring.at));
    return addRings(place, [flatNumbers(object['points'], 'points'), ...holes], fields, 'exclude');
  },
});

const detectSuperAnnotate = byJsonHead(({ path, isList, has }) =>
  !isList && has('metadata') && has('instances')
    ? { reason: `${path} is JSON with "metadata" of an image and "instances".`, confidence: 0.95 }
    : null,
);

function membersOf({ kind, points, rotation }: PlainOutline): Record<string, unknown> {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points;
  switch (kind) {
    case 'rectangle':
      return { type: 'bbox', points: { x1, y1, x2, y2 } };
    case 'rotated rectangle': {
      const corners = cornersOf({ points, rotation });
      const named = corners.map((value, index) => [
        `${index % 2 === 0 ? 'x' : 'y'}${Math.floor(index / 2) + 1}`,
        value,
      ]);
      return { type: 'rbbox', points: Object.fromEntries(named) };
    }
    case 'point':
      return { type: 'point', x: x1, y: y1 };
    case 'ellipse':
      return { type: 'ellipse', cx: x1, cy: y1, rx: addDecimals(x2, -x1), ry: addDecimals(y1, -y2), angle: rotation };
    default:
      return { type: kind, points, exclude: kind === 'polygon' ? [] : undefined };
  }
}

const writtenAttributes = (attributes: readonly Attribute[]) =>
  attributes.map(({ name, value }) => ({ name: value, groupName: name }));

/** Writes `annotations/<subset>/<image>.json` per image, `classes/classes.json`, and `images/<subset>/<image>`. */
const exportSuperAnnotate = documentExporter({
  format: 'SuperAnnotate JSON',
  kinds: new Set(['rectangle', 'rotated rectangle', 'polygon', 'polyline', 'point', 'ellipse']),
  kept: { attributes: true, group: true, score: true, rotation: true },
  filePath: ({ subset }, image) => `annotations/${subset}/${image}.json`,
  imagePath: (subset, image) => `images/${subset}/${image}`,
  object: ({ label, group, score = 1, attributes }, outline) => ({
    ...membersOf(outline),
    className: label,
    probability: addDecimals(score * 100, 0),
    groupId: group,
    pointLabels: {},
    locked: false,
    visible: true,
    attributes: writtenAttributes(attributes),
  }),
  tag: ({ label, group, attributes }) => ({
    type: 'tag',
    className: label,
    groupId: group,
    attributes: writtenAttributes(attributes),
  }),
  document: ({ width, height }, image, objects, tags) => ({
    metadata: { name: image, width, height, status: 'Completed' },
    instances: [...objects, ...tags],
    tags: [],
    comments: [],
  }),
  files: ({ meta }) => {
    const classes = meta.labels.map(({ name, color }, index) => ({ id: index + 1, name, color, attribute_groups: [] }));
    return new Map([['classes/classes.json', `${JSON.stringify(classes)}\n`]]);
  },
});

export const superAnnotate = defineFormat({
  name: 'SuperAnnotate JSON',
  version: '1.0',
  support: carries({
    both: ['rectangle', 'rotated rectangle', 'ellipse', 'polygon', 'polyline', 'points', 'tag', 'attribute'],
    converted: ['mask', 'track'],
  }),
  importExt: 'JSON, ZIP',
  detect: detectSuperAnnotate,
  read: importSuperAnnotate,
  write: exportSuperAnnotate,
});
