import { boxOfPoints } from '../../../preload/geometry/geometry.ts';
import { carries, defineFormat } from '../kit/define-format.ts';
import { byHead } from '../kit/detection.ts';
import { numbersAt, pairsOf, readPairs } from '../kit/extra-fields.ts';
import { labelAt } from '../kit/image-files/image-documents.ts';
import { elementsOf, imageListReader } from '../kit/image-files/image-lists.ts';
import { listExporter } from '../kit/image-files/list-exporter.ts';
import type { JsonElement } from '../kit/json-document.ts';
import type { PlainOutline } from '../kit/plain-outlines.ts';
import { isRecord, RecordError } from '../kit/records.ts';
import { addDecimals } from '../kit/short-decimals.ts';
import type { Attribute } from '../kit/task-data.ts';

/** Place of image classifications in the report. */
const ofImage = 'classification';

/** Answers of a classification: one, several, or a text. */
function answersOf(value: Readonly<Record<string, unknown>>): string[] {
  const { radio_answer: radio, checklist_answers: list, text_answer: text } = value;
  const nameOf = (answer: unknown): string[] => {
    const name = isRecord(answer) ? (answer['name'] ?? answer['value'] ?? answer['content']) : answer;
    return typeof name === 'string' && name !== '' ? [name] : [];
  };
  return [...nameOf(radio), ...elementsOf(list, '').flatMap((one) => nameOf(one.value)), ...nameOf(text)];
}

function attributesOf(classifications: unknown): Attribute[] {
  return elementsOf(classifications, '').flatMap(({ value }) => {
    const name = isRecord(value) ? value['name'] : undefined;
    if (!isRecord(value) || typeof name !== 'string') return [];
    const answers = answersOf(value);
    return answers.length > 0 ? [{ name, value: answers.join(', ') }] : [];
  });
}

/** All labels of an image from all projects. */
function objectsOf(projects: unknown): JsonElement[] {
  if (!isRecord(projects)) return [];
  return Object.entries(projects).flatMap(([id, project]) =>
    elementsOf(isRecord(project) ? project['labels'] : undefined, `projects.${id}.labels`).flatMap(({ at, value }) => {
      const annotations = isRecord(value) ? value['annotations'] : undefined;
      if (!isRecord(annotations)) return [];
      const { frames } = annotations;
      return [
        ...elementsOf(annotations['objects'], `${at}.annotations.objects`),
        ...elementsOf(annotations['classifications'], `${at}.annotations.classifications`).map((one) => ({
          at: one.at,
          value: { [ofImage]: one.value },
        })),
        ...(isRecord(frames) ? [{ at: `${at}.annotations.frames`, value: { annotation_kind: 'Video' } }] : []),
      ];
    }),
  );
}

/** Reads Labelbox exports: one line of JSON per image, or a list. */
const importLabelbox = imageListReader({
  needs: 'exports of Labelbox: lines of JSON with "data_row" and "projects"',
  members: new Set(
    'feature_id feature_schema_id name value annotation_kind bounding_box polygon line point classifications'.split(
      ' ',
    ),
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
  addObject(object, { add, frame, at, noteUnread }) {
    const base = { frame: frame.frame, group: 0, source: 'file' as const };
    const classification = object[ofImage];
    if (isRecord(classification)) {
      const answers = answersOf(classification);
      if (answers.length === 0) throw new RecordError('', 'has no answer');
      for (const label of answers) add.tag({ ...base, label, attributes: [] }, at);
      return;
    }
    const { bounding_box: box, polygon, line, point, classifications } = object;
    if (object['annotation_kind'] === 'Video')
      throw new RecordError('', 'belongs to video frames, which are not supported');
    const label = labelAt(object['name'], 'name');
    if ('mask' in object || 'composite_mask' in object)
      throw new RecordError('mask', 'is an image at a URL, which is not downloaded');
    noteUnread(object, label);
    const fields = { ...base, label, attributes: attributesOf(classifications), occluded: false, z_order: 0 };
    if (isRecord(box)) {
      const sides = ['left', 'top', 'width', 'height'];
      const [left = 0, top = 0, width = 0, height = 0] = numbersAt(box, sides, 'bounding_box');
      if (width < 0 || height < 0) throw new RecordError('bounding_box', 'has a negative size');
      const points = [left, top, addDecimals(left, width), addDecimals(top, height)];
      add.shape({ ...fields, type: 'rectangle', points }, at);
    } else if (polygon !== undefined)
      add.shape({ ...fields, type: 'polygon', points: readPairs(polygon, 'polygon') }, at);
    else if (line !== undefined) add.shape({ ...fields, type: 'polyline', points: readPairs(line, 'line') }, at);
    else if (point !== undefined) add.shape({ ...fields, type: 'points', points: readPairs([point], 'point') }, at);
    else throw new RecordError('', 'has no outline that a task supports');
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
