import { signedPolygonArea } from '../../../preload/geometry/geometry.ts';
import { normalRotation } from '../kit/corner-box.ts';
import type { Attribute, LabeledShape } from '../kit/task-data.ts';
import { readScore } from '../kit/read-score.ts';
import { isFiniteNumber } from '../kit/records.ts';
import type { CocoAnnotation } from './fast/coco-annotation.ts';
import { DecimalPoints, DecimalPolygon } from './fast/decimal-points.ts';
import { noAttributes, type ReadAttributes } from '../kit/read-attributes.ts';
import type { Outline } from '../kit/read-outline.ts';

/** An annotation after its checks and before it becomes shapes. */
export interface ReadAnnotation {
  readonly annotation: CocoAnnotation;
  /** Decimal polygons were checked by the decoder. */
  readonly outline: Outline | DecimalPoints;
  readonly frame: number;
  readonly label: string;
  readonly fields: ReadAttributes;
  readonly attributes: readonly Attribute[];
}

/**
 * Splits a stated area over the parts of a polygon list, in proportion to their sizes. The parts add up exactly to the
 * stated area in any order, so that an export restores it.
 */
function splitArea(area: number, parts: readonly (readonly number[])[]): number[] {
  const sizes = parts.map((part) => Math.abs(signedPolygonArea(part)));
  const sum = sizes.reduce((all, size) => all + size, 0);
  // Extreme coordinates can have an infinite area: then all parts get an equal share.
  const total = Number.isFinite(sum) ? sum : 0;
  let given = 0;
  const shares = sizes.slice(0, -1).map((size) => {
    // Integer shares leave a remainder that is a multiple of the area's own precision, so nothing is rounded.
    const share = Math.floor(total > 0 ? (area * size) / total : area / parts.length);
    given += share;
    return share;
  });
  return [...shares, area - given];
}

/** Shapes of one annotation. A polygon list gives one shape per part, all in one group. */
export function shapesOf(read: ReadAnnotation, nextGroup: () => number, lose: (rule: string) => void): LabeledShape[] {
  const { annotation, outline, frame, label, fields, attributes } = read;
  const area = isFiniteNumber(annotation.area) && annotation.area >= 0 ? annotation.area : undefined;
  const score = annotation.score === undefined ? undefined : readScore(annotation.score, lose);
  const extras = fields === noAttributes ? undefined : extrasOf(outline, fields);
  if (outline instanceof DecimalPoints) {
    const polygon = new DecimalPolygon(
      outline,
      { frame, label, attributes, occluded: fields.occluded, z_order: fields.zOrder },
      area,
    );
    return [score || extras ? Object.assign(polygon, score, extras) : polygon];
  }
  const parts = outline.type === 'polygon' ? outline.parts : [outline.points];
  const group = parts.length > 1 ? nextGroup() : 0;
  const areas = area === undefined || parts.length === 1 ? [area] : splitArea(area, parts);
  return parts.map((points, index) => {
    const partArea = areas[index];
    return {
      type: outline.type,
      frame,
      label,
      points,
      occluded: fields.occluded,
      attributes,
      group,
      z_order: fields.zOrder,
      ...(partArea === undefined ? undefined : { area: partArea }),
      ...score,
      ...extras,
    };
  });
}

/** Fields that are only in files with an `attributes` object. */
function extrasOf(outline: ReadAnnotation['outline'], fields: ReadAttributes): Partial<LabeledShape> {
  const { rotation, outside, source, keyframe } = fields;
  return {
    rotation:
      'type' in outline && outline.type === 'rectangle' && rotation !== 0 ? normalRotation(rotation) : undefined,
    outside: outside || undefined,
    source,
    keyframe,
  };
}
