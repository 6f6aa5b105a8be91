import { posix } from 'node:path';
import { boxOfPoints } from '../../../preload/contract/geometry.ts';
import { pairsOf } from '../kit/extra-fields.ts';
import { documentExporter } from '../kit/image-files/document-exporter.ts';
import type { PlainOutline } from '../kit/plain-outlines.ts';
import { addDecimals } from '../kit/short-decimals.ts';

const pointsOf = (points: readonly number[]) => pairsOf(points).map(([x, y]) => ({ x, y }));

function boxOf(points: readonly number[]): Record<string, number> {
  const { left = 0, top = 0, right = 0, bottom = 0 } = boxOfPoints(points) ?? {};
  return { x: left, y: top, w: addDecimals(right, -left), h: addDecimals(bottom, -top) };
}

function outlineOf({ kind, points, rotation }: PlainOutline): Record<string, unknown> {
  const [x = 0, y = 0, right = 0, top = 0] = points;
  switch (kind) {
    case 'rectangle':
      return { bounding_box: boxOf(points) };
    case 'polyline':
      return { line: { path: pointsOf(points) } };
    case 'point':
      return { keypoint: { x, y } };
    case 'ellipse': {
      const radius = { x: addDecimals(right, -x), y: addDecimals(y, -top) };
      return { ellipse: { angle: (rotation * Math.PI) / 180, center: { x, y }, radius } };
    }
    default:
      return { bounding_box: boxOf(points), polygon: { paths: [pointsOf(points)] } };
  }
}

/** `<subset>/<image>.json` for each image, which lies beside it. */
export const exportDarwin = documentExporter({
  format: 'V7 Darwin',
  kinds: new Set(['rectangle', 'polygon', 'polyline', 'point', 'ellipse']),
  kept: { attributes: true, group: true, score: true, rotation: true },
  filePath: ({ subset }, image) => `${subset}/${image}.json`,
  imagePath: (subset, image) => `${subset}/${image}`,
  object: ({ label, group, score = 1, attributes }, outline) => ({
    name: label,
    ...outlineOf(outline),
    ...(attributes.length > 0 ? { attributes: attributes.map(({ name, value }) => `${name}:${value}`) } : {}),
    ...(group === 0 ? {} : { instance_id: { value: group } }),
    ...(score === 1 ? {} : { inference: { confidence: score } }),
    slot_names: ['0'],
  }),
  tag: ({ label, attributes }) => ({
    name: label,
    tag: {},
    ...(attributes.length > 0 ? { attributes: attributes.map(({ name, value }) => `${name}:${value}`) } : {}),
  }),
  document: ({ width, height }, image, objects, tags) => {
    const name = posix.basename(image);
    const folder = posix.dirname(image);
    const slot = { type: 'image', slot_name: '0', width, height, source_files: [{ file_name: name }] };
    return {
      version: '2.0',
      item: { name, path: folder === '.' ? '/' : `/${folder}`, slots: [slot] },
      annotations: [...objects, ...tags],
    };
  },
});
