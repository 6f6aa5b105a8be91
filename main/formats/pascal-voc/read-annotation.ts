import { numberIn, readAnnotationXml, readElement } from '../kit/annotation-xml.ts';
import { RecordError } from '../kit/records.ts';
import { type ReadAttributes, readAttributes } from '../kit/read-attributes.ts';
import { childOf, textOf, type XmlNode } from '../io/xml-children.ts';
import type { FormatReport } from '../kit/report.ts';
import { normalRotation } from '../kit/corner-box.ts';
import type { Attribute, LabeledShape, LabelInfo } from '../kit/task-data.ts';

/** An object of an annotation file, or a part of one. */
export interface VocObject {
  readonly label: string;
  readonly points: readonly number[];
  readonly line: number;
  readonly fields: ReadAttributes;
  /** What the format itself states of an object: it becomes attributes where the label has them, or where it says something. */
  readonly stated: readonly { readonly name: string; readonly value: string; readonly isDefault: boolean }[];
  readonly parts: readonly Pick<VocObject, 'label' | 'points' | 'line'>[];
}

export interface VocAnnotation {
  readonly fileName: string | undefined;
  readonly objects: readonly VocObject[];
}

export interface ReadingOptions {
  readonly file: string;
  readonly report: FormatReport;
  /** Coordinates count pixels from 1, and the last one is part of the box, as in the published data sets. */
  readonly isOneBased: boolean;
}

function readBox(node: XmlNode, isOneBased: boolean): number[] {
  const box = childOf(node, 'bndbox');
  if (!box) throw new RecordError('bndbox', 'is missing');
  const side = (name: string): number => numberIn(box, name, `bndbox/${name}`);
  const [xmin, ymin, xmax, ymax] = [side('xmin'), side('ymin'), side('xmax'), side('ymax')] as const;
  const shift = isOneBased ? 1 : 0;
  if (xmin - shift > xmax || ymin - shift > ymax) throw new RecordError('bndbox', 'ends before it begins');
  return [xmin - shift, ymin - shift, xmax, ymax];
}

function readName(node: XmlNode): string {
  const name = textOf(node, 'name');
  if (name === undefined || name === '') throw new RecordError('name', 'is missing');
  return name;
}

function readFlag(node: XmlNode, name: string): boolean {
  const text = textOf(node, name)?.toLowerCase();
  if (text === undefined || text === '' || text === '0' || text === 'false') return false;
  if (text === '1' || text === 'true') return true;
  throw new RecordError(name, `must be 0 or 1, but is "${text.slice(0, 60)}"`);
}

function statedOf(node: XmlNode): VocObject['stated'] {
  const flags = ['truncated', 'difficult'].map((name) => {
    const value = readFlag(node, name);
    return { name, value: String(value), isDefault: !value };
  });
  const pose = textOf(node, 'pose');
  const actions = (childOf(node, 'actions')?.children ?? []).map(({ name, text }) => {
    const value = text.trim() === '1' || text.trim().toLowerCase() === 'true';
    // Element names cannot begin with a digit: an underscore stands before such names.
    return { name: name.replace(/^_(?=\d)/, ''), value: String(value), isDefault: !value };
  });
  return [
    ...flags,
    ...(pose === undefined || pose === '' ? [] : [{ name: 'pose', value: pose, isDefault: pose === 'Unspecified' }]),
    ...actions,
  ];
}

function readObject(node: XmlNode, options: ReadingOptions): VocObject {
  const { report, isOneBased } = options;
  const label = readName(node);
  const listed = (childOf(node, 'attributes')?.children ?? []).filter(({ name }) => name === 'attribute');
  const attributes = Object.fromEntries(
    listed.map((attribute) => [textOf(attribute, 'name') ?? '', childOf(attribute, 'value')?.text ?? '']),
  );
  const occluded = readFlag(node, 'occluded');
  const fields = readAttributes(attributes);
  if (childOf(node, 'point')) report.lost('attribute', label, 'A box has no marked point.');
  const parts = node.children
    .filter(({ name }) => name === 'part')
    .flatMap((child) => {
      const read = () => ({ label: readName(child), points: readBox(child, isOneBased), line: child.line });
      return readElement(options, child, 'part', read);
    });
  return {
    label,
    points: readBox(node, isOneBased),
    line: node.line,
    fields: { ...fields, occluded: fields.occluded || occluded },
    stated: statedOf(node),
    parts,
  };
}

/** Reads an annotation file. Objects that cannot be read are reported; what stands before damage in the XML arrives. */
export async function readVocAnnotation(
  input: AsyncIterable<Uint8Array>,
  options: ReadingOptions,
): Promise<VocAnnotation> {
  const objects: VocObject[] = [];
  let fileName: string | undefined;
  const root = await readAnnotationXml(input, options, (child) => {
    if (child.name === 'filename') fileName = child.text.trim();
    if (child.name === 'object')
      objects.push(...readElement(options, child, 'object', () => readObject(child, options)));
  });
  if (root !== '' && root !== 'annotation')
    options.report.bad(options.file, 'line 1', 'the root element of an annotation file is <annotation>');
  return { fileName, objects };
}

/** The object as a shape of the task; `label` is what the task knows of its label. */
export function shapeOf(
  { label: name, points, fields, stated }: VocObject,
  frame: number,
  group: number,
  label: LabelInfo | undefined,
): LabeledShape {
  const known = label && new Set(label.attributes.map((attribute) => attribute.name));
  const own = new Set(fields.own.map((attribute) => attribute.name));
  const attributes: Attribute[] = [
    ...stated.filter((one) => !own.has(one.name) && (known?.has(one.name) === true || !one.isDefault)),
    ...fields.own,
  ].map((one) => ({ name: one.name, value: one.value }));
  const score = attributes.find((attribute) => attribute.name === 'score');
  const value = Number(score?.value);
  const isScore = score !== undefined && known?.has('score') !== true && value >= 0 && value <= 1;
  return {
    type: 'rectangle',
    frame,
    label: name,
    points,
    occluded: fields.occluded,
    attributes: isScore ? attributes.filter((one) => one !== score) : attributes,
    group,
    z_order: fields.zOrder,
    source: fields.source ?? 'file',
    ...(fields.rotation === 0 ? {} : { rotation: normalRotation(fields.rotation) }),
    ...(fields.outside ? { outside: true } : {}),
    ...(fields.trackId !== undefined && fields.keyframe !== undefined ? { keyframe: fields.keyframe } : {}),
    ...(isScore && value !== 1 ? { score: value } : {}),
  };
}
