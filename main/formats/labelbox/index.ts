import { boxOfPoints } from '../../../preload/geometry/geometry.ts';
import { extentBox } from '../kit/box-extent.ts';
import { carries, defineFormat } from '../kit/define-format.ts';
import { byHead } from '../kit/detection.ts';
import { numbersAt, pairsOf, readPairs } from '../kit/extra-fields.ts';
import { labelAt } from '../kit/image-files/image-documents.ts';
import { elementsOf, imageListReader } from '../kit/image-files/image-lists.ts';
import { listExporter } from '../kit/image-files/list-exporter.ts';
import type { JsonElement } from '../kit/json-document.ts';
import type { PlainOutline } from '../kit/plain-outlines.ts';
import { asText, brief, isRecord, optionalRecord, RecordError } from '../kit/records.ts';
import { addDecimals } from '../kit/short-decimals.ts';
import type { Attribute } from '../kit/task-data.ts';
import { saysSomething } from '../kit/unread-members.ts';

/** Place of image classifications in the report. */
const ofImage = 'classification';
/** Place of links between objects in the report. */
const ofLink = 'relationship';
const outlines = ['bounding_box', 'polygon', 'line', 'point'];

type Members = Readonly<Record<string, unknown>>;

/** Answers of a classification: one, several, or a text. Passes answers of other kinds to `lose` as a rule. */
function answersOf(value: Members, lose: (rule: string) => void): string[] {
  const { name: question, radio_answer: radio, checklist_answers: list, text_answer: text } = value;
  const shown = brief(question);
  const answers = [radio, ...elementsOf(list, 'checklist_answers').map((one) => one.value), text];
  const names = answers.flatMap((answer) => {
    if (answer === undefined || answer === null) return [];
    const name = isRecord(answer) ? (answer['name'] ?? answer['value'] ?? answer['content']) : answer;
    if (isRecord(answer) && saysSomething(answer['classifications']))
      lose(`An answer to ${shown} has further questions, which a task has no field for.`);
    if (typeof name !== 'string' && typeof name !== 'number') lose(`An answer to ${shown} has no text.`);
    return asText(name) === '' ? [] : [asText(name)];
  });
  if (answers.every((answer) => answer === undefined || answer === null)) lose(`${shown} has no answer.`);
  return names;
}

function attributesOf(classifications: unknown, lose: (rule: string) => void): Attribute[] {
  return elementsOf(classifications, 'classifications').flatMap(({ value }) => {
    const name = isRecord(value) ? value['name'] : undefined;
    if (!isRecord(value) || typeof name !== 'string') {
      lose('A classification has no name.');
      return [];
    }
    const answers = answersOf(value, lose);
    return answers.length > 0 ? [{ name, value: answers.join(', ') }] : [];
  });
}

function objectsOf(projects: unknown): JsonElement[] {
  return Object.entries(optionalRecord(projects, 'projects') ?? {}).flatMap(([id, project]) => {
    const place = `projects.${id}`;
    return elementsOf(optionalRecord(project, place)?.['labels'], `${place}.labels`).flatMap(({ at, value }) => {
      const annotations = optionalRecord(optionalRecord(value, at)?.['annotations'], `${at}.annotations`) ?? {};
      const listOf = (name: string): JsonElement[] => elementsOf(annotations[name], `${at}.annotations.${name}`);
      const wrapped = (name: string, member: string): JsonElement[] =>
        listOf(name).map((one) => ({ at: one.at, value: { [member]: one.value } }));
      return [
        ...listOf('objects'),
        ...wrapped('classifications', ofImage),
        ...wrapped('relationships', ofLink),
        ...(isRecord(annotations['frames'])
          ? [{ at: `${at}.annotations.frames`, value: { annotation_kind: 'Video' } }]
          : []),
      ];
    });
  });
}

