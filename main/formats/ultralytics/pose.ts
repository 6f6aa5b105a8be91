import { createShapeRows } from '../kit/yolo-family/box-export.ts';
import { rowExporter } from './rows.ts';
import { plainShape } from '../kit/add-annotation.ts';
import { AppError } from '../../platform/errors.ts';
import { createLossNotes } from '../kit/dropped-details.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import type { FormatReport } from '../kit/report.ts';
import { skeletonLabel } from '../kit/skeletons.ts';
import type { Frame, FrameInfo, LabeledShape, LabelInfo, TaskData } from '../kit/task-data.ts';
import {
  boxFields,
  boxPoints,
  pairFields,
  pairPixels,
  readClass,
  readExtra,
  readShares,
} from '../kit/yolo-family/box-row.ts';
import { importLabels, rowObject, type RowReader } from '../kit/yolo-family/label-import.ts';
import type { DataYaml } from './data-yaml.ts';
import { openUltralytics } from './dataset.ts';

const format = 'Ultralytics YOLO Pose';
/** Class and box precede the points. */
const headFields = 5;

/** Point names for a skeleton that the task does not have yet. */
function pointNames(label: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${label}_point_${index}`);
}

/** Ultralytics treats points below this confidence as not visible, and writes 0, 0 for them. */
const leastConfidence = 0.5;
const confidenceNote = `The third value of points is a confidence: points below ${leastConfidence} count as not visible.`;
const boxRule = 'A skeleton has no separate box: the one in the file was left out.';
/** Tolerance in pixels between the box of a row and the extent of its points. */
const boxTolerance = 0.5;

interface PointState {
  readonly state: number;
  readonly score?: number;
}

/** States of a row's points; in predictions the third values are confidences. */
function pointStates(values: readonly number[]): readonly PointState[] | string {
  const isState = (value: number): boolean => value === 0 || value === 1 || value === 2;
  if (values.every(isState)) return values.map((state) => ({ state }));
  const wrong = values.find((value) => value < 0 || value > 1);
  if (wrong !== undefined)
    return `a point has the third value ${wrong}: it is a state of 0, 1 or 2, or a confidence from 0 to 1`;
  return values.map((score) => (score < leastConfidence ? { state: 0 } : { state: 2, score }));
}

function elementOf(
  label: string,
  frame: number,
  [x, y]: readonly [number, number],
  { state, score }: PointState,
): LabeledShape {
  return plainShape({
    score: score === undefined || score === 1 ? undefined : score,
    type: 'points',
    frame,
    label,
    points: [x, y],
    occluded: state === 1,
    outside: state === 0,
  });
}

/** Names of a class's points in the order of the file. */
function fileNames(
  { keypointNames, keypointShape, names }: DataYaml,
  index: number,
  report: FormatReport,
): readonly string[] {
  const [count = 0] = keypointShape ?? [];
  const label = names.get(index) ?? '';
  const stated = (keypointNames.get(index) ?? keypointNames.get('all'))?.map((name) => name.trim());
  if (!stated) return pointNames(label, count);
  if (stated.length === count && new Set(stated).size === count && !stated.includes('')) return stated;
  report.warn(
    `kpt_names of "${label}" does not have ${count} different names: its points are named ${label}_point_0 and so on.`,
  );
  return pointNames(label, count);
}

interface PoseReading {
  /** Point names of each class in the order of the file. */
  readonly pointsOf: (label: string) => readonly string[];
  readonly classNames: ReadonlyMap<number, string>;
  /** Number of points, and of values per point. */
  readonly shape: readonly [count: number, size: number];
  readonly task_data: TaskData;
  readonly report: FormatReport;
}

function createRowReader({ classNames, shape: [count, size], pointsOf, task_data, report }: PoseReading): RowReader {
  /**
   * The task's points that have the names of the file, in any order; otherwise, all of the task's points in their
   * order.
   */
  const namesOf = (label: string): readonly string[] => {
    const known = task_data.label(label)?.sublabels.map(({ name }) => name);
    const stated = pointsOf(label);
    return known && !stated.every((name) => known.includes(name)) ? known : stated;
  };

  const noteBox = (box: readonly number[], elements: readonly LabeledShape[], label: string): void => {
    const extent = visibleBox(elements);
    if (box.some((value, index) => Math.abs(value - (extent[index] ?? 0)) > boxTolerance))
      report.dropped('skeleton', label, boxRule);
  };

  const elementsOf = (values: readonly number[], info: FrameInfo, label: string): LabeledShape[] | string => {
    const names = task_data.label(label)?.sublabels.length === 0 ? [] : namesOf(label);
    const states = pointStates(
      Array.from({ length: count }, (_, place) => (size === 3 ? (values[3 * place + 2] ?? 0) : 2)),
    );
    if (typeof states === 'string') return states;
    if (states.some(({ score }) => score !== undefined)) report.warn(confidenceNote);
    const pairs = Array.from({ length: count }, (_, place) => [
      values[size * place] ?? 0,
      values[size * place + 1] ?? 0,
    ]);
    const pixels = pairPixels(pairs.flat(), info);
    return names.length === 0
      ? `the label "${label}" of the task is not a skeleton`
      : states.flatMap((stated, place): LabeledShape[] => {
          const name = names[place];
          const [x = 0, y = 0] = pixels.slice(2 * place, 2 * place + 2);
          // For points without states, negative coordinates mean that the point is missing.
          const state = size === 2 && (x < 0 || y < 0) ? { state: 0 } : stated;
          if (name !== undefined) return [elementOf(name, info.frame, [x, y], state)];
          if (state.state !== 0)
            report.dropped('points', label, `The skeleton of the task has no point number ${place + 1}.`);
          return [];
        });
  };

  return (fields, info) => {
    const expected = headFields + count * size;
    if (fields.length !== expected && fields.length !== expected + 1)
      return `a row must have ${expected} values for ${count} points, but has ${fields.length}`;
    const classIndex = readClass(fields[0]);
    if (classIndex === undefined) return `${JSON.stringify(fields[0])} is not a class number`;
    const values = readShares(fields.slice(1, expected));
    if (typeof values === 'string') return values;
    const extra = readExtra(fields[expected]);
    if (typeof extra === 'string') return extra;
    const label = classNames.get(classIndex) ?? '';
    const elements = elementsOf(values.slice(headFields - 1), info, label);
    const [cx = 0, cy = 0, w = 0, h = 0] = values;
    if (typeof elements !== 'string') noteBox(boxPoints({ classIndex, cx, cy, w, h }, info), elements, label);
    if (typeof elements === 'string') return classNames.has(classIndex) ? elements : `class ${classIndex} has no name`;
    return rowObject(classIndex, { type: 'skeleton', points: [], elements }, extra);
  };
}

/** Imports skeletons: rows of a class, a box, and points with or without states. A track id may follow. */
export const importPose: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const { description, items } = await openUltralytics(source, format, report);
  const { keypointShape, names } = description;
  if (!keypointShape) {
    throw new AppError(
      'invalid',
      `${source.name} has no poses: its description has no kpt_shape. Import it as Ultralytics YOLO Detection or Segmentation; nothing was imported.`,
    );
  }
  const [count] = keypointShape;
  const pointsByLabel = new Map<string, readonly string[]>();
  for (const [index, name] of names) {
    const stated = fileNames(description, index, report);
    pointsByLabel.set(name, stated);
    task_data.declare_label?.(skeletonLabel(name, stated, []));
    const points = task_data.label(name)?.sublabels.length ?? 0;
    if (points > count)
      report.warn(
        `The skeleton "${name}" of the task has ${points} points, but the rows have ${count}: the last points stay empty.`,
      );
  }
  const readRow = createRowReader({
    classNames: names,
    shape: keypointShape,
    pointsOf: (label) => pointsByLabel.get(label) ?? [],
    task_data,
    report,
  });
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

/** Exports skeletons. Classes are the skeleton labels; every row has as many points as the largest one. */
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
    unlabelled: 'The label is not a skeleton of the task.',
    problemOf,
    fieldsOf: (shape, frame) => rowOf(shape, labels.get(shape.label)?.sublabels ?? [], frame, count),
  });
  return { names, rowsOf, keypointShape: [count, 3] };
});
