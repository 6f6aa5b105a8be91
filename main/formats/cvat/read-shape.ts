import type { ShapeType } from '../../../preload/contract/schema/annotations.ts';
import type { XmlAttributes } from '../io/xml-reader.ts';
import type { Attribute } from '../kit/task-data.ts';
import { parseNumber, readGeometry } from './geometry.ts';

/** A shape element with its children, interpreted when it closes. */
export interface ShapeDraft {
  readonly type: ShapeType;
  readonly attributes: XmlAttributes;
  readonly list: Attribute[];
  readonly elements: ShapeDraft[];
  readonly line: number;
}

/** Fields shared by shapes, skeleton elements and track shapes. */
export interface ShapeFields {
  readonly type: ShapeType;
  readonly points: readonly number[];
  readonly occluded: boolean;
  readonly outside: boolean;
  readonly z_order: number;
  readonly rotation?: number;
  readonly attributes: readonly Attribute[];
}

/** A boolean attribute; undefined if missing. Unknown spellings are false. */
export function readFlag(attributes: XmlAttributes, name: string): boolean | undefined {
  const text = attributes[name];
  if (text === undefined) return undefined;
  return text === '1' || text.trim().toLowerCase() === 'true';
}

/** An integer attribute; `fallback` if missing, NaN if invalid. */
function readInteger(attributes: XmlAttributes, name: string, fallback: number): number {
  const text = attributes[name];
  if (text === undefined || text.trim() === '') return fallback;
  const value = parseNumber(text);
  return Number.isSafeInteger(value) ? value : Number.NaN;
}

/** Group of an object, 0 for none, NaN if invalid. */
export function readGroup(attributes: XmlAttributes): number {
  const group = readInteger(attributes, 'group_id', 0);
  return group < 0 ? Number.NaN : group;
}

/** Rotation in degrees, 0..360; NaN if invalid. */
function readRotation(attributes: XmlAttributes): number {
  const text = attributes['rotation'];
  if (text === undefined) return 0;
  const rotation = parseNumber(text);
  return rotation < 0 || rotation > 360 ? ((rotation % 360) + 360) % 360 : rotation;
}

/** Flag of a skeleton. If the file states none, it is set when all elements have it. */
function flagOf(draft: ShapeDraft, name: string): boolean {
  const stated = readFlag(draft.attributes, name);
  if (stated !== undefined) return stated;
  return draft.elements.length > 0 && draft.elements.every((element) => readFlag(element.attributes, name) === true);
}

const flagNames = ['occluded', 'outside', 'keyframe'];

/** Name of the first flag whose value is invalid. */
function wrongFlag({ attributes }: ShapeDraft): string | undefined {
  return flagNames.find((name) => !/^\s*(?:0|1|true|false)?\s*$/i.test(attributes[name] ?? ''));
}

/** Fields of a shape element, or the reason why it cannot be read. */
export function readShape(draft: ShapeDraft): ShapeFields | string {
  const points = readGeometry(draft.type, draft.attributes);
  if (typeof points === 'string') return points;
  const z_order = readInteger(draft.attributes, 'z_order', 0);
  if (Number.isNaN(z_order)) return '"z_order" is not a whole number';
  const rotation = readRotation(draft.attributes);
  if (Number.isNaN(rotation)) return '"rotation" is not a number';
  const wrong = wrongFlag(draft);
  if (wrong !== undefined) return `"${wrong}" is neither 0 nor 1`;
  return {
    type: draft.type,
    points,
    occluded: flagOf(draft, 'occluded'),
    outside: flagOf(draft, 'outside'),
    z_order,
    rotation: rotation === 0 ? undefined : rotation,
    attributes: draft.list,
  };
}
