import type { Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { createAnnotationAdder, plainShape } from '../kit/add-annotation.ts';
import { boxProblem, createCarrier, createLossNotes } from '../kit/dropped-details.ts';
import { boxOfPixelCorners, cornersOf } from '../kit/corner-box.ts';
import { withoutExtension } from '../kit/dataset-items.ts';
import { type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { pathsToLookAt, readHead } from '../kit/detection.ts';
import { findFrame, notInTask } from '../kit/find-frame.ts';
import { readImageFiles } from '../kit/image-files/read-image-files.ts';
import { writeImageFiles } from '../kit/image-files/write-image-files.ts';
import { oneLine, warnOfSpaces } from '../kit/mask-files/label-colors.ts';
import type { Detection, Exporter } from '../kit/plugin.ts';
import type { Attribute, Frame, LabeledShape, LabelInfo } from '../kit/task-data.ts';
import { readValues } from '../kit/yolo-family/box-row.ts';

interface DotaRow {
  readonly label: string;
  readonly outline: Pick<LabeledShape, 'points' | 'rotation'>;
  /** 0 easy, 1 difficult, 2 in later versions of the dataset. */
  readonly difficulty: number;
}

const corners = 8;

/** True for header lines, which state the image source and the ground sample distance. */
function isHeaderLine(line: string): boolean {
  return /^\s*(imagesource|gsd|acquisition[ _]?date[sd]?)\s*:/i.test(line);
}

/** Reads four corners, the label and the difficulty, or returns the reason why it cannot. */
function readDotaRow(line: string): DotaRow | string {
  const text = line.trim();
  const fields = text.split(/^[^\s,]+,/.test(text) ? /\s*,\s*/ : /\s+/);
  if (fields.length < corners + 1)
    return `a row must have four corners, a label and a difficulty, but has ${fields.length} values`;
  const values = readValues(fields.slice(0, corners));
  if (typeof values === 'string') return values;
  const last = fields.at(-1) ?? '';
  const isStated = fields.length > corners + 1 && /^\d{1,2}$/.test(last);
  const label = fields.slice(corners, isStated ? -1 : undefined).join(' ');
  return { label, outline: boxOfPixelCorners(values), difficulty: isStated ? Number(last) : 0 };
}

/** Attribute `difficult`, if the label has one or the row states a value. */
function difficultyAttributes({ difficulty }: DotaRow, label: LabelInfo | undefined): Attribute[] {
  const attribute = label?.attributes.find(({ name }) => name === 'difficult');
  if (!attribute && difficulty === 0) return [];
  return [
    { name: 'difficult', value: attribute?.input_type === 'checkbox' ? String(difficulty > 0) : String(difficulty) },
  ];
}

function writeDotaRow(shape: LabeledShape, label: string): string {
  const stated = shape.attributes.find(({ name }) => name === 'difficult')?.value.toLowerCase();
  const difficulty = stated === 'true' ? '1' : stated !== undefined && /^\d{1,2}$/.test(stated) ? stated : '0';
  return `${cornersOf(shape).join(' ')} ${label} ${difficulty}\n`;
}

/** True for a row that other formats hardly have: they have only numbers, quoted text, or no number at the end. */
function isTellingRow(line: string): boolean {
  const row = readDotaRow(line);
  return typeof row !== 'string' && /^[^\d"][^"]*$/.test(row.label) && /\s\d{1,2}\s*$/.test(line);
}

const maxFileBytes = 64 * 1024 * 1024;

/** For `train/labelTxt-v1.5/a/1.txt`, the subset is the folder before `labelTxt`, and the image name follows it. */
function placeOf(path: string): { subset: string; stem: string; isInFolder: boolean } {
  const match = /^(?:(?:.*\/)?([^/]+)\/)?labelTxt[^/]*\/(.+)$/i.exec(path);
  return { subset: match?.[1] ?? 'default', stem: withoutExtension(match?.[2] ?? path), isInFolder: match !== null };
}

/** Text files next to others in an archive are DOTA files if their first row is a DOTA row. */
function isOfFormat(lines: readonly string[]): boolean {
  const first = lines.find((line) => line.trim() !== '' && !isHeaderLine(line));
  return first !== undefined && isTellingRow(first);
}

const importDota: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  await readImageFiles(source, task_data, options, {
    isFile: (path) => /\.txt$/i.test(path),
    needs: 'rows of DOTA: text files with four corners, a label and a difficulty on each line, in a folder labelTxt',
    read: async (path) => {
      const { subset, stem, isInFolder } = placeOf(path);
      const lines = splitLines(await source.read(path, maxFileBytes));
      if (!isInFolder && !isOfFormat(lines)) {
        report.warn(`${path} was left out: its rows are not four corners, a label and a difficulty.`);
        return false;
      }
      if (lines.some(isHeaderLine))
        report.warn('The image source and the ground sample distance (imagesource, gsd) were left out.');
      const rows = [...lines.entries()].filter(([, line]) => line.trim() !== '' && !isHeaderLine(line));
      if (rows.length === 0) return true;
      const info = findFrame(task_data, [`${stem}.png`], subset, path);
      if (!info) {
        report.invalid(path, 'line 1', notInTask(stem, rows.length));
        return true;
      }
      const add = createAnnotationAdder(task_data, report, path);
      for (const [index, line] of rows) {
        const at = `line ${index + 1}`;
        const row = readDotaRow(line);
        if (typeof row === 'string') report.invalid(path, at, row);
        else
          add.shape(
            plainShape({
              type: 'rectangle',
              ...row.outline,
              frame: info.frame,
              label: row.label,
              attributes: difficultyAttributes(row, task_data.label(row.label)),
            }),
            at,
          );
      }
      return true;
    },
  });
};

const format = 'DOTA';

/**
 * Writes boxes, rotated or not, as rows of four corners: `<subset>/labelTxt/<image>.txt`, with images in
 * `<subset>/images/`.
 */
const exportDota: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const notes = createLossNotes(report, format, { attributes: new Set(['difficult']), rotation: true });
  notes.tracks(task_data);

  const carrier = createCarrier(report, notes);
  const names = new Set<string>();
  const rowsOf = ({ tags, labeled_shapes: shapes }: Frame): string => {
    for (const { label } of tags) report.dropped('tag', label, `${format} has no image-level labels.`);
    return carrier
      .shapes(shapes, (shape) => boxProblem(shape, format))
      .map((shape) => {
        names.add(shape.label);
        return writeDotaRow(shape, oneLine(shape.label, report));
      })
      .join('');
  };

  const layout = {
    format,
    filePath: ({ subset, stem }: { readonly subset: string; readonly stem: string }) =>
      `${subset}/labelTxt/${stem}.txt`,
    imagePath: (subset: string, image: string) => `${subset}/images/${image}`,
  };
  let nested = 0;
  for (const { name } of task_data.frames) if (name.includes('/')) nested += 1;
  if (nested > 0)
    report.warn(
      `${nested} images are in folders, and so are their label files below labelTxt: programs that do not search subfolders will not find them.`,
    );
  await writeImageFiles(file_object, task_data, options, layout, ({ frame }) => rowsOf(frame));
  warnOfSpaces([...names], format, report);
};

