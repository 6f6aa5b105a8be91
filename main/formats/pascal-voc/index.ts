import { exporter, type FormatParameters, importer } from '../plugin.ts';
import { exportVoc } from './export.ts';
import { importVoc } from './import.ts';

const voc: FormatParameters = {
  name: 'PASCAL VOC',
  version: '1.1',
  ext: 'ZIP',
  display_name: 'PASCAL VOC 1.1',
  support: {
    rectangle: 'both',
    'rotated rectangle': 'both',
    ellipse: 'converted',
    polygon: 'converted',
    mask: 'both',
    tag: 'both',
    track: 'both',
    attribute: 'both',
  },
};

export const vocImporter = importer(voc)(importVoc);
export const vocExporter = exporter(voc)(exportVoc);
