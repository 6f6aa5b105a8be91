import { carries, datasetExporter, datasetImporter, everyKind, everyShape } from '../kit/define-format.ts';
import { exportCvatForImages, exportCvatForVideo } from './export.ts';
import { importCvat } from './import.ts';
import { detectCvat } from './detect.ts';

export const cvatImporter = datasetImporter({
  name: 'CVAT',
  version: '1.1',
  ext: 'XML, ZIP',
  support: carries({ import: everyKind }),
  detect: detectCvat,
})(importCvat);

export const cvatImagesExporter = datasetExporter({
  name: 'CVAT for images',
  version: '1.1',
  ext: 'ZIP',
  support: carries({ export: [...everyShape, 'tag', 'attribute'], converted: ['track'] }),
})(exportCvatForImages);

export const cvatVideoExporter = datasetExporter({
  name: 'CVAT for video',
  writesUnseenTracks: true,
  isSequence: true,
  version: '1.1',
  ext: 'ZIP',
  support: carries({ export: [...everyShape, 'track', 'attribute'] }),
})(exportCvatForVideo);
