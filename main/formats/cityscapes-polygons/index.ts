import { carries, defineFormat } from '../kit/define-format.ts';
import { exportCityscapesPolygons } from './export.ts';
import { detectCityscapesPolygons, importCityscapesPolygons } from './import.ts';

export const cityscapesPolygons = defineFormat({
  name: 'Cityscapes Polygons',
  version: '1.0',
  support: carries({ both: ['polygon'], converted: ['rectangle', 'rotated rectangle', 'ellipse', 'mask', 'track'] }),
  importExt: 'JSON, ZIP',
  detect: detectCityscapesPolygons,
  read: importCityscapesPolygons,
  write: exportCityscapesPolygons,
});
