import { fitToFrame, pairsLieInside } from '../../../preload/geometry/frame-fit.ts';
import { boundingBox } from '../../../preload/geometry/geometry.ts';
import { AppError } from '../../platform/errors.ts';
import { createUnitReader } from './fixed-units.ts';
import type { FormatReport } from './report.ts';
import type { ImageSize, LabeledShape, Track, TrackedShape } from './task-data.ts';

/** Thrown if coordinates or attributes of an object are invalid. The object is dropped and the import continues. */
export class ShapeError extends AppError {
  constructor(message: string) {
    super('invalid', message);
    this.name = 'ShapeError';
  }
}

/** Rules that change objects, in the words of the report. */
export const frameRules = {
  ordered: 'Its corners were in the wrong order and were reordered.',
  cut: 'It extends beyond its image: the part outside was cut off.',
  hidden: 'Some of its points are outside its image: they count as not visible.',
  reaches: 'It extends beyond its image and cannot be cut: it is unchanged.',
  outside: 'It is outside its image.',
} as const;
const hiddenFrameRule = 'On some frames it is outside its image: it is not visible there.';

const rounded = (value: number): number => Number(value.toFixed(2)) + 0;

function outsideReason(shape: LabeledShape | TrackedShape, { width, height }: ImageSize): string {
  const box = boundingBox(shape);
  const place = box
    ? `x ${rounded(box.left)} to ${rounded(box.right)}, y ${rounded(box.top)} to ${rounded(box.bottom)}`
    : 'no point of it is inside';
  return `it is outside its image: ${place}, and the image has ${width} × ${height} pixels`;
}

/** Size of a frame; undefined or 0 if unknown. */
type SizeOf = (frame: number) => ImageSize | undefined;

const isKnown = (size: ImageSize | undefined): size is ImageSize =>
  size !== undefined && size.width > 0 && size.height > 0;

/**
 * Checks objects against their frame. Parts that extend beyond it are cut and reported; objects outside throw
 * `ShapeError`. Frames of unknown size accept everything.
 */
export function createFrameGuard(report: FormatReport, sizeOf: SizeOf) {
  const unitsOf = createUnitReader();
  /** Fast check for outlines stored as integers, which avoids decoding them. */
  const isClearlyInside = (shape: LabeledShape, { width, height }: ImageSize): boolean => {
    const read = shape.type === 'polygon' || shape.type === 'polyline' ? unitsOf(shape) : undefined;
    if (!read) return false;
    return pairsLieInside(read.units, read.count, { width: width * read.power, height: height * read.power });
  };
  let last: { readonly frame: number; readonly size: ImageSize | undefined } | undefined;
  const known = (frame: number): ImageSize | undefined => {
    if (last?.frame !== frame) last = { frame, size: sizeOf(frame) };
    return isKnown(last.size) ? last.size : undefined;
  };

  const trackedShape = (shape: TrackedShape, label: string): TrackedShape => {
    const size = shape.outside || shape.type === 'skeleton' ? undefined : known(shape.frame);
    if (!size) return shape;
    const { fit, points } = fitToFrame(shape, size);
    if (fit === 'outside') {
      report.dropped('track', label, hiddenFrameRule);
      return { ...shape, outside: true };
    }
    if (fit !== 'inside') report.dropped('track', label, frameRules[fit]);
    return points === shape.points ? shape : { ...shape, points };
  };

  const track = (one: Track): Track => {
    const shapes = one.shapes.map((shape) => trackedShape(shape, one.label));
    const elements = one.elements?.map((element) => ({
      ...element,
      shapes: element.shapes.map((shape) => trackedShape(shape, element.label)),
    }));
    // The points of a skeleton have the coordinates.
    const placed = (track: Pick<Track, 'shapes' | 'elements'>): readonly TrackedShape[] =>
      track.elements && track.elements.length > 0 ? track.elements.flatMap((element) => element.shapes) : track.shapes;
    const wasSeen = placed(one).find(({ outside }) => !outside);
    if (wasSeen && placed({ shapes, elements }).every(({ outside }) => outside))
      throw new ShapeError(outsideReason(wasSeen, known(wasSeen.frame) ?? { width: 0, height: 0 }));
    return { ...one, shapes, elements };
  };

  return {
    shape(shape: LabeledShape): LabeledShape {
      const size = known(shape.frame);
      if (!size) return shape;
      if (isClearlyInside(shape, size)) return shape;
      const { fit, points, elements } = fitToFrame<LabeledShape>(shape, size);
      if (fit === 'outside') throw new ShapeError(outsideReason(shape, size));
      if (fit !== 'inside') report.dropped(shape.type, shape.label, frameRules[fit]);
      if (points === shape.points && !elements) return shape;
      const { fixed_points: _fixed, area: _area, ...own } = shape;
      return { ...own, points, elements };
    },
    track,
  };
}
