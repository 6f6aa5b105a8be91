import type { FormatReport } from '../report.ts';
import type { LabeledShape, TrackedShape } from '../task-data.ts';

const roundedWarning = 'Coordinates and rotations were written with two decimals, as CVAT XML has them; some had more.';
const areaWarning = 'CVAT XML has no field for an area: areas that came with imported objects are computed anew from their shapes.';

function hasMoreDecimals(value: number): boolean {
  return Math.round(value * 100) / 100 !== value;
}

/** Says once for each kind what CVAT XML cannot carry of the shapes that pass by. */
export function createLossRecorder(report: FormatReport) {
  let rounded = false;

  const noteRounding = (points: readonly number[], rotation: number): void => {
    if (rounded || !(points.some(hasMoreDecimals) || hasMoreDecimals(rotation))) return;
    rounded = true;
    report.warn(roundedWarning);
  };

  const noteElements = (shape: LabeledShape): void => {
    const { elements = [] } = shape;
    if (shape.occluded !== elements.every(({ occluded }) => occluded)) {
      report.lost('skeleton', shape.label, 'CVAT XML states "occluded" for the points of a skeleton only: the skeleton takes it from its points.');
    }
    for (const element of elements) {
      noteRounding(element.points, element.rotation ?? 0);
      if (element.z_order !== 0) report.lost(element.type, element.label, 'CVAT XML has no drawing order for the points of a skeleton.');
    }
  };

  return {
    plain(shape: LabeledShape): void {
      noteRounding(shape.points, shape.rotation ?? 0);
      if (shape.score !== undefined && shape.score !== 1) report.lost(shape.type, shape.label, 'CVAT XML has no score.');
      if (shape.area !== undefined) report.warn(areaWarning);
      if (shape.type === 'skeleton') noteElements(shape);
    },
    tracked(shape: Pick<TrackedShape, 'points' | 'rotation'>): void {
      noteRounding(shape.points, shape.rotation ?? 0);
    },
  };
}

export type LossRecorder = ReturnType<typeof createLossRecorder>;
