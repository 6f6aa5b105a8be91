import { expect, it } from 'vitest';
import { maskArea } from '../../preload/geometry/mask-runs.ts';
import { signedPolygonArea } from '../../preload/geometry/geometry.ts';
import { formatOf, runExport, runImport, shapeOf } from './support/format-fixtures.ts';
import { scene } from './support/scenes.ts';

const points = [0, 100, 10, 10, 19, 19];

it.each(['CSV 1.0', 'Label Studio JSON 1.0', 'labelme JSON 1.0', 'LabelMe 3.0', 'PASCAL VOC 1.1'])(
  'masks of %s become polygons by default, which is reported; on request they lose no pixel',
  async (name) => {
    const { importer, exporter } = formatOf(name);
    const shapes = [shapeOf({ type: 'mask', label: 'car', points })];
    const { path } = await runExport(exporter, { ...scene, shapes });

    const usual = await runImport(importer, path, scene);
    expect(usual.task.shapes).toMatchObject([{ type: 'polygon', label: 'car' }]);
    // An outline runs through the edge pixels, or around them.
    const area = Math.abs(signedPolygonArea(usual.task.shapes[0]?.points ?? []));
    expect(Math.abs(area - maskArea(points))).toBeLessThan(20);
    expect(usual.summary.warnings).toEqual([expect.stringMatching(/converted to polygons.*conv_mask_to_poly off/)]);

    const kept = await runImport(importer, path, scene, { options: { conv_mask_to_poly: false } });
    expect(kept.task.shapes).toMatchObject([{ type: 'mask', label: 'car', points }]);
    expect(kept.summary.warnings).toEqual([]);
  },
);
