import { AppError } from '../../platform/errors.ts';
import type { Source } from '../io/source.ts';
import { decodeText } from '../io/text-encoding.ts';
import { splitLines } from '../io/text-lines.ts';
import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { datasetImporter, type DatasetReader } from '../kit/define-format.ts';
import { amongFiles, readJsonHeads } from '../kit/detection.ts';
import { findFrame } from '../kit/find-frame.ts';
import { imageNames, readImageFiles, subsetOfPath } from '../kit/image-files/read-image-files.ts';
import { createMaskAdder } from '../kit/mask-files/add-masks.ts';
import { nothing, setPixels, tryReadImage, trySplit } from '../kit/mask-files/read-classes.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import { brief, isFiniteNumber, isRecord } from '../kit/records.ts';
import type { Attribute, FileLabel, FrameInfo } from '../kit/task-data.ts';

interface SceneObject {
  readonly at: string;
  /** Numbered within its level. */
  readonly id: number;
  readonly label: string;
  readonly attributes: readonly Attribute[];
  readonly occluded: boolean;
  /** 0 for an object, 1 for its parts, 2 for parts of parts. Higher levels cover lower ones. */
  readonly level: number;
  readonly polygon?: readonly number[];
  /** Path of its pixel mask, relative to the document. */
  readonly mask?: string;
}

type Bad = (at: string, reason: string) => void;

const maxLevel = 100;
const texts = ['class', 'attributes'];

/** A label with the attributes that ADE20k states for its objects. */
function sceneLabel(name: string): FileLabel {
  const text = (one: string) => ({ name: one, mutable: false, input_type: 'text', default_value: '', values: [] });
  return { name, attributes: texts.map(text) };
}

function attributesOf(label: string, kind: unknown, words: unknown): Attribute[] {
  const list = Array.isArray(words) ? words.filter((word) => typeof word === 'string').join(', ') : words;
  return [
    ...(typeof kind === 'string' && kind !== '' && kind !== label ? [{ name: 'class', value: kind }] : []),
    ...(typeof list === 'string' && list.trim() !== '' ? [{ name: 'attributes', value: list.trim() }] : []),
  ];
}

/** `number # level # occluded # class # name # "attributes"`; null for an empty line. */
function readRow(line: string, at: string, bad: Bad): SceneObject | null {
  if (line.trim() === '') return null;
  const columns = line.split('#').map((column) => column.trim());
  const [id = '', level = '', occluded, kind, label = '', words = ''] = columns;
  if (columns.length !== 6 || !/^\d{1,9}$/.test(id) || !/^\d{1,2}$/.test(level) || label === '') {
    bad(at, 'must be six columns separated by #: number, level, occluded, class, name, attributes in quotes');
    return null;
  }
  const attributes = attributesOf(label, kind, /^"(.*)"$/.exec(words)?.[1] ?? words);
  return { at, id: Number(id), label, attributes, occluded: occluded === '1', level: Number(level) };
}

function pointsOf(polygon: unknown): number[] {
  const { x, y } = isRecord(polygon) ? polygon : {};
  if (!Array.isArray(x) || !Array.isArray(y) || x.length !== y.length) return [];
  return x.flatMap((value: unknown, index) => [Number(value), Number(y[index])]);
}

/** Objects of a document; null if it is not an ADE20k document. Throws `SyntaxError` for invalid JSON. */
function readDocument(text: string, bad: Bad): SceneObject[] | null {
  const document: unknown = JSON.parse(text);
  const annotation = isRecord(document) ? document['annotation'] : undefined;
  const list = isRecord(annotation) ? annotation['object'] : undefined;
  if (!Array.isArray(list)) return null;
  return list.flatMap((object: unknown, index): SceneObject[] => {
    const at = `annotation.object[${index}]`;
    const {
      raw_name: label,
      name,
      attributes,
      occluded,
      parts,
      polygon,
      instance_mask: mask,
      id,
    } = isRecord(object) ? object : {};
    if (typeof label !== 'string' || label === '') {
      bad(`${at}.raw_name`, `must be a string, but is ${brief(label)}`);
      return [];
    }
    const level = isRecord(parts) ? parts['part_level'] : 0;
    return [
      {
        at,
        id: isFiniteNumber(id) ? id : index,
        label,
        attributes: attributesOf(label, name, attributes),
        occluded: occluded === 'yes',
        level: Number.isInteger(level) && Number(level) >= 0 && Number(level) <= maxLevel ? Number(level) : 0,
        polygon: pointsOf(polygon),
        mask: typeof mask === 'string' && !mask.includes('..') ? mask : undefined,
      },
    ];
  });
}

const maxTextBytes = 64 * 1024 * 1024;
const isTable = (path: string): boolean => /_atr\.txt$/i.test(path);
const isFile = (path: string): boolean => isTable(path) || /\.json$/i.test(path);

const subsetOf = (path: string): string =>
  /(?:^|\/)(train(?:ing)?|val(?:idation)?|test(?:ing)?|consistencyset)\//i.exec(path)?.[1] ?? subsetOfPath(path);
