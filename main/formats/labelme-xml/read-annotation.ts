import { membersOf, numberIn, readAnnotationXml, readElement } from '../kit/annotation-xml.ts';
import { RecordError } from '../kit/records.ts';
import { type ReadAttributes, readAttributes } from '../kit/read-attributes.ts';
import { childOf, textOf, type XmlNode } from '../io/xml-children.ts';
import type { FormatReport } from '../kit/report.ts';
import type { ImageSize } from '../kit/task-data.ts';
import type { createUnreadMembers } from '../kit/unread-members.ts';
import type { ShapeType } from '../../../preload/contract/schema/annotations.ts';
import { readAttributeText } from './attribute-text.ts';

export interface LabelMeObject {
  readonly label: string;
  readonly id: number | undefined;
  readonly line: number;
  readonly fields: ReadAttributes;
  readonly user: string;
  readonly outline:
    | { readonly type: Exclude<ShapeType, 'mask'>; readonly points: readonly number[] }
    | { readonly type: 'mask'; readonly file: string };
  /** Ids of the object's parts and of objects that it is a part of. */
  readonly related: readonly number[];
}

export interface LabelMeAnnotation {
  readonly fileName: string;
  readonly folder: string;
  readonly objects: readonly LabelMeObject[];
  readonly deletedCount: number;
  /** Width and height of the image, 0 if the file does not state them. */
  readonly size: ImageSize;
}

/** Elements of an object that are read, or that record when and how it was drawn. */
export const objectMembers: ReadonlySet<string> = new Set(
  'name deleted verified occluded date id parts type polygon segm attributes viewpoint namerev'.split(' '),
);

function readIds(text: string | undefined): number[] {
  return (text ?? '').split(',').flatMap((part) => (/^\s*\d{1,9}\s*$/.test(part) ? [Number(part)] : []));
}

function readPolygon(polygon: XmlNode, type: string | undefined): LabelMeObject['outline'] {
  const points = polygon.children
    .filter(({ name }) => name === 'pt')
    .flatMap((point) => [numberIn(point, 'x', 'pt/x'), numberIn(point, 'y', 'pt/y')]);
  const count = points.length / 2;
  if (type === 'bounding_box') {
    const xs = points.filter((_, index) => index % 2 === 0);
    const ys = points.filter((_, index) => index % 2 === 1);
    if (count < 2) throw new RecordError('polygon', `is a box of ${count} points, but needs 2`);
    return {
      type: 'rectangle',
      points: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)],
    };
  }
  if (count === 1 && (type === undefined || type === 'point')) return { type: 'points', points };
  if (count >= 2 && type === 'line') return { type: 'polyline', points };
  if (count < 3) throw new RecordError('polygon', `has ${count} points, but needs at least 3`);
  return { type: 'polygon', points };
}

function readOutline(node: XmlNode): { outline: LabelMeObject['outline']; user: string } {
  const polygon = childOf(node, 'polygon');
  const segment = childOf(node, 'segm');
  const holder = polygon ?? segment;
  if (!holder) throw new RecordError('polygon', 'is missing, and so is the mask');
  const user = textOf(holder, 'username') ?? '';
  if (polygon) return { outline: readPolygon(polygon, textOf(node, 'type')), user };
  const file = textOf(holder, 'mask') ?? '';
  if (file === '') throw new RecordError('segm/mask', 'is missing');
  return { outline: { type: 'mask', file }, user };
}

function readObject(node: XmlNode, noteUnread: ReturnType<typeof createUnreadMembers>): LabelMeObject {
  const label = textOf(node, 'name') ?? '';
  if (label === '') throw new RecordError('name', 'is missing');
  noteUnread(membersOf(node), label);
  const text = childOf(node, 'attributes')?.text ?? '';
  const fields = readAttributes(Object.fromEntries(readAttributeText(text).map(({ name, value }) => [name, value])));
  const parts = childOf(node, 'parts');
  const id = textOf(node, 'id');
  return {
    label,
    id: id !== undefined && /^\d{1,9}$/.test(id) ? Number(id) : undefined,
    line: node.line,
    fields: { ...fields, occluded: textOf(node, 'occluded')?.toLowerCase() === 'yes' || fields.occluded },
    ...readOutline(node),
    related: parts ? [...readIds(textOf(parts, 'hasparts')), ...readIds(textOf(parts, 'ispartof'))] : [],
  };
}

/** Reads an annotation file; undefined if its root is not LabelMe's. Unreadable objects are reported. */
export async function readLabelMe(
  input: AsyncIterable<Uint8Array>,
  file: string,
  report: FormatReport,
  noteUnread: ReturnType<typeof createUnreadMembers>,
): Promise<LabelMeAnnotation | undefined> {
  const objects: LabelMeObject[] = [];
  let fileName = '';
  let folder = '';
  let deletedCount = 0;
  let size: ImageSize = { width: 0, height: 0 };
  const root = await readAnnotationXml(input, { file, report }, (child) => {
    if (child.name === 'filename') fileName = child.text.trim();
    else if (child.name === 'folder') folder = child.text.trim();
    else if (child.name === 'imagesize')
      size = { width: Number(textOf(child, 'ncols')), height: Number(textOf(child, 'nrows')) };
    else if (child.name !== 'object') return;
    else if (['1', 'true', 'yes'].includes(textOf(child, 'deleted')?.toLowerCase() ?? '')) deletedCount += 1;
    else {
      const called = `object ${textOf(child, 'id') ?? ''}`;
      objects.push(...readElement({ file, report }, child, called, () => readObject(child, noteUnread)));
    }
  });
  return root === 'annotation' ? { fileName, folder, objects, deletedCount, size } : undefined;
}

/** Groups of objects that are connected by part relations, directly or indirectly. */
export function groupsOf(objects: readonly LabelMeObject[]): Map<LabelMeObject, number> {
  const byId = new Map(objects.flatMap((object) => (object.id === undefined ? [] : [[object.id, object] as const])));
  const groups = new Map<LabelMeObject, number>();
  const neighbours = new Map<LabelMeObject, LabelMeObject[]>();
  const join = (from: LabelMeObject, to: LabelMeObject): void => {
    const list = neighbours.get(from);
    if (list) list.push(to);
    else neighbours.set(from, [to]);
  };
  for (const object of objects) {
    for (const id of object.related) {
      const other = byId.get(id);
      if (!other || other === object) continue;
      join(object, other);
      join(other, object);
    }
  }
  let next = 0;
  for (const first of objects) {
    if (groups.has(first) || !neighbours.has(first)) continue;
    next += 1;
    const open = [first];
    for (let object = open.pop(); object; object = open.pop()) {
      if (groups.has(object)) continue;
      groups.set(object, next);
      open.push(...(neighbours.get(object) ?? []));
    }
  }
  return groups;
}
