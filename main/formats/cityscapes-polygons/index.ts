import { withoutExtension } from '../kit/dataset-items.ts';
import { carries, defineFormat } from '../kit/define-format.ts';
import { pairsOf, readPairs } from '../kit/extra-fields.ts';
import { documentExporter } from '../kit/image-files/document-exporter.ts';
import { imageDocumentReader, labelAt } from '../kit/image-files/image-documents.ts';
import { byJsonHead } from '../kit/detection.ts';

const ending = /_(gtFine|gtCoarse)_polygons$/;

/** Subset and stem of a path below `gtFine/`: the stem is equal for an image and its files. */
function placeOf(path: string): { subset: string; stem: string } {
  const inside = withoutExtension(path).replace(/^.*?(gtFine|gtCoarse)\//, '');
  const slash = inside.indexOf('/');
  const stem = inside.slice(slash + 1).replace(ending, '');
  return { subset: slash < 0 ? 'default' : inside.slice(0, slash), stem };
}

/** Reads the polygons of Cityscapes: one JSON file per image. */
const importCityscapesPolygons = imageDocumentReader({
  needs: 'polygons of Cityscapes: JSON with "imgHeight", "imgWidth" and "objects"',
  lists: ['objects'],
  members: new Set(['label', 'polygon', 'id', 'draw', 'user', 'date', 'verified']),
  imageMembers: new Set(['imgHeight', 'imgWidth', 'objects']),
  documentOf({ values, lists }, path) {
    const objects = lists.get('objects');
    const [width, height] = [values.get('imgWidth'), values.get('imgHeight')];
    if (!objects || width === undefined || height === undefined) return null;
    const { stem } = placeOf(path);
    const base = stem.slice(stem.lastIndexOf('/') + 1);
    const names = [`${stem}_leftImg8bit.png`, `${stem}.png`, `${base}_leftImg8bit.png`, `${base}.png`];
    return { names, width, height, objects };
  },
  subsetOf: (path) => placeOf(path).subset,
  addObject(object, { add, frame, at, noteUnread, report }) {
    const label = labelAt(object['label'], 'label');
    if (object['deleted'] === true || object['deleted'] === 1)
      return report.dropped('polygon', label, 'The file marks it as deleted.');
    noteUnread(object, label);
    const points = readPairs(object['polygon'], 'polygon');
    const fields = { frame: frame.frame, label, attributes: [], occluded: false, group: 0, z_order: 0 };
    return add.shape({ ...fields, type: 'polygon', points, source: 'file' }, at);
  },
});

const detectCityscapesPolygons = byJsonHead(({ path, isList, has }) =>
  !isList && has('imgHeight') && has('imgWidth') && has('objects')
    ? { reason: `${path} is JSON with the size of an image and polygons.`, confidence: 0.95 }
    : null,
);

const picture = /_leftImg8bit$/;
const stemOf = (image: string): string => withoutExtension(image).replace(picture, '');
const extensionOf = (image: string): string => image.slice(withoutExtension(image).length);

/**
 * Writes `gtFine/<subset>/<path>_gtFine_polygons.json`; the images are `leftImg8bit/<subset>/<path>_leftImg8bit.<ext>`.
 */
const exportCityscapesPolygons = documentExporter({
  format: 'Cityscapes polygons',
  kinds: new Set(['polygon']),
  kept: {},
  filePath: ({ subset }, image) => `gtFine/${subset}/${stemOf(image)}_gtFine_polygons.json`,
  imagePath: (subset, image) => `leftImg8bit/${subset}/${stemOf(image)}_leftImg8bit${extensionOf(image)}`,
  object: ({ label }, { points }) => ({ label, polygon: pairsOf(points) }),
  document: ({ width, height }, _image, objects) => ({ imgHeight: height, imgWidth: width, objects }),
});

export const cityscapesPolygons = defineFormat({
  name: 'Cityscapes Polygons',
  version: '1.0',
  support: carries({ both: ['polygon'], converted: ['rectangle', 'rotated rectangle', 'ellipse', 'mask', 'track'] }),
  importExt: 'JSON, ZIP',
  detect: detectCityscapesPolygons,
  read: importCityscapesPolygons,
  write: exportCityscapesPolygons,
});
