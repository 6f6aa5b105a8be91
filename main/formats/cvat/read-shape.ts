import type { ShapeType } from '../../../preload/contract/schema/annotations.ts';
import type { XmlAttributes } from '../io/xml-reader.ts';
import type { Attribute } from '../kit/task-data.ts';
import { parseNumber, readGeometry } from './geometry.ts';

/** A shape element as it was read, its children included; interpreted when it closes. */
export interface ShapeDraft {
  readonly type: ShapeType;
  readonly attributes: XmlAttributes;
  readonly list: Attribute[];
  /** Elements of a skeleton. */
  readonly elements: ShapeDraft[];
  readonly line: number;
}

/** What plain shapes, elements and the shapes of tracks have in common. */
export interface ShapeFields {
  readonly type: ShapeType;
  readonly points: readonly number[];
  readonly occluded: boolean;
  readonly outside: boolean;
  readonly z_order: number;
  readonly rotation?: number;
  readonly attributes: readonly Attribute[];
}

/** A flag of the file; undefined where it is not stated. Anything but the known spellings counts as not set. */
export function readFlag(attributes: XmlAttributes, name: string): boolean | undefined {
  const text = attributes[name];
  if (text === undefined) return undefined;
  return text === '1' || text.trim().toLowerCase() === 'true';
}

/** A whole number, `fallback` where it is not stated, NaN where it is something else. */
function readInteger(attributes: XmlAttributes, name: string, fallback: number): number {
  const text = attributes[name];
  if (text === undefined || text.trim() === '') return fallback;
  const value = parseNumber(text);
  return Number.isSafeInteger(value) ? value : Number.NaN;
}

/** The group of an object, 0 for none; NaN where the file has something that is not a group. */
export function readGroup(attributes: XmlAttributes): number {
  const group = readInteger(attributes, 'group_id', 0);
  return group < 0 ? Number.NaN : group;
}

/** Degrees brought into 0..360; NaN where the file has no number. */
function readRotation(attributes: XmlAttributes): number {
  const text = attributes['rotation'];
  if (text === undefined) return 0;
  const rotation = parseNumber(text);
  return rotation < 0 || rotation > 360 ? ((rotation % 360) + 360) % 360 : rotation;
}

/** A skeleton has its flags from its elements where the file does not state them: set when all elements have it. */
function flagOf(draft: ShapeDraft, name: string): boolean {
  const stated = readFlag(draft.attributes, name);
  if (stated !== undefined) return stated;
  return draft.elements.length > 0 && draft.elements.every((element) => readFlag(element.attributes, name) === true);
}

/** The fields of a shape element, or the reason why it cannot be read. */
export function readShape(draft: ShapeDraft): ShapeFields | string {
  const points = readGeometry(draft.type, draft.attributes);
  if (typeof points === 'string') return points;
  const z_order = readInteger(draft.attributes, 'z_order', 0);
  if (Number.isNaN(z_order)) return '"z_order" is not a whole number';
  const rotation = readRotation(draft.attributes);
  if (Number.isNaN(rotation)) return '"rotation" is not a number';
  return {
    type: draft.type,
    points,
    occluded: flagOf(draft, 'occluded'),
    outside: flagOf(draft, 'outside'),
    z_order,
    ...(rotation === 0 ? {} : { rotation }),
    attributes: draft.list,
  };
}
