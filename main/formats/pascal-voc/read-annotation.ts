import { membersOf, numberIn, readAnnotationXml, readElement } from '../kit/annotation-xml.ts';
import { brief, RecordError } from '../kit/records.ts';
import { type ReadAttributes, readAttributes, truthOf } from '../kit/read-attributes.ts';
import { childOf, textOf, type XmlNode } from '../io/xml-children.ts';
import type { FormatReport } from '../kit/report.ts';
import { normalRotation } from '../kit/corner-box.ts';
import { readNumber } from '../kit/short-decimals.ts';
import type { Attribute, ImageSize, LabeledShape, LabelInfo } from '../kit/task-data.ts';
import type { createUnreadMembers } from '../kit/unread-members.ts';

/** An object of an annotation file, or a part of one. */
export interface VocObject extends Pick<LabeledShape, 'points' | 'rotation'> {
  readonly label: string;
  readonly type: 'rectangle' | 'polygon';
  readonly line: number;
  readonly fields: ReadAttributes;
  /** Elements of an object that become attributes if the label has them or their value is not the default. */
  readonly stated: readonly { readonly name: string; readonly value: string; readonly isDefault: boolean }[];
  readonly parts: readonly Pick<VocObject, 'label' | 'points' | 'line'>[];
}

type Outline = Pick<VocObject, 'type' | 'points' | 'rotation'>;

export interface VocAnnotation {
  readonly fileName: string | undefined;
  /** Width and height of the image, 0 if the file does not state them. */
  readonly size: ImageSize;
  readonly objects: readonly VocObject[];
}

export interface ReadingOptions {
  readonly file: string;
  readonly report: FormatReport;
  /** True if coordinates count pixels from 1 and boxes include the last one, as in the published datasets. */
  readonly isOneBased: boolean;
  readonly noteUnread: ReturnType<typeof createUnreadMembers>;
  readonly noteImage: (record: Readonly<Record<string, unknown>>) => void;
}

/** Elements of an object that are read. `type` says which outline is present. */
export const objectMembers: ReadonlySet<string> = new Set(
  'name type bndbox robndbox polygon pose truncated difficult occluded attributes actions part point'.split(' '),
);
export const imageMembers: ReadonlySet<string> = new Set(
  'folder filename path source owner size segmented verified object'.split(' '),
);

function readBox(node: XmlNode, isOneBased: boolean): number[] {
  const box = childOf(node, 'bndbox');
  if (!box) throw new RecordError('bndbox', 'is missing');
  const side = (name: string): number => numberIn(box, name, `bndbox/${name}`);
  const [xmin, ymin, xmax, ymax] = [side('xmin'), side('ymin'), side('xmax'), side('ymax')] as const;
  const shift = isOneBased ? 1 : 0;
  return [Math.min(xmin, xmax) - shift, Math.min(ymin, ymax) - shift, Math.max(xmin, xmax), Math.max(ymin, ymax)];
}

