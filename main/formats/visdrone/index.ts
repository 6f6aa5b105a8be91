import { createAnnotationAdder, plainShape } from '../kit/add-annotation.ts';
import { boxFromExtent } from '../kit/box-extent.ts';
import { boxProblem, createCarrier, createLossNotes } from '../kit/dropped-details.ts';
import { smallFileRows } from '../kit/dataset-files.ts';
import { withoutExtension } from '../kit/dataset-items.ts';
import { type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { amongFiles, detectRows, isWithinReach } from '../kit/detection.ts';
import { findFrame } from '../kit/find-frame.ts';
import { readImageFiles } from '../kit/image-files/read-image-files.ts';
import { writeItemArchive } from '../kit/item-archive.ts';
import type { Exporter } from '../kit/plugin.ts';
import { readNumber } from '../kit/short-decimals.ts';
import type { LabeledShape } from '../kit/task-data.ts';

/** The twelve categories by number. */
const categories: readonly string[] = [
  'ignored regions',
  'pedestrian',
  'people',
  'bicycle',
  'car',
  'van',
  'truck',
  'tricycle',
  'awning-tricycle',
  'bus',
  'motor',
  'others',
];

interface VisDroneRow {
  readonly label: string;
  readonly points: readonly number[];
  /** Ground truth: 0 if the box is ignored in evaluations. Results: confidence. */
  readonly score: number;
  readonly isTruncated: boolean;
  readonly occlusion: number;
}

/** Parses `left,top,width,height,score,category,truncation,occlusion`, or returns the reason why it cannot. */
function readVisDroneRow(line: string): VisDroneRow | string | undefined {
  const text = line.trim();
  if (text === '') return undefined;
  const fields = text.replace(/,$/, '').split(',');
  if (fields.length !== 8) return `a row must have 8 values separated by commas, but has ${fields.length}`;
  const values = fields.map((field) => readNumber(field.trim()));
  const wrong = values.findIndex(Number.isNaN);
  if (wrong >= 0) return `${JSON.stringify(fields[wrong]?.slice(0, 80))} is not a number`;
  const [, , , , score = 1, category = -1, truncation = 0, occlusion = 0] = values;
  const label = categories[category];
  if (label === undefined) return `${fields[5]?.trim()} is not one of the twelve categories`;
  const points = boxFromExtent(values.slice(0, 4));
  if (typeof points === 'string') return points;
  return { label, points, score, isTruncated: truncation > 0, occlusion };
}

const isTrue = ({ attributes }: LabeledShape, name: string): boolean =>
  attributes.some((one) => one.name === name && /^(true|1)$/i.test(one.value));

/** Rounds corners to integers, as in VisDrone's files and readers. Visible boxes keep at least one pixel each way. */
function wholeExtent(points: readonly number[]): readonly number[] {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points;
  const side = (from: number, to: number): readonly [number, number] => {
    const begin = Math.round(Math.min(from, to));
    return [begin, from === to ? 0 : Math.max(1, Math.round(Math.max(from, to)) - begin)];
  };
  const [left, width] = side(x1, x2);
  const [top, height] = side(y1, y2);
  return [left, top, width, height];
}

function writeVisDroneRow(shape: LabeledShape): string {
  const { label, points, occluded, score } = shape;
  const judged = isTrue(shape, 'ignored') || label === categories[0] ? 0 : (score ?? 1);
  const flags = [isTrue(shape, 'truncated') ? 1 : 0, occluded ? 1 : 0];
  return `${[...wholeExtent(points), judged, categories.indexOf(label), ...flags].join(',')}\n`;
}

const place = /^(?:(?:.*\/)?([^/]+)\/)?annotations\/(.+)\.txt$/;

/** Reads VisDrone images: per image a text file `annotations/<image>.txt` with a row per box. */
const importVisDrone: DatasetReader = async (source, task_data, options) => {
  const { report } = options;

  const read = async (path: string): Promise<boolean> => {
    const [, subset = 'default', below] = place.exec(path) ?? [];
    const stem = below ?? withoutExtension(path);
    const rows = await smallFileRows(source, path, options);
    const add = createAnnotationAdder(task_data, report, path);
    let frame: ReturnType<typeof findFrame>;
    for (const [line, number] of rows) {
      const at = `line ${number}`;
      const row = readVisDroneRow(line);
      if (row === undefined) continue;
      frame ??= findFrame(task_data, [`${stem}.jpg`], subset, path);
      if (typeof row === 'string') report.invalid(path, at, row);
      else if (!frame) report.invalid(path, at, `image "${stem}" is not in the task`);
      else {
        const { label, points, score, isTruncated, occlusion } = row;
        if (occlusion > 1) report.dropped('rectangle', label, 'Degrees of occlusion become one flag.');
        const attributes = [
          ...(isTruncated ? [{ name: 'truncated', value: 'true' }] : []),
          ...(score === 0 && label !== categories[0] ? [{ name: 'ignored', value: 'true' }] : []),
        ];
        const shape = { type: 'rectangle' as const, frame: frame.frame, label, points, attributes };
        const own = score > 0 && score < 1 ? { score } : {};
        add.shape(plainShape({ ...shape, occluded: occlusion > 0, ...own }), at);
      }
    }
    return true;
  };

  const needs = 'rows of VisDrone: text files with eight numbers on each line, in a folder annotations';
  await readImageFiles(source, task_data, options, { isFile: (path) => place.test(path), needs, read });
};

const detectVisDrone = amongFiles(async (source) => {
  const paths = source.entries.map(({ path }) => path).filter((path) => place.test(path) && isWithinReach(path));
  const reason = `${paths[0]} is in a folder annotations and has rows of eight numbers, as in VisDrone.`;
  return detectRows(source, paths.slice(0, 10), readVisDroneRow, { reason });
});

const format = 'VisDrone';

/** Writes `<subset>/annotations/<image>.txt`, images in `<subset>/images`. */
const exportVisDrone: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const attributes = new Set(['truncated', 'ignored']);
  const notes = createLossNotes(report, format, { attributes, occluded: true, score: true });
  notes.tracks(task_data);
  const carrier = createCarrier(report, notes);
  await writeItemArchive(file_object, task_data, options, {
    format,
    async addItem({ frame, subset, stem, image }, { text }) {
      for (const { label } of frame.tags) report.dropped('tag', label, `${format} has boxes only.`);
      const rows = carrier.shapes(frame.labeled_shapes, (shape) => {
        if (!categories.includes(shape.label))
          return `${format} has only its twelve labels, such as ${categories.slice(3, 6).join(', ')}.`;
        return boxProblem(shape, format);
      });
      for (const { label, points } of rows)
        if (!points.every(Number.isInteger))
          report.dropped('rectangle', label, `${format} has integer coordinates: corners were rounded.`);
      await text(`${subset}/annotations/${stem}.txt`, rows.map(writeVisDroneRow).join(''));
      return [`${subset}/images/${image}`];
    },
  });
};

export const visDrone = defineFormat({
  name: 'VisDrone',
  version: '1.0',
  support: { rectangle: 'both', 'rotated rectangle': 'converted', track: 'converted', attribute: 'partial' },
  detect: detectVisDrone,
  read: importVisDrone,
  write: exportVisDrone,
});
