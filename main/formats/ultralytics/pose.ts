import { createShapeRows } from '../kit/yolo-family/box-export.ts';
import { rowExporter } from './rows.ts';
import { plainShape } from '../kit/add-annotation.ts';
import { AppError } from '../../platform/errors.ts';
import { createLossNotes } from '../kit/lost-details.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import type { FormatReport } from '../kit/report.ts';
import { skeletonLabel } from '../kit/skeletons.ts';
import type { Frame, FrameInfo, LabeledShape, LabelInfo, TaskData } from '../kit/task-data.ts';
import { boxFields, pairFields, pairPixels, readClass, readExtra, readShares } from '../kit/yolo-family/box-row.ts';
import { importLabels, rowObject, type RowReader } from '../kit/yolo-family/label-import.ts';
import { openUltralytics } from './dataset.ts';

const format = 'Ultralytics YOLO Pose';
/** Class and box stand before the points. */
const headFields = 5;

/** Names of points for a skeleton that the task does not have yet. */
function pointNames(label: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${label}_point_${index}`);
}

function elementOf(label: string, frame: number, x: number, y: number, state: number): LabeledShape {
  return plainShape({
    type: 'points',
    frame,
    label,
    points: [x, y],
    occluded: state === 1,
    outside: state === 0,
  });
}

interface PoseReading {
  readonly classNames: ReadonlyMap<number, string>;
  /** Number of points, and of values for each. */
  readonly shape: readonly [count: number, size: number];
  readonly task_data: TaskData;
  readonly report: FormatReport;
}

function createRowReader({ classNames, shape: [count, size], task_data, report }: PoseReading): RowReader {
  const elementsOf = (values: readonly number[], info: FrameInfo, label: string): LabeledShape[] | string => {
    const known = task_data.label(label);
    const names = known ? known.sublabels.map(({ name }) => name) : pointNames(label, count);
    const states = Array.from({ length: count }, (_, place) => (size === 3 ? (values[3 * place + 2] ?? 0) : 2));
    const wrong = states.find((state) => state !== 0 && state !== 1 && state !== 2);
    if (wrong !== undefined) return `a point has the state ${wrong}: 0, 1 and 2 are known`;
    const pairs = Array.from({ length: count }, (_, place) => [
      values[size * place] ?? 0,
      values[size * place + 1] ?? 0,
    ]);
    const pixels = pairPixels(pairs.flat(), info);
    return names.length === 0
      ? `the label "${label}" of the task is no skeleton`
      : states.flatMap((stated, place): LabeledShape[] => {
          const name = names[place];
          const [x = 0, y = 0] = pixels.slice(2 * place, 2 * place + 2);
          // Where points have no state, places before the image mean that a point is missing.
          const state = size === 2 && (x < 0 || y < 0) ? 0 : stated;
          if (name !== undefined) return [elementOf(name, info.frame, x, y, state)];
          if (state !== 0) report.lost('points', label, `The skeleton of the task has no point number ${place + 1}.`);
          return [];
        });
  };

  return (fields, info) => {
    const expected = headFields + count * size;
    if (fields.length !== expected && fields.length !== expected + 1)
      return `a row has ${expected} values for ${count} points, this one has ${fields.length}`;
    const classIndex = readClass(fields[0]);
    if (classIndex === undefined) return `${JSON.stringify(fields[0])} is not a class number`;
    const values = readShares(fields.slice(1, expected));
    if (typeof values === 'string') return values;
    const extra = readExtra(fields[expected]);
    if (typeof extra === 'string') return extra;
    const elements = elementsOf(values.slice(headFields - 1), info, classNames.get(classIndex) ?? '');
    if (typeof elements === 'string') return classNames.has(classIndex) ? elements : `class ${classIndex} has no name`;
    return rowObject(classIndex, { type: 'skeleton', points: [], elements }, extra);
  };
}

/** Imports skeletons: rows of a class, a box, and points with or without their states. A track id may follow. */
export const importPose: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const { description, items } = await openUltralytics(source, format, report);
  const { keypointShape, names } = description;
  if (!keypointShape) {
    throw new AppError(
      'invalid',
      `${source.name} holds no poses: its description has no kpt_shape. Import it as Ultralytics YOLO Detection or Segmentation; nothing was imported.`,
    );
  }
  const [count] = keypointShape;
  for (const name of names.values()) {
    task_data.declare_label?.(skeletonLabel(name, pointNames(name, count), []));
    const points = task_data.label(name)?.sublabels.length ?? 0;
    if (points > count)
      report.warn(
        `The skeleton "${name}" of the task has ${points} points, the rows have ${count}: the last ones stay away.`,
      );
  }
  const readRow = createRowReader({ classNames: names, shape: keypointShape, task_data, report });
  await importLabels(source, task_data, options, { classNames: names, items, readRow });
};

function visibleBox(elements: readonly LabeledShape[]): number[] {
  const seen = elements.filter(({ outside }) => outside !== true);
  const xs = seen.map(({ points: [x = 0] }) => x);
  const ys = seen.map(({ points: [, y = 0] }) => y);
  return seen.length === 0 ? [0, 0, 0, 0] : [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function rowOf(
  { elements = [] }: LabeledShape,
  sublabels: LabelInfo['sublabels'],
  frame: Frame,
  count: number,
): string {
  const points = Array.from({ length: count }, (_, place) => {
    const name = sublabels[place]?.name;
    const element = elements.find((one) => one.label === name);
    if (!element) return '0.000000 0.000000 0';
    const state = element.outside === true ? 0 : element.occluded ? 1 : 2;
    return `${pairFields(element.points, frame).join(' ')} ${state}`;
  });
  return `${boxFields(visibleBox(elements), frame)} ${points.join(' ')}`;
}

function problemOf({ type, elements = [] }: LabeledShape): string | undefined {
  if (type !== 'skeleton') return `${format} has skeletons only.`;
  return elements.every((one) => one.type === 'points' && one.points.length === 2 && one.points.every(Number.isFinite))
    ? undefined
    : `${format} has single points as parts of a skeleton only.`;
}

/** Exports skeletons. Classes are the skeletons among the labels; every row has as many points as the largest of them. */
export const exportPose = rowExporter(format, (task_data, { report }) => {
  const labels = new Map(
    task_data.meta.labels.filter(({ sublabels }) => sublabels.length > 0).map((label) => [label.name, label]),
  );
  const names = [...labels.keys()];
  const count = Math.max(0, ...Array.from(labels.values(), ({ sublabels }) => sublabels.length));
  const notes = createLossNotes(report, format, { rotation: true });
  notes.tracks(task_data);
  const rowsOf = createShapeRows(report, {
    format,
    notes,
    names,
    unlabelled: 'The label is no skeleton of the task.',
    problemOf,
    fieldsOf: (shape, frame) => rowOf(shape, labels.get(shape.label)?.sublabels ?? [], frame, count),
  });
  return { names, rowsOf, keypointShape: [count, 3] };
});
