import { maskToBitmap, maskBox } from '../../../preload/contract/mask-runs.ts';
import { cornersOf } from '../kit/corner-box.ts';
import { extraFields, pairsOf } from '../kit/extra-fields.ts';
import { encodePng } from '../kit/mask-files/png-writer.ts';
import { type ImageSize, shapeMask } from '../kit/mask-files/shape-mask.ts';
import type { FormatReport } from '../kit/report.ts';
import type { Attribute, LabeledShape } from '../kit/task-data.ts';

/** A shape as labelme and its relatives have it, without its label and attributes. */
export interface WrittenOutline {
  readonly shape_type: string;
  readonly points: readonly (readonly [number, number])[];
  /** PNG in base64, of the box that the two points span. */
  readonly mask?: string;
}

const rotationRule = 'A circle has no rotation.';
/** Circles whose radii differ by less are circles: coordinates have rounding of their own. */
const sameRadius = 1e-6;

function maskOutline(mask: readonly number[]): WrittenOutline {
  const { left, top, right, bottom } = maskBox(mask);
  const { bitmap, width, height } = maskToBitmap(mask);
  const image = encodePng({ kind: 'bits', width, height, pixels: bitmap });
  const points = [[left, top] as const, [right, bottom] as const];
  return { shape_type: 'mask', points, mask: image.toString('base64') };
}

function circleOutline({ points: [x = 0, y = 0, right = 0, top = 0] }: LabeledShape): WrittenOutline | undefined {
  const isRound = Math.abs(Math.abs(right - x) - Math.abs(y - top)) <= sameRadius;
  if (!isRound) return undefined;
  return {
    shape_type: 'circle',
    points: [
      [x, y],
      [right, y],
    ],
  };
}

/** Writes outlines; null where a format has none for the shape, which was reported then. */
export function createOutlineWriter(
  report: FormatReport,
  format: string,
): (shape: LabeledShape, size: ImageSize) => WrittenOutline | null {
  const lose = (shape: LabeledShape, rule: string): null => {
    report.lost(shape.type, shape.label, rule);
    return null;
  };

  const ellipseOutline = (shape: LabeledShape, size: ImageSize): WrittenOutline | null => {
    const circle = circleOutline(shape);
    if (circle) {
      if ((shape.rotation ?? 0) % 360 !== 0) lose(shape, rotationRule);
      report.carried('ellipse', shape.label);
      return circle;
    }
    if (!(size.width > 0 && size.height > 0))
      return lose(shape, 'The size of the image is not known, and a mask cannot be written without it.');
    const mask = shapeMask(shape, size);
    if (!mask) return lose(shape, 'Not a single pixel of it lies in the image.');
    lose(shape, `${format} has circles, but no other ellipses: written as a mask.`);
    return maskOutline(mask);
  };

  const outlineOf = (shape: LabeledShape): WrittenOutline | null => {
    const { type, points, rotation = 0 } = shape;
    const pairs = pairsOf(points);
    switch (type) {
      case 'rectangle':
        return rotation % 360 === 0
          ? { shape_type: 'rectangle', points: pairs }
          : { shape_type: 'oriented_rectangle', points: pairsOf(cornersOf(shape)) };
      case 'polygon':
        return { shape_type: 'polygon', points: pairs };
      case 'polyline':
        return { shape_type: pairs.length === 2 ? 'line' : 'linestrip', points: pairs };
      case 'points':
        return { shape_type: pairs.length === 1 ? 'point' : 'points', points: pairs };
      case 'mask':
        return maskOutline(points);
      default:
        return null;
    }
  };

  return (shape, size) => {
    if (!shape.points.every(Number.isFinite)) return lose(shape, 'Its coordinates are not finite numbers.');
    if (shape.type === 'ellipse') return ellipseOutline(shape, size);
    const outline = outlineOf(shape);
    if (!outline) return lose(shape, `${format} has no ${shape.type}s.`);
    report.carried(shape.type, shape.label);
    return outline;
  };
}

/** What a shape has beside its outline: `name` members of their own, the rest in `attributes`. */
export function detailMembers(
  shape: LabeledShape,
  isOwn: (attribute: Attribute) => boolean,
): { readonly own: ReadonlyMap<string, string>; readonly members: Record<string, unknown> } {
  const others = shape.attributes.filter((attribute) => !isOwn(attribute));
  return {
    own: new Map(shape.attributes.filter(isOwn).map(({ name, value }) => [name, value])),
    members: {
      ...(others.length === 0
        ? {}
        : { attributes: Object.fromEntries(others.map(({ name, value }) => [name, value])) }),
      ...extraFields(shape),
    },
  };
}
