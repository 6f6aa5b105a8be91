import { annotationSources } from '../../../preload/contract/annotation-names.ts';
import { createAnnotationAdder, createGroupNumbers } from '../kit/add-annotation.ts';
import { createMaskAdder } from '../kit/mask-files/add-masks.ts';
import type { ImportOptions } from '../kit/plugin.ts';
import { createRecordGuard } from '../kit/records.ts';
import type { FormatReport } from '../kit/report.ts';
import type { Attribute, FrameInfo, ImageSize, LabeledShape, TaskData } from '../kit/task-data.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import { statesImageSize } from './columns.ts';
import { taskFrame } from '../kit/find-frame.ts';
import { createTrackShapes } from '../kit/track-shapes.ts';
import { fieldOf, isTrue, optionalNumber, type Outline, outlineOfRow, type Row, type Table } from './read-row.ts';

interface TableFrames {
  /** The frame of a row; undefined, and counted, if the task has none. */
  find(row: Row): FrameInfo | undefined;
  finish(): void;
}

/** Finds the frame of a row by image name, or by frame number if there is no name. */
function createTableFrames(table: Table, path: string, task_data: TaskData, report: FormatReport): TableFrames {
  const missing = new Map<string, { line: number; count: number }>();
  // Caches the last frame: rows of one image are usually consecutive.
  let last: { readonly key: string; readonly info: FrameInfo | undefined } | undefined;
  const lookUp = (name: string, number: string, subset: string): FrameInfo | undefined => {
    const frame =
      name === ''
        ? taskFrame(task_data, number)
        : task_data.match_frame({ name, near: path, subset: subset === '' ? undefined : subset });
    return frame === null ? undefined : task_data.frame_info(frame);
  };
  return {
    find({ fields, line }) {
      const name = fieldOf(table, fields, 'image');
      const number = fieldOf(table, fields, 'frame');
      const subset = fieldOf(table, fields, 'subset');
      const key = `${name}\u0000${number}\u0000${subset}`;
      if (last?.key !== key) last = { key, info: lookUp(name, number, subset) };
      if (last.info) return last.info;
      const shown = name === '' ? `frame ${number}` : `image "${name.slice(0, 200)}"`;
      const known = missing.get(shown);
      if (known) known.count += 1;
      else missing.set(shown, { line, count: 1 });
      return undefined;
    },
    finish() {
      for (const [shown, { line, count }] of missing)
        report.invalid(path, `line ${line}`, `${shown} is not in the task: its ${count} rows were left out`);
    },
  };
}

function attributesOf({ columns }: Table, fields: readonly string[]): Attribute[] {
  return columns.attributes.flatMap(({ name, place }) => {
    const value = fields[place] ?? '';
    return value === '' ? [] : [{ name, value }];
  });
}

/** State shared by the tables of one import, because tracks and groups can span several tables. */
interface TableShared {
  readonly masks: ReturnType<typeof createMaskAdder>;
  readonly tracks: ReturnType<typeof createTrackShapes>;
  readonly groupOf: ReturnType<typeof createGroupNumbers>;
  readonly sizes: ReturnType<typeof createSizeWatch>;
}

export function createTableShared(task_data: TaskData, { report, conv_mask_to_poly }: ImportOptions): TableShared {
  const masks = createMaskAdder(report, conv_mask_to_poly);
  return {
    masks,
    tracks: createTrackShapes(task_data, report),
    groupOf: createGroupNumbers(masks.nextGroup),
    sizes: createSizeWatch(report, { files: 'rows', kept: 'their coordinates' }),
  };
}

const statedSize = (table: Table, fields: readonly string[]): ImageSize => ({
  width: Number(fieldOf(table, fields, 'width')),
  height: Number(fieldOf(table, fields, 'height')),
});

export function createRowAdder(
  known: Table,
  path: string,
  task_data: TaskData,
  { report }: ImportOptions,
  { masks, tracks, groupOf, sizes }: TableShared,
): { add(row: Row): void; finish(): void } {
  const add = createAnnotationAdder(task_data, report, path);
  const frames = createTableFrames(known, path, task_data, report);
  const guarded = createRecordGuard(report, path);
  const groupOfRow = (fields: readonly string[], info: FrameInfo): number =>
    groupOf(`${info.task_id}:${info.frame}`, fieldOf(known, fields, 'group').replace(/^0$/, ''));

  const labelOf = (fields: readonly string[]): string => {
    const label = fieldOf(known, fields, 'label');
    const number = fieldOf(known, fields, 'class_id');
    if (label !== '' || !/^\d{1,9}$/.test(number)) return label;
    return task_data.meta.labels[Number(number)]?.name ?? number;
  };

  const addShape = (outline: Outline, { fields, line }: Row, info: FrameInfo): void => {
    const at = `line ${line}`;
    const label = labelOf(fields);
    const trackId = fieldOf(known, fields, 'track');
    const isOfTrack = trackId !== '' && trackId !== '-1' && outline.type !== 'mask';
    const score = optionalNumber(known, fields, 'score');
    if (score !== undefined && (score < 0 || score > 1))
      report.dropped(outline.type, label, 'Scores must be from 0 to 1.');
    const zOrder = optionalNumber(known, fields, 'z_order') ?? 0;
    const { elements, ...rest } = outline;
    const shape: LabeledShape = {
      ...rest,
      elements,
      frame: info.frame,
      label,
      occluded: isTrue(fieldOf(known, fields, 'occluded')),
      attributes: attributesOf(known, fields),
      group: groupOfRow(fields, info),
      z_order: Number.isSafeInteger(zOrder) ? zOrder : 0,
      source: annotationSources.find((one) => one === fieldOf(known, fields, 'source')) ?? 'file',
      score: score !== undefined && score >= 0 && score <= 1 ? score : undefined,
      outside: isTrue(fieldOf(known, fields, 'outside')) || undefined,
    };
    if (outline.type === 'mask') masks.add(add, outline.points, shape, at);
    else if (isOfTrack) {
      const keyframe = !known.columns.places.has('keyframe') || isTrue(fieldOf(known, fields, 'keyframe'));
      tracks.add(trackId, { ...shape, keyframe }, path, at);
    } else add.shape(shape, at);
  };

  const addRow = (row: Row): void => {
    const { fields, line } = row;
    const info = frames.find(row);
    if (!info) return;
    if (statesImageSize(known.columns)) sizes.compare(`${path}, line ${line}`, statedSize(known, fields), info);
    const tag = { frame: info.frame, attributes: [], group: 0, source: 'file' as const };
    if (known.isOfLabels) {
      for (const { name, place } of known.columns.others)
        if ((fields[place] ?? '').trim() === '1') add.tag({ ...tag, label: name }, `line ${line}`);
      return;
    }
    guarded(`line ${line}`, () => {
      const outline = outlineOfRow(known, fields, info.frame, info);
      if (outline === undefined) return;
      if (outline !== 'tag') addShape(outline, row, info);
      else {
        const group = groupOfRow(fields, info);
        add.tag({ ...tag, group, label: labelOf(fields), attributes: attributesOf(known, fields) }, `line ${line}`);
      }
    });
  };

  return { add: addRow, finish: () => frames.finish() };
}
