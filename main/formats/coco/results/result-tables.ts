import type { CocoLabel, CocoTables } from '../coco-tables.ts';
import { createTables } from '../coco-tables.ts';
import { createCategories } from '../write-annotation.ts';
import { withoutExtension } from '../../kit/dataset-items.ts';
import { choiceOption } from '../../kit/option-values.ts';
import type { ImportOptions } from '../../kit/plugin.ts';
import type { TaskData } from '../../kit/task-data.ts';
import { cocoClasses } from './coco-classes.ts';

/** Ids that occur in a file of results. */
export interface UsedIds {
  readonly images: ReadonlySet<unknown>;
  readonly categories: ReadonlySet<unknown>;
}

function labelNamed(name: string, task_data: TaskData): CocoLabel {
  const attributes = task_data.label(name)?.attributes ?? [];
  return {
    name,
    hasCrowdAttribute: attributes.some((attribute) => attribute.name === 'is_crowd'),
    refusal: undefined,
    carried: { rectangle: 0, polygon: 0, mask: 0, skeleton: 0 },
    keypoints: undefined,
  };
}

/** Numbers as this program's COCO exports give them to labels. */
function taskCategories(task_data: TaskData): Map<number, string> {
  return new Map(
    Array.from(createCategories(task_data.meta.labels).values(), ({ id, label, supercategory }) => [
      id,
      supercategory === '' ? label.name : '',
    ]),
  );
}

function addLabels(tables: CocoTables, used: UsedIds, task_data: TaskData, options: ImportOptions): void {
  const own = taskCategories(task_data);
  const published = cocoClasses();
  const choice = choiceOption(options, 'category_ids', ['auto', 'task', 'coco']);
  const names = new Set(published.values());
  const { labels } = task_data.meta;
  const isWholeCoco = labels.length >= names.size && [...names].every((name) => task_data.label(name));
  const hasOthers = [...used.categories].some((id) => !own.has(Number(id)));
  const isCoco =
    choice === 'coco' ||
    (choice === 'auto' && (isWholeCoco || (hasOthers && labels.some(({ name }) => names.has(name)))));
  for (const [id, name] of isCoco ? published : own)
    if (name !== '') tables.labels.set(id, labelNamed(name, task_data));
  options.report.warn(
    isCoco
      ? 'The file names no labels: its category ids were read as those of the published COCO classes. The option category_ids chooses another reading.'
      : 'The file names no labels: its category ids were read as the labels of the task in their order, from 1. The option category_ids chooses another reading.',
  );
}

/** The number at the end of a name, as `COCO_val2014_000000000042.jpg` has it. */
function numberInName(name: string): number | undefined {
  const digits = /(\d{1,15})$/.exec(withoutExtension(name))?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function addImages(tables: CocoTables, used: UsedIds, task_data: TaskData, options: ImportOptions): void {
  const byName = new Map<number, number | null>();
  const byPosition = new Map<number, number>();
  let position = 0;
  for (const { frame, name } of task_data.frames) {
    position += 1;
    byPosition.set(position, frame);
    const number = numberInName(name);
    if (number !== undefined) byName.set(number, byName.has(number) ? null : frame);
  }
  const fitting = (frames: ReadonlyMap<number, number | null>): number =>
    [...used.images].filter((id) => typeof (frames.get(Number(id)) ?? null) === 'number').length;
  const choice = choiceOption(options, 'image_ids', ['auto', 'name', 'position']);
  const isByName = choice === 'name' || (choice === 'auto' && fitting(byName) > fitting(byPosition));
  const frames: ReadonlyMap<number, number | null> = isByName ? byName : byPosition;
  for (const [id, frame] of frames) {
    const info = frame === null ? undefined : task_data.frame_info(frame);
    if (!info) continue;
    tables.images.add(id, { index: 0, name: info.name, width: info.width, height: info.height, frame: info.frame });
  }
  options.report.warn(
    isByName
      ? 'The file names no images: its image ids were read as the numbers at the end of the image names. The option image_ids chooses another reading.'
      : 'The file names no images: its image ids were read as the frames of the task in their order, from 1. The option image_ids chooses another reading.',
  );
}

/** Tables for results that come without the data set that they are about. */
export function guessTables(used: UsedIds, task_data: TaskData, options: ImportOptions): CocoTables {
  const tables = createTables();
  addLabels(tables, used, task_data, options);
  addImages(tables, used, task_data, options);
  return tables;
}
