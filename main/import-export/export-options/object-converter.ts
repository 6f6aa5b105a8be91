import type {
  ArrangedKind,
  ArrangedTarget,
  DatasetExportOptions,
} from '../../../preload/contract/schema/export-options.ts';
import type {
  DrawnTrack,
  Frame,
  ImageSize,
  LabeledShape,
  Tag,
  Track,
  TrackedShape,
  TrackFrame,
} from '../../formats/kit/task-data.ts';
import { invalidField } from '../../platform/errors.ts';
import type { LabelChoice } from './label-choice.ts';
import { type Scale, scaleMask, scalePoints } from './scaling.ts';
import { areaOf, convertOutline, kindOf } from './shape-conversion.ts';

/** The image that contains an object. */
export interface ObjectPlace {
  readonly size: ImageSize;
  readonly scale: Scale | undefined;
}

/** The label or kind was not selected, or the object is too small: a scaled mask can lose all pixels. */
type LeftOutReason = 'label' | 'kind' | 'size';

export interface LeftOutObject {
  readonly kind: ArrangedKind;
  readonly label: string;
  readonly reason: LeftOutReason;
}

/** Above all groups that users set; the parts of one mask form a group. */
const firstOwnGroup = 1_000_000_000;

interface ArrangerOptions {
  readonly exportOptions: DatasetExportOptions;
  readonly labels: LabelChoice;
  /** Only counts objects, without computing conversions. */
  readonly isCount?: boolean;
}

