import { csvFields } from '../io/csv-rows.ts';
import { parseJson } from '../io/json-text.ts';
import { isTablePath } from '../io/source.ts';
import { extentBox } from '../kit/box-extent.ts';
import { choice, defineFormat } from '../kit/define-format.ts';
import { byHead, topLevelKeys } from '../kit/detection.ts';
import { elementsOf, imageListReader } from '../kit/image-files/image-lists.ts';
import type { ObjectPlace } from '../kit/image-files/image-documents.ts';
import { listExporter } from '../kit/image-files/list-exporter.ts';
import type { JsonElement } from '../kit/json-document.ts';
import type { Detector } from '../kit/plugin.ts';
import { brief, isFiniteNumber, optionalRecord, RecordError } from '../kit/records.ts';
import { addDecimals, readNumber } from '../kit/short-decimals.ts';
import type { TaskData } from '../kit/task-data.ts';
import { saysSomething } from '../kit/unread-members.ts';

const labelMembers = ['label', 'labels'];
/** Members that state the label of an object. The first one is read. */
const objectLabels = ['categories', 'category', 'label'];

type Members = Readonly<Record<string, unknown>>;

/** Objects are a list of records, or parallel lists, one per member. */
function objectsOf(objects: unknown): JsonElement[] {
  if (Array.isArray(objects)) return elementsOf(objects, 'objects');
  const lists = Object.entries(optionalRecord(objects, 'objects') ?? {}).filter(([, list]) => list !== null);
  if (lists.length === 0) return [];
  const wrong = lists.find(([, list]) => !Array.isArray(list));
  if (wrong) throw new RecordError(`objects.${wrong[0]}`, `must be a list, but is ${brief(wrong[1])}`);
  const at = lists.some(([name]) => name === 'bbox' || name === 'bboxes') ? 'objects.bbox' : 'objects';
  const count = Math.max(...lists.map(([, list]) => (list as unknown[]).length));
  return Array.from({ length: count }, (_, index) => ({
    at: `${at}[${index}]`,
    value: Object.fromEntries(lists.map(([name, list]) => [name, (list as unknown[])[index]])),
  }));
}

/** Parses a table cell that holds a structure as JSON. */
function inCell(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return parseJson(value);
  } catch {
    return value;
  }
}

/** A number, also as the text of a table. */
const inColumn = (value: unknown): unknown => (typeof value === 'string' ? readNumber(value.trim()) : value);

const addObject =
  (areCorners: boolean) =>
  (object: Members, { add, frame, at, noteUnread }: ObjectPlace): void => {
    const { tag } = object;
    const bbox = object['bbox'] ?? object['bboxes'];
    const member = objectLabels.find((one) => object[one] !== undefined && object[one] !== null) ?? 'label';
    const stated = tag ?? object[member];
    // A number without a name becomes the name: `datasets` keeps the names elsewhere.
    const name = typeof stated === 'number' ? String(stated) : stated;
    if (tag === undefined && bbox === undefined) throw new RecordError('', 'has no "bbox"');
    if (typeof name !== 'string' || name === '')
      throw new RecordError('label', `must be a string or a number, but is ${brief(stated)}`);
    const base = { frame: frame.frame, label: name, attributes: [], group: 0, source: 'file' as const };
    if (tag !== undefined) return add.tag(base, at);
    const { [member]: _label, ...others } = object;
    noteUnread(others, name);
    if (!Array.isArray(bbox) || bbox.length !== 4 || !bbox.every(isFiniteNumber))
      throw new RecordError('', `must be four numbers: x, y, ${areCorners ? 'right, bottom' : 'width, height'}`);
    const [left = 0, top = 0, right = 0, bottom = 0] = bbox;
    if (areCorners && (right < left || bottom < top))
      throw new RecordError('bbox', `has its right before its left, or its bottom above its top: ${brief(bbox)}`);
    const points = areCorners ? [...bbox] : extentBox(bbox, '');
    return add.shape({ ...base, type: 'rectangle', points, occluded: false, z_order: 0 }, at);
  };

