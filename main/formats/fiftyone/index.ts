import type { Source } from '../io/source.ts';
import { boxExtent, boxFromExtent } from '../kit/box-extent.ts';
import { createItemNames } from '../kit/dataset-items.ts';
import { carries, type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { attributesOfRecord } from '../kit/extra-fields.ts';
import { createDocumentAdder, type ObjectPlace } from '../kit/image-files/image-documents.ts';
import { asImageName, readImageFiles, subsetOfPath } from '../kit/image-files/read-image-files.ts';
import { listExporter } from '../kit/image-files/list-exporter.ts';
import { readJsonDocument, readReportedJson } from '../kit/json-document.ts';
import { byJsonHead } from '../kit/detection.ts';
import type { Exporter } from '../kit/plugin.ts';
import { readScore } from '../kit/read-score.ts';
import { brief, isFiniteNumber, isRecord, RecordError } from '../kit/records.ts';
import { warnOfSharedNames } from '../kit/shared-names.ts';
import { withoutNoise } from '../kit/short-decimals.ts';
import { sharesProblem } from '../kit/units.ts';

type Classes = readonly unknown[];

function labelOf(value: unknown, classes: Classes, at: string): string {
  const name = typeof value === 'number' ? classes[value] : value;
  if (typeof name === 'string' && name !== '') return name;
  throw new RecordError(at, `must be a label or a class number, but is ${brief(value)}`);
}

/** Left, top, width and height as fractions of the image. */
function boxOf(value: unknown, width: number, height: number): number[] {
  const sides: readonly unknown[] = Array.isArray(value) ? value : [];
  if (sides.length !== 4 || !sides.every(isFiniteNumber))
    throw new RecordError('bounding_box', `must be four numbers, but is ${brief(value)}`);
  if (!(width > 0 && height > 0)) throw new RecordError('bounding_box', 'is in fractions of an image of unknown size');
  const problem = sharesProblem(sides);
  if (problem !== undefined) throw new RecordError('bounding_box', problem);
  const [x = 0, y = 0, w = 0, h = 0] = sides.map((side, index) => side * (index % 2 === 0 ? width : height));
  const points = boxFromExtent([x, y, w, h]);
  if (typeof points === 'string') throw new RecordError('bounding_box', points);
  return points.map(withoutNoise);
}

const createObjectAdder =
  (classes: Classes) =>
  (object: Readonly<Record<string, unknown>>, { add, frame, at, noteUnread, report }: ObjectPlace): void => {
    const { label: stated, bounding_box: box, confidence, attributes: others } = object;
    const label = labelOf(stated, classes, 'label');
    noteUnread(object, label);
    const lose = (rule: string): void => report.dropped('attribute', label, rule);
    const attributes = attributesOfRecord(others, lose);
    const score = readScore(confidence, lose);
    if (score.score !== undefined && box === undefined) lose('Image-level labels have no confidence.');
    if (box === undefined) return add.tag({ frame: frame.frame, label, attributes, group: 0, source: 'file' }, at);
    const points = boxOf(box, frame.width, frame.height);
    const fields = { frame: frame.frame, label, attributes, occluded: false, group: 0, z_order: 0, ...score };
    return add.shape({ ...fields, type: 'rectangle', points, source: 'file' }, at);
  };

/** Classes of a file. Class numbers need them first, and they can be behind the labels. */
async function readClassesFirst(source: Source, path: string): Promise<Classes> {
  const classes: unknown[] = [];
  try {
    await readJsonDocument(source, path, {
      object: () => ({ array: () => 'skip', bad: () => undefined, badValue: () => undefined }),
      bad: () => undefined,
      badValue: () => undefined,
      array: (key) => (key === 'classes' ? (items) => void classes.push(...items) : 'skip'),
    });
  } catch {
    // The second pass reports the reason.
  }
  return classes;
}

/** Reads FiftyOne's layout: `labels.json` with the classes and, by image name, boxes or a label. */
const importFiftyOne: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  let classes: Classes = [];
  const adder = createDocumentAdder(
    {
      members: new Set(['label', 'bounding_box', 'confidence', 'attributes']),
      imageMembers: new Set(),
      addObject: (object, place) => createObjectAdder(classes)(object, place),
    },
    task_data,
    options,
  );

  const read = async (path: string, progress: (fraction: number) => void): Promise<boolean> => {
    let isFound = false;
    classes = await readClassesFirst(source, path);
    const take = (image: string, values: readonly unknown[], first = 0): Promise<void> => {
      const objects = values.map((value, index) => ({
        at: `[${first + index}]`,
        value: isRecord(value) ? value : { label: value },
      }));
      return adder.add(
        path,
        `labels.${image.slice(0, 200)}`,
        { names: [asImageName(image)], objects },
        subsetOfPath(path),
      );
    };
    await readReportedJson(source, path, options, {
      object(key) {
        if (key !== 'labels') return undefined;
        isFound = true;
        return {
          array:
            (image = '') =>
            (items, first) =>
              take(image, items, first),
          value: (image = '', value) => (value === null ? undefined : take(image, [value])),
          badValue: (image, reason) => report.invalid(path, `labels.${image.slice(0, 200)}`, reason),
          bad: ({ key: image = '', index, reason }) => report.invalid(path, `labels.${image}[${index}]`, reason),
        };
      },
      array: () => 'skip',
      progress,
    });
    warnOfSharedNames(
      report,
      path,
      classes.flatMap((name, index) => (typeof name === 'string' ? [[index, name] as const] : [])),
    );
    for (const name of classes) if (typeof name === 'string' && name !== '') task_data.declare_label?.({ name });
    if (!isFound) report.warn(`${path} was left out: it has no object "labels".`);
    return isFound;
  };

  const needs = 'labels of FiftyOne: JSON with "classes" and an object "labels"';
  await readImageFiles(source, task_data, options, { needs, read });
  adder.finish();
};

