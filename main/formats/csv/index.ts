import { carries, choice, defineFormat, everyKind } from '../kit/define-format.ts';
import { exportCsv } from './export.ts';
import { importCsv } from './import.ts';
import { detectCsv } from './detect.ts';

/** Tables with a row for each object: one of our own, and the ones of other programs. */
export const csv = defineFormat({
  name: 'CSV',
  version: '1.0',
  support: carries({ both: everyKind }),
  importExt: 'CSV, TSV, ZIP',
  detect: detectCsv,
  importOptions: [
    choice('coordinates', 'Coordinates', {
      auto: 'What fits better',
      pixels: 'Pixels',
      fractions: 'Fractions of the image',
    }),
    choice('box', 'Four numbers of a box', {
      xywh: 'Left, top, width, height',
      xyxy: 'Left, top, right, bottom',
      center: 'Centre, width, height',
    }),
    choice('header', 'The first line names the columns', { '': 'What fits better', true: 'Yes', false: 'No' }),
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
