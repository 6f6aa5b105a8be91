import { warnOfSharedNames } from '../shared-names.ts';
import { type AnnotationAdder, createAnnotationAdder, plainShape } from '../add-annotation.ts';
import { eachFile } from '../dataset-files.ts';
import { declareImage, findFrame, notInTask } from '../find-frame.ts';
import type { Source } from '../../io/source.ts';
import { splitLines } from '../../io/text-lines.ts';
import type { ImportOptions } from '../plugin.ts';
import type { FrameInfo, LabeledShape, TaskData } from '../task-data.ts';
import { type readExtra, splitRow } from './box-row.ts';
import { createTrackBuilder } from './track-builder.ts';

export interface LabelItem {
  readonly image: string;
  /** Names to match frames with; the first match is used. */
  readonly names: readonly string[];
  readonly subset: string;
  /** Path of the label file in the source, undefined if the image has none. */
  readonly labelPath: string | undefined;
}

/** An object of a row: a shape without its frame, and its track id if it has one. */
export interface RowObject {
  readonly classIndex: number;
  readonly shape: Pick<LabeledShape, 'type' | 'points' | 'score' | 'rotation' | 'elements'>;
  readonly trackId?: number;
}

/** Combines an object with the optional values after its outline. */
export const rowObject = (
  classIndex: number,
  shape: RowObject['shape'],
  { trackId, score }: ReturnType<typeof readExtra> & object,
): RowObject => ({
  classIndex,
  shape: score === undefined ? shape : { ...shape, score },
  trackId,
});

/** Parses a row for an image of the given size, or returns the reason why it cannot. */
export type RowReader = (fields: readonly string[], size: FrameInfo) => RowObject | string;

export interface LabelImportOptions {
  readonly classNames: ReadonlyMap<number, string>;
  readonly items: readonly LabelItem[];
  readonly readRow: RowReader;
}

const maxLabelBytes = 64 * 1024 * 1024;

/** Reads the label files in sequence. Invalid rows are reported with file and line; the rest is imported. */
export async function importLabels(
  source: Source,
  task_data: TaskData,
  options: ImportOptions,
  { classNames, items, readRow }: LabelImportOptions,
): Promise<void> {
  const { report } = options;
  const tracks = createTrackBuilder(task_data, report);
  for (const name of classNames.values()) task_data.declare_label?.({ name });
  warnOfSharedNames(report, source.name, classNames);

  const addRow = (add: AnnotationAdder, fields: readonly string[], info: FrameInfo, file: string, at: string): void => {
    const row = readRow(fields, info);
    if (typeof row === 'string') return report.invalid(file, at, row);
    const label = classNames.get(row.classIndex);
    if (label === undefined)
      return report.invalid(
        file,
        at,
        `class ${row.classIndex} has no name: the dataset names ${classNames.size} classes`,
      );
    const shape = plainShape({ ...row.shape, label, frame: info.frame });
    if (row.trackId === undefined) add.shape(shape, at);
    else tracks.add(row.trackId, shape, file, at);
  };

  const addFile = async (item: LabelItem, labelPath: string): Promise<void> => {
    const lines = splitLines(await source.read(labelPath, maxLabelBytes)).map(splitRow);
    const count = lines.filter((fields) => fields.length > 0).length;
    if (count === 0) return declareImage(task_data, item.names, item.subset, labelPath);
    const info = findFrame(task_data, item.names, item.subset, labelPath);
    if (!info) return report.invalid(labelPath, 'line 1', notInTask(item.image, count));
    if (!(info.width > 0 && info.height > 0))
      return report.invalid(
        labelPath,
        'line 1',
        `the size of image "${item.image}" is not known: its ${count} objects were left out`,
      );
    const add = createAnnotationAdder(task_data, report, labelPath);
    lines.forEach((fields, index) => {
      if (fields.length > 0) addRow(add, fields, info, labelPath, `line ${index + 1}`);
    });
  };

  const seen = new Set<string>();
  await eachFile(items, task_data, options, async (item) => {
    if (item.labelPath === undefined) return declareImage(task_data, item.names, item.subset, item.image);
    if (seen.has(item.labelPath)) return;
    seen.add(item.labelPath);
    await addFile(item, item.labelPath);
  });
  tracks.finish();
}
