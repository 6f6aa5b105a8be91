import { deflateSync } from 'node:zlib';
import { maskBox, maskToBitmap } from '../../../preload/contract/mask-runs.ts';
import { pairsOf } from '../kit/extra-fields.ts';
import { documentExporter } from '../kit/image-files/document-exporter.ts';
import { encodePng } from '../kit/mask-files/png-writer.ts';
import type { PlainOutline } from '../kit/plain-outlines.ts';
import type { TaskData } from '../kit/task-data.ts';

const types: Readonly<Partial<Record<PlainOutline['kind'], string>>> = {
  rectangle: 'rectangle',
  polygon: 'polygon',
  polyline: 'line',
  point: 'point',
};

function geometryOf({ kind, points }: PlainOutline): Record<string, unknown> {
  if (kind !== 'mask') return { geometryType: types[kind], points: { exterior: pairsOf(points), interior: [] } };
  const { left, top } = maskBox(points);
  const { bitmap, width, height } = maskToBitmap(points);
  const png = encodePng({ kind: 'bits', width, height, pixels: bitmap });
  return { geometryType: 'bitmap', bitmap: { data: deflateSync(png).toString('base64'), origin: [left, top] } };
}

/** Classes of any shape, and the names of the tags. */
function metaOf({ meta }: TaskData): string {
  const classes = meta.labels.map(({ name, color }) => ({ title: name, shape: 'any', color, geometry_config: {} }));
  const attributes = new Set(meta.labels.flatMap((label) => label.attributes.map(({ name }) => name)));
  const tags = [
    ...meta.labels.map(({ name }) => ({ name, value_type: 'none', color: '#808080' })),
    ...[...attributes].map((name) => ({ name, value_type: 'any_string', color: '#808080' })),
  ].filter(({ name }, index, all) => all.findIndex((one) => one.name === name) === index);
  return `${JSON.stringify({ classes, tags, projectType: 'images' })}\n`;
}

/** `<subset>/ann/<image>.json` for each image, `<subset>/img/<image>`, and `meta.json`. */
export const exportSupervisely = documentExporter({
  format: 'Supervisely',
  kinds: new Set(['rectangle', 'polygon', 'polyline', 'point', 'mask']),
  kept: { attributes: true },
  filePath: ({ subset }, image) => `${subset}/ann/${image}.json`,
  imagePath: (subset, image) => `${subset}/img/${image}`,
  object: ({ label, attributes }, outline) => ({
    classTitle: label,
    description: '',
    tags: attributes.map(({ name, value }) => ({ name, value })),
    ...geometryOf(outline),
  }),
  tag: ({ label }) => ({ name: label, value: null }),
  document: ({ width, height }, _image, objects, tags) => ({
    description: '',
    tags,
    size: { height, width },
    objects,
  }),
  files: (task_data) => new Map([['meta.json', metaOf(task_data)]]),
});
