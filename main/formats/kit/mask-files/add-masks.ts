import { maskToPolygons } from '../../../../preload/geometry/mask-polygons.ts';
import { maskBox, maskProblem } from '../../../../preload/geometry/mask-runs.ts';
import { type AnnotationAdder, plainShape } from '../add-annotation.ts';
import type { FormatReport } from '../report.ts';
import type { LabeledShape } from '../task-data.ts';
import { maxMaskPixels } from './read-image.ts';

/** Fields of a mask other than its pixels. */
export type MaskFields = Pick<LabeledShape, 'frame' | 'label'> & Partial<LabeledShape>;

export interface MaskAdder {
  /** Adds the mask, or its polygons. `at` is the place in the file. */
  add(add: AnnotationAdder, points: readonly number[], fields: MaskFields, at: string): void;
  nextGroup(): number;
}

/** Adds masks by the option `conv_mask_to_poly`: unchanged, or as polygons with one group per mask. */
export function createMaskAdder(report: FormatReport, toPolygons: boolean): MaskAdder {
  let groups = 0;
  const nextGroup = (): number => (groups += 1);
  return {
    nextGroup,
    add(add, points, stated, at) {
      const fields = plainShape({ ...stated, type: 'mask', points });
      const { group, label } = fields;
      const { width, height } = maskBox(points);
      // An invalid mask is added as a shape, so that it is rejected with its reason.
      if (!toPolygons || maskProblem(points) !== null) {
        add.shape(fields, at);
        return;
      }
      if (width * height > maxMaskPixels) {
        report.dropped('mask', label, 'It is too large to become a polygon: import with conv_mask_to_poly off.');
        return;
      }
      const polygons = maskToPolygons(points);
      report.warn(
        'Masks were converted to polygons, which are accurate to a pixel: import with conv_mask_to_poly off to keep masks.',
      );
      if (polygons.length === 0) {
        report.dropped('mask', label, 'It is too small to become a polygon.');
        return;
      }
      const shared = group === 0 && polygons.length > 1 ? nextGroup() : group;
      for (const polygon of polygons) add.shape({ ...fields, type: 'polygon', points: polygon, group: shared }, at);
    },
  };
}