const maxFiles = 20;
const headBytes = 16 * 1024;
/** Confidence for datasets whose first images have no objects: only the folders speak for DOTA. */
const folderOnly = 0.6;

/** Detects rows of four corners and a label, usually in a folder `labelTxt`. */
async function detectDota(source: Source): Promise<Detection | null> {
  const texts = pathsToLookAt(source, /\.txt$/i);
  const inFolder = texts.filter((path) => /(^|\/)labelTxt[^/]*\//i.test(path));
  for (const path of (inFolder.length > 0 ? inFolder : texts).slice(0, maxFiles)) {
    const head = await readHead(source, path, headBytes);
    const line = splitLines(head).find((one) => one.trim() !== '' && !isHeaderLine(one));
    if (line === undefined) continue;
    if (!(inFolder.length > 0 ? typeof readDotaRow(line) !== 'string' : isTellingRow(line))) break;
    const reason = `${path} has rows of four corners, a label and a difficulty.`;
    return { reason, confidence: inFolder.length > 0 ? 0.95 : 0.7 };
  }
  const [folder] = inFolder;
  return folder === undefined
    ? null
    : { reason: `${folder} is in the folder that DOTA uses for its rows.`, confidence: folderOnly };
}

export const dota = defineFormat({
  name: 'DOTA',
  version: '1.0',
  support: { rectangle: 'both', 'rotated rectangle': 'both', track: 'converted', attribute: 'partial' },
  detect: detectDota,
  importExt: 'TXT, ZIP',
  read: importDota,
  write: exportDota,
});
