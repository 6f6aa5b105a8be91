import { exporter, importer } from '../plugin.ts';
import { exportCvatForImages, exportCvatForVideo } from './export.ts';
import { importCvat } from './import.ts';

export const cvatImporter = importer({ name: 'CVAT', version: '1.1', ext: 'XML, ZIP', display_name: 'CVAT 1.1' })(
  importCvat,
);

export const cvatImagesExporter = exporter({
  name: 'CVAT for images',
  version: '1.1',
  ext: 'ZIP',
  display_name: 'CVAT for images 1.1',
})(exportCvatForImages);

export const cvatVideoExporter = exporter({
  name: 'CVAT for video',
  version: '1.1',
  ext: 'ZIP',
  display_name: 'CVAT for video 1.1',
})(exportCvatForVideo);