/** Reads a rotated box of roLabelImg, whose angle is in radians, clockwise. */
function readTurnedBox(box: XmlNode): Outline {
  const [cx, cy, w, h, angle] = ['cx', 'cy', 'w', 'h', 'angle'].map((name) => numberIn(box, name, `robndbox/${name}`));
  const [x = 0, y = 0, width = 0, height = 0] = [cx, cy, w, h];
  const points = [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
  return { type: 'rectangle', points, rotation: normalRotation(((angle ?? 0) * 180) / Math.PI) };
}

/**
 * Reads corners as Roboflow writes them: `x1`, `y1`, `x2` …; other programs repeat `x` and `y`, or have a `pt` for
 * each.
 */
function readPolygon(polygon: XmlNode, isOneBased: boolean): Outline {
  const nodes = polygon.children.flatMap((child) => (child.children.length > 0 ? child.children : [child]));
  const shift = isOneBased ? 1 : 0;
  const along = (axis: string): number[] =>
    nodes
      .filter(({ name }) => name.startsWith(axis))
      .map(({ name, text }) => {
        const value = readNumber(text.trim());
        if (Number.isNaN(value)) throw new RecordError(`polygon/${name}`, `is not a number: "${text.slice(0, 60)}"`);
        return value - shift;
      });
  const [xs, ys] = [along('x'), along('y')];
  if (xs.length !== ys.length || xs.length < 3)
    throw new RecordError(
      'polygon',
      `must have an x and a y for at least 3 points, but has ${xs.length} and ${ys.length}`,
    );
  return { type: 'polygon', points: xs.flatMap((x, index) => [x, ys[index] ?? 0]) };
}

/** Most specific outline: a polygon, a rotated box, or the box. A valid box replaces an invalid polygon. */
function readOutline(node: XmlNode, { isOneBased, file, report }: ReadingOptions): Outline {
  const [polygon, turned] = [childOf(node, 'polygon'), childOf(node, 'robndbox')];
  if (polygon && polygon.children.length > 0) {
    try {
      return readPolygon(polygon, isOneBased);
    } catch (error) {
      if (!(error instanceof RecordError) || !childOf(node, 'bndbox')) throw error;
      report.invalid(file, `line ${node.line}`, `object: ${error.at} ${error.message}: the box was read instead`);
    }
  }
  if (turned) return readTurnedBox(turned);
  return { type: 'rectangle', points: readBox(node, isOneBased) };
}

function readName(node: XmlNode): string {
  const name = textOf(node, 'name');
  if (name === undefined || name === '') throw new RecordError('name', 'is missing');
  return name;
}

/** Parses a flag. Calls `note` with the reason if it is neither set nor unset. */
function readFlag(node: XmlNode, name: string, note: (problem: string) => void): boolean {
  const text = textOf(node, name);
  const flag = text === undefined ? false : truthOf(text);
  if (flag === undefined) note(`"${name}" must be 0 or 1, but is ${brief(text)}.`);
  return flag ?? false;
}

function statedOf(node: XmlNode, note: (problem: string) => void): VocObject['stated'] {
  const flags = ['truncated', 'difficult'].map((name) => {
    const value = readFlag(node, name, note);
    return { name, value: String(value), isDefault: !value };
  });
  const pose = textOf(node, 'pose');
  const actions = (childOf(node, 'actions')?.children ?? []).map(({ name, text }) => {
    const value = text.trim() === '1' || text.trim().toLowerCase() === 'true';
    // XML names cannot start with a digit, so such names are written with an underscore in front.
    return { name: name.replace(/^_(?=\d)/, ''), value: String(value), isDefault: !value };
  });
  return [
    ...flags,
    ...(pose === undefined || pose === '' ? [] : [{ name: 'pose', value: pose, isDefault: pose === 'Unspecified' }]),
    ...actions,
  ];
}

function readObject(node: XmlNode, options: ReadingOptions): VocObject {
  const { report, isOneBased, noteUnread } = options;
  const label = readName(node);
  const note = (problem: string): void => report.dropped('attribute', label, problem);
  noteUnread(membersOf(node), label);
  const listed = (childOf(node, 'attributes')?.children ?? []).filter(({ name }) => name === 'attribute');
  const attributes = Object.fromEntries(
    listed.map((attribute) => [textOf(attribute, 'name') ?? '', childOf(attribute, 'value')?.text ?? '']),
  );
  const occluded = readFlag(node, 'occluded', note);
  const fields = readAttributes(attributes);
  fields.problems.forEach(note);
  if (childOf(node, 'point')) report.dropped('attribute', label, 'A box has no single point.');
  const parts = node.children
    .filter(({ name }) => name === 'part')
    .flatMap((child) => {
      const read = () => ({ label: readName(child), points: readBox(child, isOneBased), line: child.line });
      return readElement(options, child, 'part', read);
    });
  return {
    label,
    ...readOutline(node, options),
    line: node.line,
    fields: { ...fields, occluded: fields.occluded || occluded },
    stated: statedOf(node, note),
    parts,
  };
}

/** Reads an annotation file. Unreadable objects are reported, and content before an XML error is imported. */
export async function readVocAnnotation(
  input: AsyncIterable<Uint8Array>,
  options: ReadingOptions,
): Promise<VocAnnotation> {
  const objects: VocObject[] = [];
  let fileName: string | undefined;
  let size: ImageSize = { width: 0, height: 0 };
  const others: Record<string, unknown> = {};
  const root = await readAnnotationXml(input, options, (child) => {
    if (child.name === 'filename') fileName = child.text.trim();
    if (child.name === 'size')
      size = { width: Number(textOf(child, 'width')), height: Number(textOf(child, 'height')) };
    others[child.name] = child.children.length > 0 ? membersOf(child) : child.text.trim();
    if (child.name === 'object')
      objects.push(...readElement(options, child, 'object', () => readObject(child, options)));
  });
  if (root !== '' && root !== 'annotation')
    options.report.invalid(options.file, 'line 1', 'the root element of an annotation file must be <annotation>');
  options.noteImage(others);
  return { fileName, size, objects };
}

/** The object as a shape of the task; `label` is the task's label. */
export function shapeOf(
  { label: name, type, points, rotation = 0, fields, stated }: VocObject,
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
  const value = readNumber(score?.value.trim());
  const isScore = score !== undefined && known?.has('score') !== true && value >= 0 && value <= 1;
  const turn = rotation === 0 ? normalRotation(fields.rotation) : rotation;
  return {
    type,
    frame,
    label: name,
    points,
    occluded: fields.occluded,
    attributes: isScore ? attributes.filter((one) => one !== score) : attributes,
    group,
    z_order: fields.zOrder,
    source: fields.source ?? 'file',
    rotation: turn === 0 || type !== 'rectangle' ? undefined : turn,
    outside: fields.outside || undefined,
    keyframe: fields.trackId !== undefined && fields.keyframe !== undefined ? fields.keyframe : undefined,
    score: isScore && value !== 1 ? value : undefined,
  };
}
