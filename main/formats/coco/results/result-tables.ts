import { withoutExtension } from '../../kit/dataset-items.ts';
import { choiceOption } from '../../kit/option-values.ts';
import type { ImportOptions } from '../../kit/plugin.ts';
import type { TaskData } from '../../kit/task-data.ts';
import { cocoLabel, type CocoTables, createTables } from '../coco-tables.ts';
import { createCategories } from '../write-annotation.ts';

/** The 80 classes of COCO by their published ids, which reach 90 and have gaps. */
const names =
  '1 person|2 bicycle|3 car|4 motorcycle|5 airplane|6 bus|7 train|8 truck|9 boat|10 traffic light|11 fire hydrant|' +
  '13 stop sign|14 parking meter|15 bench|16 bird|17 cat|18 dog|19 horse|20 sheep|21 cow|22 elephant|23 bear|24 zebra|' +
  '25 giraffe|27 backpack|28 umbrella|31 handbag|32 tie|33 suitcase|34 frisbee|35 skis|36 snowboard|37 sports ball|' +
  '38 kite|39 baseball bat|40 baseball glove|41 skateboard|42 surfboard|43 tennis racket|44 bottle|46 wine glass|47 cup|' +
  '48 fork|49 knife|50 spoon|51 bowl|52 banana|53 apple|54 sandwich|55 orange|56 broccoli|57 carrot|58 hot dog|59 pizza|' +
  '60 donut|61 cake|62 chair|63 couch|64 potted plant|65 bed|67 dining table|70 toilet|72 tv|73 laptop|74 mouse|75 remote|' +
  '76 keyboard|77 cell phone|78 microwave|79 oven|80 toaster|81 sink|82 refrigerator|84 book|85 clock|86 vase|87 scissors|' +
  '88 teddy bear|89 hair drier|90 toothbrush';

export function cocoClasses(): ReadonlyMap<number, string> {
  return new Map(
    names.split('|').map((entry) => {
      const space = entry.indexOf(' ');
      return [Number(entry.slice(0, space)), entry.slice(space + 1)];
    }),
  );
}

/** Ids that occur in a file of results. */
export interface UsedIds {
  readonly images: ReadonlySet<unknown>;
  readonly categories: ReadonlySet<unknown>;
}

/** Category ids that a COCO export of the task assigns to its labels. */
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
  for (const [id, name] of isCoco ? published : own) if (name !== '') tables.labels.set(id, cocoLabel(name));
  options.report.warn(
    isCoco
      ? 'The file names no labels: its category ids were read as the published COCO classes. To read them differently, set the option category_ids.'
      : "The file names no labels: its category ids were read as positions in the task's labels, from 1. To read them differently, set the option category_ids.",
  );
}

/** The number at the end of a name such as `COCO_val2014_000000000042.jpg`. */
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
      ? 'The file names no images: its image ids were read as the numbers at the end of the image names. To read them differently, set the option image_ids.'
      : 'The file names no images: its image ids were read as positions in the task, from 1. To read them differently, set the option image_ids.',
  );
}

/** Tables for results without the dataset that they refer to. */
export function guessTables(used: UsedIds, task_data: TaskData, options: ImportOptions): CocoTables {
  const tables = createTables();
  addLabels(tables, used, task_data, options);
  addImages(tables, used, task_data, options);
  return tables;
}
