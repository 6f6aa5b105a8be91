import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportDatumaro } from './export.ts';
import { importDatumaro } from './import.ts';
import { detectDatumaro } from './detect.ts';

const datumaro: FormatParameters = {
  name: 'Datumaro',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'Datumaro 1.0',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'both',
    ellipse: 'both',
    polygon: 'both',
    polyline: 'both',
    points: 'both',
    mask: 'both',
    skeleton: 'both',
    tag: 'both',
    track: 'both',
    attribute: 'both',
  },
};

export const datumaroImporter = importer({ ...datumaro, ext: 'JSON, ZIP', detect: detectDatumaro })(importDatumaro);
export const datumaroExporter = exporter(datumaro)(exportDatumaro);
