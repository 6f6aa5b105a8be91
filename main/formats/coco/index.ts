import { datasetExporter, defineFormat } from '../kit/define-format.ts';
import { detectInstances } from './detect.ts';
import { exportCoco } from './export-coco.ts';
import { importCoco } from './import-coco.ts';

export const coco = defineFormat({
  name: 'COCO',
  version: '1.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'both',
    ellipse: 'converted',
    polygon: 'both',
    mask: 'both',
    track: 'both',
    attribute: 'both',
  },
  importExt: 'JSON, ZIP',
  numbersClasses: true,
  detect: detectInstances,
  exportOptions: [
    {
      name: 'mask_mode',
      title: 'Masks',
      kind: 'choice',
      choices: [
        { value: 'cvat', title: 'Crowds with plain run lengths' },
        { value: 'rle', title: 'Compressed run lengths' },
        { value: 'polygons', title: 'Polygons' },
      ],
    },
  ],
  read: importCoco,
  write: exportCoco,
});

/** COCO instances whose masks are compressed run lengths and no crowds, as most training code expects them. */
export const cocoRleExporter = datasetExporter({
  name: 'COCO RLE',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'COCO RLE 1.0',
  numbersClasses: true,
  support: Object.fromEntries(
    Object.entries(coco.exporter.support ?? {}).map(([kind, support]) => [
      kind,
      support === 'both' ? 'export' : support,
    ]),
  ),
})((file_object, task_data, options) => exportCoco(file_object, task_data, { ...options, mask_mode: 'rle' }));
