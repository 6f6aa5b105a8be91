import type { QualityChoices } from '../../../preload/contract/schema/quality.ts';
import { areaOfCounts } from '../../../preload/geometry/run-length.ts';
import type { ComparedObject, ImageSize } from '../../comparison/compared-object.ts';
import { visibleRasters } from '../../comparison/rasters.ts';
import { cachedRasters } from '../../comparison/similarity.ts';

const withArea: ReadonlySet<string> = new Set(['rectangle', 'polygon', 'mask', 'ellipse']);

/** Objects that are mostly covered by others. Like CVAT, ignores the rotation of boxes and ellipses. */
export function coveredObjects(
  objects: readonly ComparedObject[],
  size: ImageSize,
  { object_visibility_threshold: threshold }: QualityChoices,
): ComparedObject[] {
  const areas = objects.filter(({ type }) => withArea.has(type));
  const raster = cachedRasters(size);
  const upright = new Map(areas.map((object) => [{ ...object, rotation: 0 }, object]));
  const found = visibleRasters([...upright.keys()], size, raster);
  return [...found].toReversed().flatMap(([object, visible]) => {
    const [all, left] = [areaOfCounts(raster(object).counts), areaOfCounts(visible.counts)];
    return left < all && left / all < threshold ? (upright.get(object) ?? []) : [];
  });
}