const ownKeys = new Set(['info', 'classes', 'labels']);

const detectFiftyOne = byJsonHead(({ path, text, isList, keys, has }) => {
  const isOurs = !isList && has('labels') && keys.every((key) => ownKeys.has(key)) && /"labels"\s*:\s*\{/.test(text);
  if (!isOurs) return null;
  const isSure = has('classes') || /"bounding_box"\s*:/.test(text);
  return { reason: `${path} is JSON with the labels of each image by its name.`, confidence: isSure ? 0.95 : 0.6 };
});

const format = 'FiftyOne';

/** Fields of FiftyOne's detection class. It rejects an object whose attribute has such a name. */
const ownFields = new Set([
  'id',
  'label',
  'tags',
  'bounding_box',
  'mask',
  'mask_path',
  'confidence',
  'index',
  'instance',
]);

/**
 * Writes `<subset>/labels.json` with boxes in fractions, by image name without the extension; images in
 * `<subset>/data`.
 */
const exportFiftyOne: Exporter = (file_object, task_data, options) => {
  const { report } = options;
  const names = createItemNames({ format, report });
  const classes = JSON.stringify(task_data.meta.labels.map(({ name }) => name));
  return listExporter({
    format,
    kinds: new Set(['rectangle']),
    kept: { attributes: true, score: true },
    listPath: (subset) => `${subset}/labels.json`,
    imagePath: (subset, image) => `${subset}/data/${image}`,
    head: `{"classes":${classes},"labels":{`,
    tail: '\n}}\n',
    before(frame) {
      const item = names.claim(frame);
      return item && `${JSON.stringify(item.stem)}:`;
    },
    object({ label, attributes, score }, { points }, { frame }) {
      const sides = [frame.width, frame.height].map((side) => (side > 0 ? side : 1));
      const own = attributes.filter(({ name }) => !ownFields.has(name));
      for (const { name } of attributes)
        if (ownFields.has(name)) report.dropped('attribute', label, `${format} has its own field "${name}".`);
      return {
        label,
        bounding_box: boxExtent(points).map((side, index) => side / (sides[index % 2] ?? 1)),
        confidence: score === undefined || score === 1 ? undefined : score,
        attributes: own.length === 0 ? undefined : Object.fromEntries(own.map(({ name, value }) => [name, value])),
      };
    },
    element: (_frame, _image, objects) => objects,
  })(file_object, task_data, options);
};

export const fiftyOne = defineFormat({
  name: 'FiftyOne',
  version: '1.0',
  statesShares: true,
  support: carries({ both: ['rectangle', 'attribute'], import: ['tag'], converted: ['track'] }),
  importExt: 'JSON, ZIP',
  detect: detectFiftyOne,
  read: importFiftyOne,
  write: exportFiftyOne,
});
