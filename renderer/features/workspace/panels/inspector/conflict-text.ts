import { boxHeight, boxWidth, emptyBox, isEmptyBox, uniteBoxes } from '../../../../canvas/geometry/box.ts';
import { createPathText } from '../../../../canvas/path-text.ts';
import { behaviourOf, boundsOf } from '../../../../canvas/shapes/shape-behaviours.ts';
import { ringsOf } from '../../../../canvas/shapes/shape-rings.ts';
import type { ShapeRecord } from '../../../../canvas/types.ts';
import { sameBody } from '../../model/saving/record-codec.ts';
import type { Edit } from '../../model/saving/save-types.ts';

const parts = {
  label: ['label_id'],
  place: ['points', 'rotation', 'elements', 'shapes', 'type', 'frame'],
  attributes: ['attributes'],
  marks: ['occluded', 'outside'],
  order: ['z_order'],
  group: ['group'],
} as const satisfies Record<string, readonly string[]>;
type ConflictPart = keyof typeof parts;

export function conflictParts({ body, theirs, deleted }: Edit): ConflictPart[] {
  if (theirs === undefined || theirs === null || deleted) return [];
  const names = Object.keys(parts) as ConflictPart[];
  const only = (given: Edit['body'], keys: readonly string[]) =>
    // Part of a body, to compare with `sameBody`.
    Object.fromEntries(Object.entries(given).filter(([key]) => keys.includes(key))) as unknown as Edit['body'];
  return names.filter((name) => !sameBody(only(body, parts[name]), only(theirs, parts[name])));
}

/** Outline of a shape as SVG path data, image pixels. */
export function outlineText(shape: ShapeRecord): string {
  const path = createPathText();
  if (shape.type === 'mask') {
    for (const ring of ringsOf(shape)) {
      for (let at = 0; at < ring.length; at += 2) {
        const [x = 0, y = 0] = [ring[at], ring[at + 1]];
        if (at === 0) path.moveTo(x, y);
        else path.lineTo(x, y);
      }
      path.closePath();
    }
    return path.text();
  }
  const context = { pixel: 1, label: () => undefined, mask: () => neverAsked() };
  behaviourOf(shape).trace(shape, { area: path, line: path, dot: path }, context);
  return path.text();
}

function neverAsked(): never {
  throw new Error('Only a mask can be decoded as a mask.');
}

/** SVG view box around the shapes with a margin; null if there are no outlines. */
export function viewOf(shapes: readonly ShapeRecord[]): { readonly box: string; readonly pixel: number } | null {
  const bounds = shapes.map(boundsOf).reduce(uniteBoxes, emptyBox);
  if (isEmptyBox(bounds)) return null;
  const { left, top } = bounds;
  const [width, height] = [Math.max(1, boxWidth(bounds)), Math.max(1, boxHeight(bounds))];
  const margin = Math.max(width, height) * 0.08;
  const box = [left - margin, top - margin, width + 2 * margin, height + 2 * margin];
  return { box: box.join(' '), pixel: Math.max(width, height) / 80 };
}