const stemOf = (path: string): string => path.replace(/_atr\.txt$|\.json$/i, '');
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Blue value of each pixel: an object number, ascending in the order of the table. 0 is background. */
async function readInstances(source: Source, path: string, report: Parameters<typeof tryReadImage>[2]) {
  const image = await tryReadImage(source, path, report);
  if (!image) return undefined;
  const found = trySplit(
    image,
    (index) => {
      const blue = image.valueAt(index) & 255;
      return blue === 0 ? nothing : blue;
    },
    path,
    report,
  );
  return { image, masks: [...found.values()] };
}

/**
 * Reads ADE20k. The 2016 release has a table of objects beside pixel masks, one for the scene and one for each level of
 * parts. The 2021 release has a JSON document with polygons for each image.
 */
const importAde20k: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const masks = createMaskAdder(report, options.conv_mask_to_poly);
  const sizes = createSizeWatch(report);

  const fieldsOf = ({ label, attributes, occluded, level }: SceneObject, { frame }: FrameInfo) => {
    task_data.declare_label?.(sceneLabel(label));
    return { frame, label, attributes, occluded, z_order: level, source: 'file' as const };
  };

  const addMasks = async (path: string, objects: readonly SceneObject[], frame: FrameInfo): Promise<void> => {
    const add = createAnnotationAdder(task_data, report, path);
    for (const [level, ofLevel] of [...Map.groupBy(objects, (object) => object.level)].toSorted(([a], [b]) => a - b)) {
      const imagePath = `${stemOf(path)}${level === 0 ? '_seg' : `_parts_${level}`}.png`;
      const read = source.has(imagePath) ? await readInstances(source, imagePath, report) : undefined;
      if (!source.has(imagePath)) report.invalid(path, `level ${level}`, `${imagePath} is not in the dataset`);
      if (!read) continue;
      sizes.compare(imagePath, read.image, frame);
      for (const object of ofLevel) {
        const mask = read.masks[object.id - 1];
        if (mask) masks.add(add, mask.points, fieldsOf(object, frame), object.at);
        else report.invalid(path, object.at, `${imagePath} has no pixel of the object ${object.id}`);
      }
    }
  };

  const addOutlines = async (path: string, objects: readonly SceneObject[], frame: FrameInfo): Promise<void> => {
    const add = createAnnotationAdder(task_data, report, path);
    for (const object of objects) {
      const fields = { ...fieldsOf(object, frame), group: 0 };
      const { polygon = [], mask, at } = object;
      if (polygon.length >= 6) add.shape({ ...fields, type: 'polygon', points: polygon }, at);
      else if (mask === undefined || !source.has(folderOf(path) + mask))
        report.invalid(path, at, 'has no polygon, and the dataset has no image with its pixels');
      else {
        const image = await tryReadImage(source, folderOf(path) + mask, report);
        const points = image && setPixels(image, mask, report);
        if (points) masks.add(add, points, fields, at);
        else report.invalid(path, at, `${mask} has no pixel of it`);
      }
    }
  };

  const read = async (path: string): Promise<boolean> => {
    const text = decodeText(await source.read(path, maxTextBytes), path);
    let objects: SceneObject[] | null;
    try {
      const bad = (at: string, reason: string): void => report.invalid(path, at, reason);
      objects = isTable(path)
        ? splitLines(Buffer.from(text)).flatMap((line, index) => readRow(line, `line ${index + 1}`, bad) ?? [])
        : readDocument(text, bad);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      report.invalid(path, 'the JSON', error.message);
      return false;
    }
    if (!objects) {
      report.warn(`${path} was left out: it is of another format.`);
      return false;
    }
    const [name = ''] = imageNames(`${stemOf(path)}.json`, undefined);
    const frame = findFrame(task_data, [name], subsetOf(path), path);
    if (!frame) {
      report.invalid(path, 'the image', `"${name}" is not in the task: its ${objects.length} objects were left out`);
      return true;
    }
    await (isTable(path) ? addMasks : addOutlines)(path, objects, frame);
    return true;
  };

  const needs = 'scenes of ADE20k: …_atr.txt beside …_seg.png, or JSON with "annotation" and its objects';
  if (source.kind === 'file') {
    throw new AppError(
      'invalid',
      `${source.name} is a single file: ADE20k needs an archive or a folder with its mask images. Nothing was imported.`,
    );
  }
  await readImageFiles(source, task_data, options, { isFile, needs, read });
  sizes.finish();
};

const detectAde20k = amongFiles(async (source) => {
  const table = source.entries.find(({ path }) => isTable(path))?.path;
  if (table !== undefined && source.has(`${stemOf(table)}_seg.png`))
    return { reason: `${table} is beside an image of its objects, as in ADE20k.`, confidence: 0.97 };
  const heads = await readJsonHeads(source);
  const found = heads.find(({ has, text }) => has('annotation') && /"raw_name"\s*:/.test(text));
  return found ? { reason: `${found.path} has the objects of a scene, as in ADE20k.`, confidence: 0.96 } : null;
});

export const ade20kImporter = datasetImporter({
  name: 'ADE20k',
  version: '1.0',
  ext: 'ZIP',
  legacyEncoding: 'windows-1252',
  support: { polygon: 'import', mask: 'import', attribute: 'import' },
  detect: detectAde20k,
})(importAde20k);
