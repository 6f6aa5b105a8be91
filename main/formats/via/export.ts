import { boxOfPoints } from '../../../preload/geometry/geometry.ts';
import { listExporter } from '../kit/image-files/list-exporter.ts';
import type { PlainOutline } from '../kit/plain-outlines.ts';
import type { Exporter } from '../kit/plugin.ts';
import { addDecimals } from '../kit/short-decimals.ts';
import { tagsAttribute } from './read-region.ts';

const format = 'VIA JSON';
/** VIA identifies an image by file name and size. Other programs write this value if the size is unknown. */
const unknownSize = 0;

function shapeOf({ kind, points, rotation }: PlainOutline): Record<string, unknown> {
  const [x = 0, y = 0, right = 0, top = 0] = points;
  switch (kind) {
    case 'rectangle': {
      const box = boxOfPoints(points) ?? { left: 0, top: 0, right: 0, bottom: 0 };
      const [width, height] = [addDecimals(box.right, -box.left), addDecimals(box.bottom, -box.top)];
      return { name: 'rect', x: box.left, y: box.top, width, height };
    }
    case 'point':
      return { name: 'point', cx: x, cy: y };
    case 'ellipse': {
      const [rx, ry] = [addDecimals(right, -x), addDecimals(y, -top)];
      return { name: 'ellipse', cx: x, cy: y, rx, ry, theta: (rotation * Math.PI) / 180 };
    }
    default: {
      const all_points_x = points.filter((_, index) => index % 2 === 0);
      return { name: kind, all_points_x, all_points_y: points.filter((_, index) => index % 2 === 1) };
    }
  }
}

/** Writes `<subset>/via_region_data.json`, an object with a member per image, beside the images. */
export const exportVia: Exporter = (file_object, task_data, options) =>
  listExporter({
    format,
    kinds: new Set(['rectangle', 'polygon', 'polyline', 'point', 'ellipse']),
    kept: { attributes: true, lacksEmptyValues: true, rotation: true },
    listPath: (subset) => `${subset}/via_region_data.json`,
    imagePath: (subset, image) => `${subset}/${image}`,
    head: '{',
    tail: '\n}\n',
    before: (_frame, { name }) => `${JSON.stringify(`${name}${unknownSize}`)}:`,
    object({ label, attributes }, outline) {
      const others = attributes.filter(({ name }) => name !== 'label');
      if (others.length < attributes.length)
        options.report.dropped('attribute', label, `${format} stores the label under the name "label".`);
      return {
        shape_attributes: shapeOf(outline),
        region_attributes: { label, ...Object.fromEntries(others.map(({ name, value }) => [name, value])) },
      };
    },
    tag: ({ label }) => ({ label }),
    hasLabelOnce: true,
    element(_frame, { name: filename }, regions, tags) {
      const labels = Object.fromEntries(tags.map(({ label }) => [String(label), true]));
      return {
        filename,
        size: unknownSize,
        regions,
        file_attributes: tags.length > 0 ? { [tagsAttribute]: labels } : {},
      };
    },
  })(file_object, task_data, options);
