import { defineFormat } from '../kit/define-format.ts';
import { exportCityscapesPolygons } from './export.ts';
import { detectCityscapesPolygons, importCityscapesPolygons } from './import.ts';

export const cityscapesPolygons = defineFormat({
  name: 'Cityscapes Polygons',
  version: '1.0',
  support: {
    rectangle: 'converted',
    'rotated rectangle': 'converted',
    ellipse: 'converted',
    polygon: 'both',
    mask: 'converted',
    track: 'converted',
  },
  importExt: 'JSON, ZIP',
  detect: detectCityscapesPolygons,
  read: importCityscapesPolygons,
  write: exportCityscapesPolygons,
});
