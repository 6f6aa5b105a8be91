import { defineFormat } from '../kit/define-format.ts';
import { byHead, topLevelKeys } from '../kit/detection.ts';
import { elementsOf, imageListReader } from '../kit/image-files/image-lists.ts';
import { listExporter } from '../kit/image-files/list-exporter.ts';
import type { JsonElement } from '../kit/json-document.ts';
import { brief, isFiniteNumber, isRecord, RecordError } from '../kit/records.ts';
import { addDecimals } from '../kit/short-decimals.ts';

/** Members of an image that say its own label. */
const labelMembers = ['label', 'labels'];

/** Boxes stand in lists beside each other: the boxes, and their labels. */
function boxesOf(objects: unknown): JsonElement[] {
  if (!isRecord(objects)) return [];
  const labels: unknown = objects['categories'] ?? objects['category'] ?? objects['label'];
  return elementsOf(objects['bbox'] ?? objects['bboxes'], 'objects.bbox').map(({ at, value }, index) => ({
    at,
    value: { bbox: value, label: Array.isArray(labels) ? (labels[index] as unknown) : undefined },
  }));
}

/** Folders of images of Hugging Face's `datasets`, with `metadata.jsonl`: boxes in `objects`, labels of whole images. */
const importHuggingFace = imageListReader({
  needs: 'metadata.jsonl of Hugging Face: lines of JSON with "file_name"',
  members: new Set(['bbox', 'label']),
  documentOf(element, path) {
    const { file_name: name, width, height, objects } = element;
    if (typeof name !== 'string') return null;
    const tags = labelMembers.flatMap((member) => {
      const value = element[member];
      const list: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
      return list.map((label) => ({ at: member, value: { label } }));
    });
    const known = new Set(['file_name', 'width', 'height', 'objects', 'image_id', ...labelMembers]);
    const others = Object.keys(element).filter((member) => !known.has(member));
    const told = others.length > 0 ? [{ at: others.join(', '), value: { others: true } }] : [];
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    return { names: [name, `${folder}${name}`], width, height, objects: [...boxesOf(objects), ...tags, ...told] };
  },
  subsetOf: (path) => /(?:^|\/)([^/]+)\/[^/]+$/.exec(path)?.[1] ?? 'default',
  addObject({ bbox, label, others }, { add, frame, at }) {
    if (others === true) throw new RecordError('', 'a frame has no such members: they were left out');
    // Numbers without the names that `datasets` keeps elsewhere are names of their own.
    const name = typeof label === 'number' ? String(label) : label;
    if (typeof name !== 'string' || name === '')
      throw new RecordError('label', `must be a text or a number, but is ${brief(label)}`);
    const base = { frame: frame.frame, label: name, attributes: [], group: 0, source: 'file' as const };
    if (bbox === undefined) return add.tag(base, at);
    const [x = 0, y = 0, width = 0, height = 0] = Array.isArray(bbox) && bbox.every(isFiniteNumber) ? bbox : [];
    if (!Array.isArray(bbox) || bbox.length !== 4 || !bbox.every(isFiniteNumber))
      throw new RecordError('', 'must be four numbers: x, y, width, height');
    if (width < 0 || height < 0) throw new RecordError('', `has a negative size, ${width} × ${height}`);
    const points = [x, y, addDecimals(x, width), addDecimals(y, height)];
    return add.shape({ ...base, type: 'rectangle', points, occluded: false, z_order: 0 }, at);
  },
});

const detectHuggingFace = byHead(/(^|\/)metadata\.jsonl$/i, ({ path, text }) =>
  topLevelKeys(text.split('\n', 1)[0] ?? '').includes('file_name')
    ? { reason: `${path} has a line with "file_name" for each image.`, confidence: 0.95 }
    : null,
);

/** `<subset>/metadata.jsonl`, a line for each image; they lie beside it, as `datasets` loads them. */
const exportHuggingFace = listExporter({
  format: 'Hugging Face ImageFolder',
  kinds: new Set(['rectangle']),
  kept: {},
  isLines: true,
  listPath: (subset) => `${subset}/metadata.jsonl`,
  imagePath: (subset, image) => `${subset}/${image}`,
  object({ label }, { points: [x1 = 0, y1 = 0, x2 = 0, y2 = 0] }) {
    const [left, top] = [Math.min(x1, x2), Math.min(y1, y2)];
    const size = [addDecimals(Math.max(x1, x2), -left), addDecimals(Math.max(y1, y2), -top)];
    return { bbox: [left, top, ...size], label };
  },
  tag: ({ label }) => ({ label }),
  element: ({ width, height }, { name }, objects, tags) => ({
    file_name: name,
    width,
    height,
    objects: { bbox: objects.map(({ bbox }) => bbox), categories: objects.map(({ label }) => label) },
    labels: tags.map(({ label }) => label),
  }),
});

export const huggingFace = defineFormat({
  name: 'Hugging Face ImageFolder',
  version: '1.0',
  support: { rectangle: 'both', tag: 'both', track: 'converted' },
  importExt: 'JSONL, ZIP',
  detect: detectHuggingFace,
  read: importHuggingFace,
  write: exportHuggingFace,
});
