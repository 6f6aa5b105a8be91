import { rotatedRectangleToPolygon } from '../../../preload/geometry/geometry.ts';
import { maskToPolygons } from '../../../preload/geometry/mask-polygons.ts';
import { pairsOf } from './extra-fields.ts';
import { hasArea, shapeMask } from './mask-files/shape-mask.ts';
import type { FormatReport } from './report.ts';
import type { ImageSize, LabeledShape } from './task-data.ts';

/** Kinds of outlines in formats; `point` is a single point. */
export type OutlineKind = 'rectangle' | 'rotated rectangle' | 'polygon' | 'polyline' | 'point' | 'ellipse' | 'mask';

/** An outline in a format. Numbers are as in the shape model: pixels; for ellipses center, right and top. */
export interface PlainOutline {
  readonly kind: OutlineKind;
  readonly points: readonly number[];
  readonly rotation: number;
}

const names: Readonly<Partial<Record<LabeledShape['type'], string>>> = { rectangle: 'boxe', points: 'point' };

interface Plan {
  readonly outlines: readonly PlainOutline[];
  /** Reason in the report, if the outline was converted. */
  readonly loss?: string;
}

/**
 * Converts shapes to the kinds of outlines that the format has. Boxes, rotated boxes, ellipses and masks become
 * polygons if necessary, and several points become single ones. Conversions and dropped shapes are reported.
 */
export function createPlainOutlines(
  report: FormatReport,
  format: string,
  kinds: ReadonlySet<OutlineKind>,
): (shape: LabeledShape, frame: ImageSize) => readonly PlainOutline[] {
  const outline = (kind: OutlineKind, points: readonly number[], rotation = 0): PlainOutline => ({
    kind,
    points,
    rotation,
  });
  const none = ({ type }: LabeledShape): Plan => ({
    outlines: [],
    loss: `${format} has no ${names[type] ?? type}s.`,
  });
  const asPolygons = (shape: LabeledShape, frame: ImageSize, what: string): Plan => {
    if (!kinds.has('polygon') || !hasArea(shape)) return none(shape);
    const { type, points, rotation = 0 } = shape;
    const loss = `${format} has no ${what}: written as ${type === 'rectangle' ? 'a polygon' : 'polygons'}.`;
    if (type === 'rectangle')
      return { outlines: [outline('polygon', rotatedRectangleToPolygon(points, rotation))], loss };
    const mask = frame.width > 0 && frame.height > 0 ? shapeMask(shape, frame) : null;
    const outlines = (mask ? maskToPolygons(mask) : []).map((polygon) => outline('polygon', polygon));
    return { outlines, loss: outlines.length > 0 ? loss : 'It has no pixel that is known to be in the image.' };
  };

  const planOf = (shape: LabeledShape, frame: ImageSize): Plan => {
    const { type, points, rotation = 0 } = shape;
    if (!points.every(Number.isFinite)) return { outlines: [], loss: 'Its coordinates are not finite numbers.' };
    const turn = rotation % 360;
    switch (type) {
      case 'rectangle':
        if (turn !== 0 && !kinds.has('rotated rectangle')) return asPolygons(shape, frame, 'rotated boxes');
        if (!kinds.has('rectangle')) return asPolygons(shape, frame, 'boxes');
        return { outlines: [outline(turn === 0 ? 'rectangle' : 'rotated rectangle', points, turn)] };
      case 'points': {
        if (!kinds.has('point')) return none(shape);
        const outlines = pairsOf(points).map((pair) => outline('point', pair));
        const loss = `${format} has single points only: each point became a separate object.`;
        return { outlines, loss: outlines.length > 1 ? loss : undefined };
      }
      case 'ellipse':
      case 'mask':
        return kinds.has(type) ? { outlines: [outline(type, points, turn)] } : asPolygons(shape, frame, `${type}s`);
      case 'polygon':
      case 'polyline':
        return kinds.has(type) ? { outlines: [outline(type, points)] } : none(shape);
      default:
        return none(shape);
    }
  };

  return (shape, frame) => {
    const { outlines, loss } = planOf(shape, frame);
    if (loss !== undefined) report.dropped(shape.type, shape.label, loss);
    if (loss === undefined || (shape.type === 'points' && outlines.length > 0))
      report.included(shape.type, shape.label);
    return outlines;
  };
}
