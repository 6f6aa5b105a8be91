import { exporter, type FormatParameters, importer } from '../plugin.ts';
import { exportCsv } from './export.ts';
import { importCsv } from './import.ts';

const csv: FormatParameters = {
  name: 'CSV',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'CSV 1.0',
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
};

/** Tables with a row for each object: one of our own, and the ones of other programs. */
export const csvImporter = importer({ ...csv, ext: 'CSV, TSV, ZIP' })(importCsv);
export const csvExporter = exporter(csv)(exportCsv);