/** Reads Labelbox exports: one line of JSON per image, or a list. */
const importLabelbox = imageListReader({
  needs: 'exports of Labelbox: lines of JSON with "data_row" and "projects"',
  members: new Set(
    'feature_id feature_schema_id name value annotation_kind classifications mask composite_mask'.split(' '),
  ),
  imageMembers: new Set(['data_row', 'media_attributes', 'projects']),
  documentOf(element) {
    const { data_row: row, media_attributes: media, projects } = element;
    if (!isRecord(row)) return null;
    const stated = [row['external_id'], row['global_key'], row['row_data']].filter(
      (name): name is string => typeof name === 'string' && name !== '',
    );
    const { width, height } = isRecord(media) ? media : {};
    return { names: stated, width, height, objects: objectsOf(projects) };
  },
  subsetOf: (path) => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, ''),
  addObject(object, place) {
    const { add, frame, at, report } = place;
    const base = { frame: frame.frame, group: 0, source: 'file' as const };
    const classification = object[ofImage];
    if (ofLink in object) throw new RecordError('', 'links objects, which a task has no field for');
    if (ofImage in object) {
      if (!isRecord(classification)) throw new RecordError('', `must be an object, but is ${brief(classification)}`);
      const answers = answersOf(classification, (rule) => report.dropped('tag', asText(classification['name']), rule));
      if (answers.length === 0) throw new RecordError('', 'has no answer');
      for (const label of answers) add.tag({ ...base, label, attributes: [] }, at);
      return;
    }
    const { bounding_box: box, polygon, line, point, classifications } = object;
    if (object['annotation_kind'] === 'Video')
      throw new RecordError('', 'belongs to video frames, which are not supported');
    const label = labelAt(object['name'], 'name');
    if (saysSomething(object['mask'] ?? object['composite_mask']))
      throw new RecordError('mask', 'is an image at a URL, which is not downloaded');
    const used = outlines.find((name) => object[name] !== undefined && object[name] !== null);
    const { [used ?? '']: _used, ...others } = object;
    place.noteUnread(others, label);
    const attributes = attributesOf(classifications, (rule) => report.dropped('attribute', label, rule));
    const fields = { ...base, label, attributes, occluded: false, z_order: 0 };
    switch (used) {
      case 'bounding_box': {
        const extent = numbersAt(box, ['left', 'top', 'width', 'height'], 'bounding_box');
        return add.shape({ ...fields, type: 'rectangle', points: extentBox(extent, 'bounding_box') }, at);
      }
      case 'polygon':
        return add.shape({ ...fields, type: 'polygon', points: readPairs(polygon, 'polygon') }, at);
      case 'line':
        return add.shape({ ...fields, type: 'polyline', points: readPairs(line, 'line') }, at);
      case 'point':
        return add.shape({ ...fields, type: 'points', points: readPairs([point], 'point') }, at);
      default:
        throw new RecordError('', 'has no outline that a task supports');
    }
  },
});

const detectLabelbox = byHead(/\.(nd)?json(l)?$/i, ({ path, text }) =>
  /^\s*\[?\s*\{/.test(text) && /"data_row"\s*:\s*\{/.test(text)
    ? { reason: `${path} has a "data_row" for each image.`, confidence: 0.97 }
    : null,
);

const pointsOf = (points: readonly number[]) => pairsOf(points).map(([x, y]) => ({ x, y }));

function outlineOf({ kind, points }: PlainOutline): Record<string, unknown> {
  switch (kind) {
    case 'rectangle': {
      const { left = 0, top = 0, right = 0, bottom = 0 } = boxOfPoints(points) ?? {};
      const box = { top, left, height: addDecimals(bottom, -top), width: addDecimals(right, -left) };
      return { annotation_kind: 'ImageBoundingBox', bounding_box: box };
    }
    case 'polyline':
      return { annotation_kind: 'ImagePolyline', line: pointsOf(points) };
    case 'point':
      return { annotation_kind: 'ImagePoint', point: pointsOf(points)[0] };
    default:
      return { annotation_kind: 'ImagePolygon', polygon: pointsOf(points) };
  }
}

/** Writes `<subset>.ndjson`, one line per image; images in `images/<subset>`. */
const exportLabelbox = listExporter({
  format: 'Labelbox',
  kinds: new Set(['rectangle', 'polygon', 'polyline', 'point']),
  kept: { attributes: true, lacksEmptyValues: true },
  isLines: true,
  listPath: (subset) => `${subset}.ndjson`,
  imagePath: (subset, image) => `images/${subset}/${image}`,
  object: ({ label, attributes }, outline) => ({
    name: label,
    ...outlineOf(outline),
    classifications: attributes.map(({ name, value }) => ({ name, text_answer: { content: value } })),
  }),
  tag: ({ label }) => ({ name: label }),
  element: ({ width, height, task_id, frame }, { name, path }, objects, tags) => {
    const classifications = tags.length > 0 ? [{ name: 'labels', checklist_answers: tags }] : [];
    return {
      data_row: { id: `${task_id}-${frame}`, external_id: name, row_data: path },
      media_attributes: { width, height },
      projects: {
        limner: { name: 'Limner', labels: [{ label_kind: 'Default', annotations: { objects, classifications } }] },
      },
    };
  },
});

export const labelbox = defineFormat({
  name: 'Labelbox NDJSON',
  version: '1.0',
  support: carries({
    both: ['rectangle', 'polygon', 'polyline', 'points', 'tag', 'attribute'],
    converted: ['rotated rectangle', 'ellipse', 'mask', 'track'],
  }),
  importExt: 'NDJSON, JSON, ZIP',
  detect: detectLabelbox,
  read: importLabelbox,
  write: exportLabelbox,
});
