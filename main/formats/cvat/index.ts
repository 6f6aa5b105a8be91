import { datasetExporter, datasetImporter } from '../kit/define-format.ts';
import type { ObjectKind, SupportTable } from '../kit/plugin.ts';
import { exportCvatForImages, exportCvatForVideo } from './export.ts';
import { importCvat } from './import.ts';
import { detectCvat } from './detect.ts';

const everyShape = [
  'rectangle',
  'rotated rectangle',
  'ellipse',
  'polygon',
  'polyline',
  'points',
  'cuboid',
  'mask',
  'skeleton',
] as const;

const carrying = (direction: 'import' | 'export', ...more: ObjectKind[]): SupportTable =>
  Object.fromEntries([...everyShape, ...more].map((kind) => [kind, direction]));

export const cvatImporter = datasetImporter({
  name: 'CVAT',
  version: '1.1',
  ext: 'XML, ZIP',
  display_name: 'CVAT 1.1',
  support: carrying('import', 'tag', 'track', 'attribute'),
  detect: detectCvat,
})(importCvat);

export const cvatImagesExporter = datasetExporter({
  name: 'CVAT for images',
  version: '1.1',
  ext: 'ZIP',
  display_name: 'CVAT for images 1.1',
  support: { ...carrying('export', 'tag', 'attribute'), track: 'converted' },
})(exportCvatForImages);

export const cvatVideoExporter = datasetExporter({
  name: 'CVAT for video',
  writesUnseenTracks: true,
  isSequence: true,
  version: '1.1',
  ext: 'ZIP',
  display_name: 'CVAT for video 1.1',
  support: carrying('export', 'track', 'attribute'),
})(exportCvatForVideo);
