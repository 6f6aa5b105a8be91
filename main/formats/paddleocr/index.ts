import { parseJson } from '../io/json-text.ts';
import { readLines } from '../io/text-lines.ts';
import { boxOfPixelCorners, cornersOf } from '../kit/corner-box.ts';
import { labelOfAll, pauseBetween } from '../kit/dataset-files.ts';
import { carries, type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { byHead } from '../kit/detection.ts';
import { attributesOfRecord, flagOf, pairsOf, readPairs } from '../kit/extra-fields.ts';
import { createDocumentAdder } from '../kit/image-files/image-documents.ts';
import { elementsOf } from '../kit/image-files/image-lists.ts';
import { readImageFiles, subsetOfPath } from '../kit/image-files/read-image-files.ts';
import { listExporter } from '../kit/image-files/list-exporter.ts';
import { asText, brief, RecordError } from '../kit/records.ts';

/** Label of texts in files without keys. */
const textLabel = 'text';
/** PPOCRLabel writes this for an object without a key. */
const noKey = 'None';

const labelFile = /(^|\/)(Label|.*_(gt|label|det)|det.*|label.*)\.txt$/i;

/** Reads PaddleOCR label files: one line per image with its path, a tab, and its texts with their corners. */
const importPaddleOcr: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  let usual: string | undefined;
  const adder = createDocumentAdder(
    {
      members: new Set(['transcription', 'points', 'difficult', 'key_cls']),
      imageMembers: new Set(),
      addObject(object, { add, frame, at, noteUnread }) {
        const { transcription, points, difficult, key_cls: key } = object;
        if (key !== undefined && key !== null && typeof key !== 'string' && typeof key !== 'number')
          throw new RecordError('key_cls', `must be a string, but is ${brief(key)}`);
        const label = asText(key) !== '' && key !== noKey ? asText(key) : undefined;
        usual ??= label === undefined ? labelOfAll(task_data, textLabel, options) : undefined;
        const own = label ?? usual ?? textLabel;
        noteUnread(object, own);
        const lose = (rule: string): void => report.dropped('attribute', own, rule);
        const attributes = [
          ...attributesOfRecord({ transcription: transcription === '' ? null : transcription }, lose),
          ...(flagOf(difficult, 'difficult', lose) ? [{ name: 'difficult', value: 'true' }] : []),
        ];
        const flat = readPairs(points, 'points');
        const fields = { frame: frame.frame, label: own, attributes, occluded: false, group: 0, z_order: 0 };
        const box = flat.length === 8 ? boxOfPixelCorners(flat) : undefined;
        const isBox = box && isRectangle(flat);
        if (isBox) add.shape({ ...fields, type: 'rectangle', ...box, source: 'file' }, at);
        else add.shape({ ...fields, type: 'polygon', points: flat, source: 'file' }, at);
      },
    },
    task_data,
    options,
  );

  const read = async (path: string): Promise<boolean> => {
    let found = 0;
    const waiting: (() => Promise<void>)[] = [];
    const takeLine = (line: string, number: number): void => {
      const tab = line.indexOf('\t');
      if (line.trim() === '') return;
      const at = `line ${number}`;
      let texts: unknown;
      try {
        texts = tab < 0 ? undefined : parseJson(line.slice(tab + 1));
      } catch {
        texts = undefined;
      }
      if (!Array.isArray(texts)) return report.invalid(path, at, 'must be a path, a tab and a JSON list of texts');
      found += 1;
      const stated = line
        .slice(0, tab)
        .replace(/^\uFEFF/, '')
        .trim();
      // A dataset may have the images in a separate folder beside the label file.
      const names = stated.startsWith('images/') ? [stated.slice('images/'.length), stated] : [stated];
      const objects = elementsOf(texts, 'texts');
      waiting.push(() => adder.add(path, at, { names, objects }, subsetOfPath(path)));
    };
    const between = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await next();
      await pauseBetween(task_data, options)();
    };
    await readLines(source.stream(path), takeLine, between);
    await between();
    return found > 0;
  };

  const needs = 'label file of PaddleOCR: lines of a path, a tab and a JSON list of texts';
  await readImageFiles(source, task_data, options, { isFile: (path) => labelFile.test(path), needs, read });
  adder.finish();
};

/** Four corners of an upright rectangle, the usual case, become a box instead of a polygon. */
function isRectangle([x0, y0, x1, y1, x2, y2, x3, y3]: readonly number[]): boolean {
  return x0 === x3 && x1 === x2 && y0 === y1 && y2 === y3;
}

const detectPaddleOcr = byHead(labelFile, ({ path, text }) =>
  labelFile.test(path) && /^[^\t\n]+\t\[(\]|\s*\{"transcription"|\s*\{[^}]*"points")/m.test(text)
    ? { reason: `${path} has a path and its texts in each line.`, confidence: 0.95 }
    : null,
);

/** Writes `<subset>/Label.txt`, one line per image; images in `<subset>/images`. */
const exportPaddleOcr = listExporter({
  format: 'PaddleOCR',
  kinds: new Set(['rectangle', 'polygon']),
  kept: { attributes: new Set(['transcription', 'difficult']) },
  isLines: true,
  listPath: (subset) => `${subset}/Label.txt`,
  imagePath: (subset, image) => `${subset}/images/${image}`,
  before: (_frame, { name }) => `images/${name}\t`,
  object({ label, attributes }, { kind, points }) {
    const valueOf = (name: string) => attributes.find((one) => one.name === name)?.value;
    return {
      transcription: valueOf('transcription') ?? '',
      points: pairsOf(kind === 'polygon' ? points : cornersOf({ points })),
      difficult: valueOf('difficult') === 'true',
      key_cls: label === textLabel ? undefined : label,
    };
  },
  element: (_frame, _image, objects) => objects,
});

export const paddleOcr = defineFormat({
  name: 'PaddleOCR',
  version: '1.0',
  support: carries({
    both: ['rectangle', 'polygon'],
    converted: ['rotated rectangle', 'ellipse', 'mask', 'track'],
    partial: ['attribute'],
  }),
  importExt: 'TXT, ZIP',
  detect: detectPaddleOcr,
  read: importPaddleOcr,
  write: exportPaddleOcr,
});
