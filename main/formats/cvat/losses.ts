import type { FormatReport } from '../kit/report.ts';
import type { Attribute, LabeledShape, TrackedShape } from '../kit/task-data.ts';

const roundedWarning = 'Coordinates and rotations were rounded to two decimals, the precision of CVAT XML.';
const areaWarning = 'CVAT XML has no field for an area: areas of imported objects are recalculated from their shapes.';

const characterWarning = 'XML cannot contain control characters: those in attribute values were replaced by U+FFFD.';
// oxlint-disable-next-line no-control-regex -- the characters that XML 1.0 forbids
const unwritable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

function hasMoreDecimals(value: number): boolean {
  return Math.round(value * 100) / 100 !== value;
}

/** Reports once per kind the parts of shapes that CVAT XML cannot store. */
export function createLossRecorder(report: FormatReport) {
  let rounded = false;

  const noteRounding = (points: readonly number[], rotation: number): void => {
    if (rounded || !(points.some(hasMoreDecimals) || hasMoreDecimals(rotation))) return;
    rounded = true;
    report.warn(roundedWarning);
  };

  const noteAttributes = (attributes: readonly Attribute[]): void => {
    if (attributes.some(({ value }) => unwritable.test(value) || !value.isWellFormed())) report.warn(characterWarning);
  };

  const noteElements = (shape: LabeledShape): void => {
    const { elements = [] } = shape;
    if (shape.occluded !== elements.every(({ occluded }) => occluded)) {
      report.dropped(
        'skeleton',
        shape.label,
        'CVAT XML stores "occluded" for the points of a skeleton only: the value of the skeleton follows from them.',
      );
    }
    for (const element of elements) {
      noteAttributes(element.attributes);
      noteRounding(element.points, element.rotation ?? 0);
      if (element.z_order !== 0)
        report.dropped(element.type, element.label, 'CVAT XML has no drawing order for the points of a skeleton.');
    }
  };

  return {
    attributes: noteAttributes,
    plain(shape: LabeledShape): void {
      noteAttributes(shape.attributes);
      noteRounding(shape.points, shape.rotation ?? 0);
      if (shape.score !== undefined && shape.score !== 1)
        report.dropped(shape.type, shape.label, 'CVAT XML has no score.');
      if (shape.area !== undefined) report.warn(areaWarning);
      if (shape.type === 'skeleton') noteElements(shape);
    },
    tracked(shape: Pick<TrackedShape, 'points' | 'rotation' | 'attributes'>): void {
      noteAttributes(shape.attributes);
      noteRounding(shape.points, shape.rotation ?? 0);
    },
  };
}

export type LossRecorder = ReturnType<typeof createLossRecorder>;
