import { pairsOf } from '../kit/extra-fields.ts';
import { listExporter } from '../kit/image-files/list-exporter.ts';
import type { PlainOutline } from '../kit/plain-outlines.ts';

function outlineOf({ kind, points }: PlainOutline): Record<string, unknown> {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points;
  if (kind === 'rectangle') return { box2d: { x1, y1, x2, y2 } };
  const vertices = pairsOf(points);
  return { poly2d: [{ vertices, types: 'L'.repeat(vertices.length), closed: kind === 'polygon' }] };
}

/** `labels/<subset>.json`, a list of images; they lie in `images/<subset>`. */
export const exportBdd = listExporter({
  format: 'BDD100K',
  kinds: new Set(['rectangle', 'polygon', 'polyline']),
  kept: { attributes: true, occluded: true, score: true },
  listPath: (subset) => `labels/${subset}.json`,
  imagePath: (subset, image) => `images/${subset}/${image}`,
  object: ({ label, attributes, occluded, score }, outline) => ({
    category: label,
    attributes: { ...Object.fromEntries(attributes.map(({ name, value }) => [name, value])), occluded },
    ...(score === undefined || score === 1 ? {} : { score }),
    ...outlineOf(outline),
  }),
  element: ({ width, height }, { name }, objects) => ({
    name,
    width,
    height,
    labels: objects.map((object, index) => ({ id: String(index), ...object })),
  }),
});
