import { carries, choice, datasetExporter, defineFormat } from '../kit/define-format.ts';
import { detectInstances } from './detect.ts';
import { exportCoco } from './export-coco.ts';
import { importCoco } from './import-coco.ts';

export const coco = defineFormat({
  name: 'COCO',
  version: '1.0',
  support: carries({
    both: ['rectangle', 'rotated rectangle', 'polygon', 'mask', 'track', 'attribute'],
    converted: ['ellipse'],
  }),
  importExt: 'JSON, ZIP',
  numbersClasses: true,
  detect: detectInstances,
  exportOptions: [
    choice('mask_mode', 'Masks', {
      plain: 'Run lengths',
      rle: 'Compressed RLE',
      polygons: 'Polygons',
      cvat: 'RLE, every mask a crowd (as CVAT)',
    }),
  ],
  read: importCoco,
  write: exportCoco,
});

/** COCO instances with compressed RLE masks that are not crowds, as most training code expects. */
export const cocoRleExporter = datasetExporter({
  name: 'COCO RLE',
  version: '1.0',
  ext: 'ZIP',
  numbersClasses: true,
  support: Object.fromEntries(
    Object.entries(coco.exporter.support ?? {}).map(([kind, support]) => [
      kind,
      support === 'both' ? 'export' : support,
    ]),
  ),
})((file_object, task_data, options) => exportCoco(file_object, task_data, { ...options, mask_mode: 'rle' }));
