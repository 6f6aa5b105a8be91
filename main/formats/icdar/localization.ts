import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { createCarrier, createLossNotes } from '../kit/dropped-details.ts';
import { labelOfAll, readDatasetFiles, smallFileRows, someOf } from '../kit/dataset-files.ts';
import { findFrame, notInTask } from '../kit/find-frame.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import { writeItemArchive } from '../kit/item-archive.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import type { Exporter } from '../kit/plugin.ts';
import type { LabeledShape } from '../kit/task-data.ts';
import {
  createSubsetPlaces,
  icdarFileLabel,
  icdarLabel,
  noteLabel,
  type SubsetPlace,
  textAttribute,
  textAttributes,
  textOf,
  unquoted,
} from './text.ts';

const format = 'ICDAR Localization';
const corners = 8;

/** `<subset>/gt_<image>.txt` at any depth. */
export function findTextFiles(source: Source): { readonly path: string }[] {
  return source.entries.filter(({ path }) => /(^|\/)gt_[^/]+\.txt$/.test(path) && !isSystemFile(path));
}

export interface TextRow {
  readonly points: readonly number[];
  readonly text: string | undefined;
}

const numberBefore = /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s*(,|\s|$)/;

/**
 * Splits a line into its leading numbers and the rest. All numbers have the same delimiter. Another delimiter ends
 * them, because it belongs to the text or is a decimal comma.
 */
function leadingNumbers(line: string): { numbers: number[]; rest: string } {
  const numbers: number[] = [];
  let rest = line;
  let isComma: boolean | undefined;
  for (let match = numberBefore.exec(rest); match; match = numberBefore.exec(rest)) {
    const behind = rest.slice(match[0].length).trimStart();
    isComma ??= match[2] === ',';
    if (behind !== '' && !behind.startsWith('"') && isComma !== (match[2] === ',')) break;
    numbers.push(Number(match[1]));
    rest = rest.slice(match[0].length);
  }
  return { numbers, rest };
}

/** Reads a box (four numbers) or a polygon (pairs) and a text with or without quotes. Undefined for an empty line. */
export function readTextRow(line: string): TextRow | string | undefined {
  if (line.trim() === '') return undefined;
  const { numbers, rest } = leadingNumbers(line);
  // Coordinates are even in number, so an odd last number is a text of digits.
  const isDigits = rest.trim() === '' && numbers.length % 2 === 1;
  const points = isDigits ? numbers.slice(0, -1) : numbers;
  if (points.length < 4 || points.length % 2 === 1)
    return `a row must have four numbers of a box or the pairs of a polygon, and a text, but starts with ${numbers.length} numbers`;
  if (!points.every(Number.isFinite)) return 'a number is too large';
  if (isDigits) {
    const text = line.split(/[\s,]+/).findLast((field) => field !== '');
    return { points, text };
  }
  return { points, text: rest.trim() === '' ? undefined : (unquoted(rest) ?? rest.trim()) };
}

/** Reads ICDAR Localization: boxes and polygons of words with their texts. */
export const importIcdarLocalization: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  let label: string | undefined;
  let placeOf: ((path: string) => SubsetPlace) | undefined;
  await readDatasetFiles(source, task_data, options, {
    format,
    needs: 'files such as train/gt_image.txt',
    find: () => someOf(findTextFiles(source)),
    async read({ path }) {
      task_data.declare_label?.(icdarFileLabel([textAttribute]));
      placeOf ??= createSubsetPlaces(source, task_data);
      const { subset, rest } = placeOf(path);
      const lines = await smallFileRows(source, path, options);
      const rows = lines.map(([line]) => readTextRow(line));
      const count = rows.filter((row) => row !== undefined).length;
      if (count === 0) return undefined;
      const image = rest.replace(/gt_([^/]+)\.txt$/, '$1.jpg');
      const frame = findFrame(task_data, [image], subset, path);
      if (!frame) return report.invalid(path, 'line 1', notInTask(image, count));
      const add = createAnnotationAdder(task_data, report, path);
      const target = (label ??= labelOfAll(task_data, icdarLabel, options));
      for (const [index, row] of rows.entries()) {
        const at = `line ${lines[index]?.[1]}`;
        if (typeof row === 'string') report.invalid(path, at, row);
        else if (row) {
          const { points, text } = row;
          const attributes = text === undefined ? [] : [{ name: textAttribute, value: text }];
          const fields = { frame: frame.frame, label: target, attributes, occluded: false, group: 0, z_order: 0 };
          add.shape({ ...fields, type: points.length === 4 ? 'rectangle' : 'polygon', points, source: 'file' }, at);
        }
      }
      return undefined;
    },
  });
};

/** Writes boxes as numbers separated by spaces, polygons by commas, then the quoted text. */
function rowOf({ type, points }: LabeledShape, text: string | undefined): string {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points;
  const isBox = type === 'rectangle';
  const numbers = isBox ? [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)] : points;
  return `${[...numbers, ...(text === undefined ? [] : [`"${text}"`])].join(isBox ? ' ' : ',')}\n`;
}

export const exportIcdarLocalization: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const notes = createLossNotes(report, format, { attributes: textAttributes });
  notes.tracks(task_data);
  const carrier = createCarrier(report, notes);
  const problemOf = ({ type, points }: LabeledShape): string | undefined => {
    if (type !== 'rectangle' && type !== 'polygon') return `${format} has boxes and polygons only.`;
    return points.every(Number.isFinite) ? undefined : 'Its coordinates are not finite numbers.';
  };
  await writeItemArchive(file_object, task_data, options, {
    format,
    async addItem({ frame, subset, stem, image }, { text: addText }) {
      for (const { label } of frame.tags) report.dropped('tag', label, `${format} has boxes and polygons only.`);
      const rows = carrier.shapes(frame.labeled_shapes, problemOf).map((shape) => {
        const { type, points } = shape;
        noteLabel(shape, type, format, report);
        if (type === 'polygon' && points.length !== corners)
          report.warn(
            'Polygons were written with all of their points; CVAT reads four, and other programs expect four.',
          );
        return rowOf(shape, textOf(shape, type, format, report));
      });
      const slash = stem.lastIndexOf('/') + 1;
      await addText(`${subset}/${stem.slice(0, slash)}gt_${stem.slice(slash)}.txt`, rows.join(''));
      return [`${subset}/images/${image}`];
    },
  });
};
