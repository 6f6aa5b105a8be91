import { brief, isFiniteNumber, isRecord } from '../kit/records.ts';
import type { Attribute, FileLabel } from '../kit/task-data.ts';

/** An object of a scene, or a part of one. */
export interface SceneObject {
  readonly at: string;
  /** Counts up within its level. */
  readonly id: number;
  readonly label: string;
  readonly attributes: readonly Attribute[];
  readonly occluded: boolean;
  /** 0 for a whole object, 1 for its parts, 2 for theirs: they lie over it. */
  readonly level: number;
  readonly polygon?: readonly number[];
  /** The image of its pixels, seen from the document. */
  readonly mask?: string;
}

type Bad = (at: string, reason: string) => void;

const maxLevel = 100;
const texts = ['class', 'attributes'];

/** A label with what the data set says of its objects. */
export function sceneLabel(name: string): FileLabel {
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
export function readRow(line: string, at: string, bad: Bad): SceneObject | null {
  if (line.trim() === '') return null;
  const columns = line.split('#').map((column) => column.trim());
  const [id = '', level = '', occluded, kind, label = '', words = ''] = columns;
  if (columns.length !== 6 || !/^\d{1,9}$/.test(id) || !/^\d{1,2}$/.test(level) || label === '') {
    bad(at, 'must be six columns with # between them: number, level, occluded, class, name, attributes in quotes');
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

/** The objects of a document; null where it is none of ADE20k. Throws `SyntaxError` for what is no JSON. */
export function readDocument(text: string, bad: Bad): SceneObject[] | null {
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
      bad(`${at}.raw_name`, `must be a text, but is ${brief(label)}`);
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
        ...(typeof mask === 'string' && !mask.includes('..') ? { mask } : {}),
      },
    ];
  });
}
