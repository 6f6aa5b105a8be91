import { boxOfPoints } from '../../../preload/contract/geometry.ts';
import { pairsOf } from '../kit/extra-fields.ts';
import { listExporter } from '../kit/image-files/list-exporter.ts';
import type { PlainOutline } from '../kit/plain-outlines.ts';
import { addDecimals } from '../kit/short-decimals.ts';

const pointsOf = (points: readonly number[]) => pairsOf(points).map(([x, y]) => ({ x, y }));

function outlineOf({ kind, points }: PlainOutline): Record<string, unknown> {
  switch (kind) {
    case 'rectangle': {
      const { left = 0, top = 0, right = 0, bottom = 0 } = boxOfPoints(points) ?? {};
      const box = { top, left, height: addDecimals(bottom, -top), width: addDecimals(right, -left) };
      return { annotation_kind: 'ImageBoundingBox', bounding_box: box };
    }
    case 'polyline':
      return { annotation_kind: 'ImagePolyline', line: pointsOf(points) };
    case 'point':
      return { annotation_kind: 'ImagePoint', point: pointsOf(points)[0] };
    default:
      return { annotation_kind: 'ImagePolygon', polygon: pointsOf(points) };
  }
}

/** `<subset>.ndjson`, a line for each image; they lie in `images/<subset>`. */
export const exportLabelbox = listExporter({
  format: 'Labelbox',
  kinds: new Set(['rectangle', 'polygon', 'polyline', 'point']),
  kept: { attributes: true },
  isLines: true,
  listPath: (subset) => `${subset}.ndjson`,
  imagePath: (subset, image) => `images/${subset}/${image}`,
  object: ({ label, attributes }, outline) => ({
    name: label,
    ...outlineOf(outline),
    classifications: attributes.map(({ name, value }) => ({ name, text_answer: { content: value } })),
  }),
  tag: ({ label }) => ({ name: label }),
  element: ({ width, height, task_id, frame }, { name, path }, objects, tags) => {
    const classifications = tags.length > 0 ? [{ name: 'labels', checklist_answers: tags }] : [];
    return {
      data_row: { id: `${task_id}-${frame}`, external_id: name, row_data: path },
      media_attributes: { width, height },
      projects: {
        limner: { name: 'Limner', labels: [{ label_kind: 'Default', annotations: { objects, classifications } }] },
      },
    };
  },
});
