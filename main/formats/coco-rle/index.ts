import { exportCoco } from '../coco/export-coco.ts';
import { instancesSupport } from '../coco/format.ts';
import { exporter } from '../kit/plugin.ts';

/** COCO instances whose masks are compressed run lengths and no crowds, as most training code expects them. */
export const cocoRleExporter = exporter({
  name: 'COCO RLE',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'COCO RLE 1.0',
  support: Object.fromEntries(
    Object.entries(instancesSupport).map(([kind, support]) => [kind, support === 'both' ? 'export' : support]),
  ),
})((file_object, task_data, options) => exportCoco(file_object, task_data, { ...options, mask_mode: 'rle' }));
