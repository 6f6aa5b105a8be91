import { defineFormat } from '../kit/define-format.ts';
import { exportCsv } from './export.ts';
import { importCsv } from './import.ts';
import { detectCsv } from './detect.ts';

/** Tables with a row for each object: one of our own, and the ones of other programs. */
export const csv = defineFormat({
  name: 'CSV',
  version: '1.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'both',
    ellipse: 'both',
    polygon: 'both',
    polyline: 'both',
    points: 'both',
    cuboid: 'both',
    mask: 'both',
    skeleton: 'both',
    tag: 'both',
    track: 'both',
    attribute: 'both',
  },
  importExt: 'CSV, TSV, ZIP',
  detect: detectCsv,
  importOptions: [
    {
      name: 'coordinates',
      title: 'Coordinates',
      kind: 'choice',
      choices: [
        { value: 'auto', title: 'What fits better' },
        { value: 'pixels', title: 'Pixels' },
        { value: 'fractions', title: 'Fractions of the image' },
      ],
    },
    {
      name: 'box',
      title: 'Four numbers of a box',
      kind: 'choice',
      choices: [
        { value: 'xywh', title: 'Left, top, width, height' },
        { value: 'xyxy', title: 'Left, top, right, bottom' },
        { value: 'center', title: 'Centre, width, height' },
      ],
    },
    {
      name: 'header',
      title: 'The first line names the columns',
      kind: 'choice',
      choices: [
        { value: '', title: 'What fits better' },
        { value: 'true', title: 'Yes' },
        { value: 'false', title: 'No' },
      ],
    },
    {
      name: 'delimiter',
      title: 'Delimiter',
      description: 'Left empty: as the first line shows.',
      kind: 'text',
    },
    {
      name: 'columns',
      title: 'Columns',
      description:
        'JSON that gives each meaning its column, for example {"label": "class"}. Left empty: by their names.',
      kind: 'text',
    },
  ],
  read: importCsv,
  write: exportCsv,
});