/** Reads image folders of Hugging Face `datasets` with their metadata: boxes in `objects`, and image labels. */
const importHuggingFace = (areCorners: boolean) =>
  imageListReader({
    needs: 'metadata.jsonl or metadata.csv of Hugging Face with "file_name"',
    // The area follows from the box.
    members: new Set(['bbox', 'bboxes', 'id', 'area']),
    imageMembers: new Set(['file_name', 'width', 'height', 'objects', 'image_id', ...labelMembers]),
    isTable: (path) => /(^|\/)metadata\.csv$/i.test(path),
    documentOf(element, path) {
      const { file_name: name, width, height, objects } = element;
      if (typeof name !== 'string') return null;
      const tags = labelMembers.flatMap((member) => {
        const value = inCell(element[member]);
        const list: readonly unknown[] = Array.isArray(value) ? value : saysSomething(value) ? [value] : [];
        return list.map((tag) => ({ at: member, value: { tag } }));
      });
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      const found = objectsOf(inCell(objects === '' ? undefined : objects));
      const size = { width: inColumn(width), height: inColumn(height) };
      return { names: [name, `${folder}${name}`], ...size, objects: [...found, ...tags] };
    },
    subsetOf: (path) => /(?:^|\/)([^/]+)\/[^/]+$/.exec(path)?.[1] ?? 'default',
    addObject: addObject(areCorners),
  });

const detectFolder = byHead(/(^|\/)metadata\.(jsonl|csv)$/i, ({ path, text }) => {
  const first = text.split('\n', 1)[0] ?? '';
  const names = /\.csv$/i.test(path) ? csvFields(first.trim(), ',') : topLevelKeys(first);
  return names.includes('file_name')
    ? { reason: `${path} has a line with "file_name" for each image.`, confidence: 0.95 }
    : null;
});

const detectHuggingFace: Detector = async (source) => {
  const found = await detectFolder(source);
  const table = source.entries.find(({ path }) => isTablePath(path));
  return found && table ? { ...found, reason: `${table.path} has an image in each row.` } : found;
};

/** Four numbers do not tell what they are, and datasets of the Hub differ. */
const boxNumbers = choice('box', 'Numbers of a box', {
  xywh: 'Left, top, width, height',
  xyxy: 'Left, top, right, bottom',
});

/** Dataset card: Markdown whose YAML tells the Hub and `datasets` which folder is which split. */
function datasetCard({ meta }: TaskData, subsets: readonly string[]): string {
  // A text of JSON is a text of YAML, too.
  const quoted = (text: string): string => JSON.stringify(text);
  // Splits may have letters, digits, underscores and dots.
  const splits = subsets.map((name) => [name.replaceAll(/[^\w.]/g, '_'), name] as const);
  const labels = meta.labels.map(({ name }) => `- ${name.replaceAll(/\s+/g, ' ')}`);
  const lines = [
    '---',
    `pretty_name: ${quoted(meta.name)}`,
    'task_categories:',
    '  - object-detection',
    ...(splits.length === 0 ? [] : ['configs:', '  - config_name: default', '    data_files:']),
    ...splits.flatMap(([split, folder]) => [
      `      - split: ${quoted(split)}`,
      `        path: ${quoted(`${folder}/**`)}`,
    ]),
    '---',
    '',
    `# ${meta.name.replaceAll(/\s+/g, ' ')}`,
    '',
    'Boxes are `[x, y, width, height]` in pixels, from the top left corner of the image.',
    ...(labels.length === 0 ? [] : ['', '## Labels', '', ...labels]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Writes `<subset>/metadata.jsonl`, one line per image, beside the images, as `datasets` loads them. */
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
  card: datasetCard,
});

export const huggingFace = defineFormat({
  name: 'Hugging Face ImageFolder',
  version: '1.0',
  support: { rectangle: 'both', tag: 'both', track: 'converted' },
  importExt: 'PARQUET, JSONL, CSV, ZIP',
  importOptions: [boxNumbers],
  detect: detectHuggingFace,
  async read(source, task_data, options) {
    for (const name of source.classes ?? []) task_data.declare_label?.({ name });
    await importHuggingFace(options['box'] === 'xyxy')(source, task_data, options);
  },
  write: exportHuggingFace,
});
