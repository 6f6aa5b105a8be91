import type { AttributeValue } from '../../../preload/contract/schema/annotations.ts';

export { sourceCode, sourceOf, typeCode, typeOf } from '../../db/annotation-codes.ts';

const occludedFlag = 1;
const outsideFlag = 2;
const borderFlag = 4;
interface Flagged {
  readonly occluded?: boolean;
  readonly outside?: boolean;
  readonly border?: boolean;
}
export const flagsOf = (shape: Flagged): number =>
  (shape.occluded === true ? occludedFlag : 0) |
  (shape.outside === true ? outsideFlag : 0) |
  (shape.border === true ? borderFlag : 0);
export const isOccluded = (flags: number): boolean => (flags & occludedFlag) !== 0;
export const isOutside = (flags: number): boolean => (flags & outsideFlag) !== 0;
/** True for a keyframe that was computed where a track was cut. */
export const isBorder = (flags: number): boolean => (flags & borderFlag) !== 0;

/** Attribute values as JSON `[[spec id, value], …]`; null for none. */
export function packAttributes(values: readonly AttributeValue[]): string | null {
  return values.length === 0 ? null : JSON.stringify(values.map((value) => [value.spec_id, value.value]));
}

export function unpackAttributes(text: string | null): AttributeValue[] {
  if (text === null) return [];
  return (JSON.parse(text) as [number, string][]).map(([spec_id, value]) => ({ spec_id, value }));
}

export interface ShapeRow {
  readonly id: number;
  readonly set_id: number;
  readonly frame: number;
  readonly label_id: number;
  readonly type: number;
  readonly source: number;
  readonly flags: number;
  readonly z_order: number;
  readonly group_id: number;
  readonly rotation: number;
  readonly score: number;
  readonly area: number | null;
  readonly parent_id: number | null;
  readonly points: Uint8Array;
  readonly attributes: string | null;
}

export interface TagRow {
  readonly id: number;
  readonly set_id: number;
  readonly frame: number;
  readonly label_id: number;
  readonly source: number;
  readonly group_id: number;
  readonly attributes: string | null;
}

export interface TrackRow extends TagRow {
  readonly parent_id: number | null;
  readonly origin_id: number | null;
  /** Number of pieces, only for the uncut original of a track that was cut; no job shows the original. */
  readonly piece_count: number | null;
}

export interface TrackedShapeRow {
  readonly id: number;
  readonly track_id: number;
  readonly frame: number;
  readonly type: number;
  readonly flags: number;
  readonly z_order: number;
  readonly rotation: number;
  readonly points: Uint8Array;
  readonly attributes: string | null;
}
