import { withoutExtension } from '../kit/dataset-items.ts';
import { pairsOf } from '../kit/extra-fields.ts';
import { documentExporter } from '../kit/image-files/document-exporter.ts';

const picture = /_leftImg8bit$/;
const stemOf = (image: string): string => withoutExtension(image).replace(picture, '');
const extensionOf = (image: string): string => image.slice(withoutExtension(image).length);

/** `gtFine/<subset>/<path>_gtFine_polygons.json`; the images are `leftImg8bit/<subset>/<path>_leftImg8bit.<ext>`. */
export const exportCityscapesPolygons = documentExporter({
  format: 'Cityscapes polygons',
  kinds: new Set(['polygon']),
  kept: {},
  filePath: ({ subset }, image) => `gtFine/${subset}/${stemOf(image)}_gtFine_polygons.json`,
  imagePath: (subset, image) => `leftImg8bit/${subset}/${stemOf(image)}_leftImg8bit${extensionOf(image)}`,
  object: ({ label }, { points }) => ({ label, polygon: pairsOf(points) }),
  document: ({ width, height }, _image, objects) => ({ imgHeight: height, imgWidth: width, objects }),
});