/** Applies label, kind and point options to single objects. */
export function createObjectArranger({ exportOptions, labels, isCount = false }: ArrangerOptions) {
  const { shapes: targets = {}, minimum_area: minimumArea = 0 } = exportOptions;
  if (targets.tag !== undefined && targets.tag !== 'leave_out') {
    throw invalidField('export_options', 'A tag has no outline: it can be written as a tag, or left out.');
  }
  let group = firstOwnGroup;

  /** Undefined if the kind is not converted. */
  function targetOf(kind: ArrangedKind): ArrangedTarget | undefined {
    const target = targets[kind];
    return target === kind ? undefined : target;
  }

  function scaled(shape: LabeledShape, scale: Scale): LabeledShape[] {
    const { area: _area, fixed_points: _fixed, ...own } = shape;
    if (shape.type === 'mask') {
      const points = scaleMask(shape.points, scale);
      return points ? [{ ...own, points }] : [];
    }
    const elements = shape.elements?.flatMap((element) => scaled(element, scale));
    return [{ ...own, points: scalePoints(shape.points, scale), elements }];
  }

  function converted(
    shape: LabeledShape,
    target: Exclude<ArrangedTarget, 'leave_out'>,
    size: ImageSize,
  ): LabeledShape[] {
    const { area: _area, fixed_points: _fixed, elements: _elements, ...own } = shape;
    if (isCount && minimumArea === 0) return [{ ...own, type: target, points: [], rotation: 0 }];
    const outlines = convertOutline(shape, target, size);
    if (outlines.length > 1) group += 1;
    const common = { ...own, rotation: 0, group: shape.group === 0 && outlines.length > 1 ? group : shape.group };
    return outlines.map((outline) => ({ ...common, ...outline }));
  }

  function shape(one: LabeledShape, { size, scale }: ObjectPlace): readonly LabeledShape[] {
    const label = labels.target(one.label);
    if (label === null) return [];
    const target = targetOf(kindOf(one));
    if (target === 'leave_out') return [];
    const named = label === one.label ? one : relabeled(one, label);
    let found: readonly LabeledShape[] = target === undefined ? [named] : converted(named, target, size);
    if (minimumArea > 0) found = found.filter((outline) => areaOf(outline) >= minimumArea);
    return scale === undefined || isCount ? found : found.flatMap((outline) => scaled(outline, scale));
  }

  function trackedShape<Shape extends TrackedShape>(
    one: Shape,
    { size, scale }: ObjectPlace,
    isElement = false,
  ): Shape {
    const target = isElement ? undefined : targetOf(kindOf(one));
    let { type, points, rotation = 0 } = one;
    if (target !== undefined && target !== 'leave_out') {
      // Parts of a keyframe cannot be matched to those of the next, so a track keeps the first.
      const [outline] = convertOutline(one, target, size);
      if (outline) ({ type, points } = outline);
      if (outline) rotation = 0;
    }
    if (scale) points = type === 'mask' ? (scaleMask(points, scale) ?? points) : scalePoints(points, scale);
    return { ...one, type, points, rotation };
  }

  function tag(one: Tag): Tag | null {
    const label = labels.target(one.label);
    if (label === null || targets.tag === 'leave_out') return null;
    return label === one.label ? one : { ...one, label };
  }

  function reasonOf(kind: ArrangedKind, label: string): LeftOutReason {
    if (labels.target(label) === null) return 'label';
    return targetOf(kind) === 'leave_out' ? 'kind' : 'size';
  }

  return {
    shape,
    tag,
    /** Objects of a frame that are dropped completely, with the reasons. */
    leftOut(frame: Frame, place: ObjectPlace): LeftOutObject[] {
      const found = (kind: ArrangedKind, label: string) => ({ kind, label, reason: reasonOf(kind, label) });
      return [
        ...frame.labeled_shapes
          .filter((one) => shape(one, place).length === 0)
          .map((one) => found(kindOf(one), one.label)),
        ...frame.tags.filter((one) => tag(one) === null).map((one) => found('tag', one.label)),
      ];
    },
    /** Null if the track is dropped. A track is not split: its size on single frames does not matter. */
    track(one: Track, placeOf: (frame: number) => ObjectPlace): Track | null {
      const label = labels.target(one.label);
      const [first] = one.shapes;
      if (label === null || (first && targetOf(kindOf(first)) === 'leave_out')) return null;
      const losesElements = first !== undefined && targetOf(kindOf(first)) !== undefined;
      const { elements, ...own } = one;
      const withShapes = (track: Track, isElement: boolean): Track => ({
        ...track,
        shapes: track.shapes.map((keyframe) =>
          trackedShape(outlineOf(keyframe, elements), placeOf(keyframe.frame), isElement),
        ),
      });
      return {
        ...withShapes({ ...own, label }, false),
        elements: elements && !losesElements ? elements.map((element) => withShapes(element, true)) : undefined,
      };
    },
    /** Applies the options to a rendered track. */
    drawn({ track, frames }: DrawnTrack, written: Track, placeOf: (frame: number) => ObjectPlace): DrawnTrack {
      const keepsElements = written.elements !== undefined || track.elements === undefined;
      return {
        track: written,
        *frames(): Generator<TrackFrame> {
          for (const frame of frames()) {
            const place = placeOf(frame.frame);
            const own = trackedShape(frame, place);
            yield {
              ...own,
              elements: keepsElements ? frame.elements.map((element) => trackedShape(element, place, true)) : [],
            };
          }
        },
      };
    },
  };
}

/** The elements hold the points of a skeleton's keyframe. */
function outlineOf(keyframe: TrackedShape, elements: readonly Track[] | undefined): TrackedShape {
  if (keyframe.type !== 'skeleton' || !elements) return keyframe;
  const parts = elements.flatMap(({ shapes, label, group }) => {
    const part = shapes.findLast(({ frame }) => frame <= keyframe.frame);
    return part ? [{ ...part, label, group }] : [];
  });
  return Object.assign({ ...keyframe }, { elements: parts });
}

/** Copies a shape with another label; points are still decoded on demand. */
function relabeled(shape: LabeledShape, label: string): LabeledShape {
  const { points: _points, fixed_points: _fixed, ...own } = shape;
  return Object.defineProperties(
    { ...own, label, points: [] as readonly number[] },
    {
      points: { enumerable: true, get: () => shape.points },
      fixed_points: { enumerable: true, get: () => shape.fixed_points },
    },
  );
}
