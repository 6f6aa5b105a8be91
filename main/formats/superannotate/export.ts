import { cornersOf } from '../kit/corner-box.ts';
import { documentExporter } from '../kit/image-files/document-exporter.ts';
import type { PlainOutline } from '../kit/plain-outlines.ts';
import { addDecimals } from '../kit/short-decimals.ts';
import type { Attribute } from '../kit/task-data.ts';

function membersOf({ kind, points, rotation }: PlainOutline): Record<string, unknown> {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points;
  switch (kind) {
    case 'rectangle':
      return { type: 'bbox', points: { x1, y1, x2, y2 } };
    case 'rotated rectangle': {
      const corners = cornersOf({ points, rotation });
      const named = corners.map((value, index) => [
        `${index % 2 === 0 ? 'x' : 'y'}${Math.floor(index / 2) + 1}`,
        value,
      ]);
      return { type: 'rbbox', points: Object.fromEntries(named) };
    }
    case 'point':
      return { type: 'point', x: x1, y: y1 };
    case 'ellipse':
      return { type: 'ellipse', cx: x1, cy: y1, rx: addDecimals(x2, -x1), ry: addDecimals(y1, -y2), angle: rotation };
    default:
      return { type: kind, points, ...(kind === 'polygon' ? { exclude: [] } : {}) };
  }
}

const attributesOf = (attributes: readonly Attribute[]) =>
  attributes.map(({ name, value }) => ({ name: value, groupName: name }));

/** `annotations/<subset>/<image>.json` for each image, `classes/classes.json`, and `images/<subset>/<image>`. */
export const exportSuperAnnotate = documentExporter({
  format: 'SuperAnnotate JSON',
  kinds: new Set(['rectangle', 'rotated rectangle', 'polygon', 'polyline', 'point', 'ellipse']),
  kept: { attributes: true, group: true, score: true, rotation: true },
  filePath: ({ subset }, image) => `annotations/${subset}/${image}.json`,
  imagePath: (subset, image) => `images/${subset}/${image}`,
  object: ({ label, group, score = 1, attributes }, outline) => ({
    ...membersOf(outline),
    className: label,
    probability: addDecimals(score * 100, 0),
    groupId: group,
    pointLabels: {},
    locked: false,
    visible: true,
    attributes: attributesOf(attributes),
  }),
  tag: ({ label, group, attributes }) => ({
    type: 'tag',
    className: label,
    groupId: group,
    attributes: attributesOf(attributes),
  }),
  document: ({ width, height }, image, objects, tags) => ({
    metadata: { name: image, width, height, status: 'Completed' },
    instances: [...objects, ...tags],
    tags: [],
    comments: [],
  }),
  files: ({ meta }) => {
    const classes = meta.labels.map(({ name, color }, index) => ({ id: index + 1, name, color, attribute_groups: [] }));
    return new Map([['classes/classes.json', `${JSON.stringify(classes)}\n`]]);
  },
});
