import type { DatasetExportOptions } from '../../../preload/contract/schema/export-options.ts';
import { imageName } from '../../formats/kit/frame-images.ts';
import type { Frame, FrameInfo, TaskData, TaskMeta } from '../../formats/kit/task-data.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { framesOfList } from './frame-list.ts';
import { type Scale, scaledSize } from './scaling.ts';
import { type Split, type SplitUnit, splitUnits } from './split-frames.ts';

/** Exported subset, name and size of a frame. */
export interface PlannedFrame {
  readonly source: FrameInfo;
  readonly info: FrameInfo;
  /** Undefined if the image is not scaled. */
  readonly scale: Scale | undefined;
}

/** Frame numbers of a project are relative to each task. */
export type FrameKey = string | number;
export const frameKeys = ({ kind }: TaskMeta) =>
  kind === 'project'
    ? (frame: number, taskId: number | undefined): FrameKey => `${taskId ?? ''}:${frame}`
    : (frame: number): FrameKey => frame;

/** Labels of the frame's exported objects, with repetitions. */
export type LabelsOfFrame = (frame: Frame) => readonly string[];

interface PlanOptions {
  readonly exportOptions: DatasetExportOptions;
  readonly onlyAnnotated: boolean;
  readonly labelsOf: LabelsOfFrame;
  readonly checkCancelled: () => void;
}

const digits = 6;
const jpegName = /\.jpe?g$/i;

/** Exported frames in order, each with its subset, name and size. */
export function planFrames(task_data: TaskData, options: PlanOptions): Map<FrameKey, PlannedFrame> {
  const { exportOptions, onlyAnnotated, labelsOf, checkCancelled } = options;
  const keyOf = frameKeys(task_data.meta);
  let chosen = [...task_data.frames].filter(createFrameChoice(task_data, exportOptions));
  let labels: Map<FrameKey, readonly string[]> | undefined;
  if (onlyAnnotated || exportOptions.split?.stratified === true) {
    labels = new Map();
    for (const frame of task_data.group_by_frame(false)) {
      checkCancelled();
      const found = labelsOf(frame);
      if (found.length > 0) labels.set(keyOf(frame.frame, frame.task_id), found);
    }
  }
  if (onlyAnnotated) chosen = chosen.filter(({ frame, task_id }) => labels?.has(keyOf(frame, task_id)));
  if (chosen.length === 0) {
    throw new AppError('invalid', 'The selection contains no frames, so the file would be empty. Select more.');
  }
  const subsetOf = exportOptions.split
    ? subsetsOfSplit(
        chosen,
        task_data.meta,
        exportOptions.split,
        (frame) => labels?.get(keyOf(frame.frame, frame.task_id)) ?? [],
      )
    : ({ subset }: FrameInfo): string => subset;
  const nameOf = createNaming(task_data, exportOptions);
  const plan = new Map<FrameKey, PlannedFrame>();
  for (const source of chosen) {
    const subset = subsetOf(source);
    const size = scaledSize(source, exportOptions.images?.longest_side);
    const isScaled = size.width !== source.width || size.height !== source.height;
    plan.set(keyOf(source.frame, source.task_id), {
      source,
      info: { ...source, ...size, subset, name: nameOf(source, subset, isScaled) },
      scale: isScaled ? { x: size.width / source.width, y: size.height / source.height } : undefined,
    });
  }
  return plan;
}

function createFrameChoice(
  { meta }: TaskData,
  { frames, subsets }: DatasetExportOptions,
): (frame: FrameInfo) => boolean {
  if (frames !== undefined && frames.trim() !== '' && meta.kind === 'project') {
    throw invalidField(
      'export_options',
      'Frame numbers are relative to a task. Export a task of the project, or choose subsets.',
    );
  }
  const first = Math.min(...meta.segments.map(({ start }) => start));
  const last = Math.max(...meta.segments.map(({ stop }) => stop));
  const listed = frames === undefined || frames.trim() === '' ? null : new Set(framesOfList(frames, { first, last }));
  const wanted = subsets && new Set(subsets);
  return ({ frame, subset }) => (!listed || listed.has(frame)) && (!wanted || wanted.has(subset));
}

const folderOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('/')));

/** Key of the unit that a frame belongs to; units are not split. */
function createUnitKeys(meta: TaskMeta, split: Split): (frame: FrameInfo) => string {
  const tasks = new Map(meta.tasks.map((task, index) => [task.id, { task, key: `${task.name}\u0000${index}` }]));
  const taskOf = (frame: FrameInfo) => tasks.get(frame.task_id) ?? { task: meta, key: meta.name };
  const own = (frame: FrameInfo): string => `${frame.subset}\u0000${frame.name}`;
  switch (split.keep_together ?? 'frame') {
    case 'task':
      return (frame) => taskOf(frame).key;
    case 'folder':
      return (frame) => `${folderOf(frame.name)}/`;
    case 'job':
      return (frame) => {
        const { task, key } = taskOf(frame);
        const job = task.segments.find(({ start, stop }) => frame.frame >= start && frame.frame <= stop);
        return `${key}\u0000${job?.start ?? ''}`;
      };
    case 'name': {
      const pattern = patternOf(split.name_pattern ?? '');
      return (frame) => {
        const match = pattern.exec(frame.name);
        return match ? `\u0000${match[1] ?? match[0]}` : own(frame);
      };
    }
    default:
      return own;
  }
}

function patternOf(text: string): RegExp {
  if (text === '') {
    throw invalidField(
      'export_options',
      'State a pattern for names of frames that stay together, for example ^(.*?)_ for the part before the first underscore.',
    );
  }
  try {
    return new RegExp(text, 'u');
  } catch {
    throw invalidField('export_options', `"${text}" is not a valid regular expression.`);
  }
}

function subsetsOfSplit(
  frames: readonly FrameInfo[],
  meta: TaskMeta,
  split: Split,
  labelsOf: (frame: FrameInfo) => readonly string[],
): (frame: FrameInfo) => string {
  const names = split.parts.map(({ name }) => name);
  if (new Set(names).size < names.length)
    throw invalidField('export_options', 'Two parts of the split have the same name.');
  const keyOf = createUnitKeys(meta, split);
  const units = new Map<string, SplitUnit>();
  for (const frame of frames) {
    const key = keyOf(frame);
    const unit = units.get(key) ?? { key, frames: 0, labels: new Map<string, number>() };
    units.set(key, unit);
    unit.frames += 1;
    if (split.stratified !== true) continue;
    for (const label of labelsOf(frame)) unit.labels.set(label, (unit.labels.get(label) ?? 0) + 1);
  }
  const parts = splitUnits([...units.values()], split);
  return (frame) => parts.get(keyOf(frame)) ?? frame.subset;
}

/** Creates image names: the own name or a number, with the extension of the exported format, unique in the subset. */
function createNaming(task_data: TaskData, { names, images, split }: DatasetExportOptions) {
  const taken = new Set<string>();
  let number = 0;
  const isChanged = names === 'numbered' || images?.format !== undefined || split !== undefined;
  return (frame: FrameInfo, subset: string, isScaled: boolean): string => {
    const stated = imageName(task_data, frame);
    const dot = stated.lastIndexOf('.');
    const own = dot > stated.lastIndexOf('/') ? stated.slice(dot) : '';
    const extension = extensionOf(own, isScaled, images?.format);
    if (!isChanged && extension === own) return frame.name;
    number += 1;
    const stem =
      names === 'numbered' ? String(number).padStart(digits, '0') : stated.slice(0, stated.length - own.length);
    let name = `${stem}${extension}`;
    for (let copy = 2; taken.has(`${subset}/${name}`); copy += 1) name = `${stem}-${copy}${extension}`;
    taken.add(`${subset}/${name}`);
    return name;
  };
}

/** Extension of an exported image. Scaled images that are neither JPEG nor PNG become PNG. */
export function extensionOf(own: string, isScaled: boolean, format: 'jpeg' | 'png' | undefined): string {
  if (format === 'jpeg') return jpegName.test(own) ? own : '.jpg';
  if (format === 'png') return /\.png$/i.test(own) ? own : '.png';
  return !isScaled || jpegName.test(own) || /\.png$/i.test(own) ? own : '.png';
}
