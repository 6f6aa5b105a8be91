import { writeArchive } from '../kit/frame-images.ts';
import type { Exporter } from '../kit/plugin.ts';
import type { FormatReport } from '../kit/report.ts';
import type { TaskData } from '../kit/task-data.ts';
import { createBoxRows } from '../kit/yolo-family/box-export.ts';
import { type LabelLayout, writeLabelArchive } from '../kit/yolo-family/label-archive.ts';

/** Paths in lists carry the prefix `data/`, although the files lie at the archive's top: darknet runs beside a folder `data`. */
const layout: LabelLayout = {
  format: 'YOLO 1.1',
  reservedSubsets: new Set(['classes', 'names', 'backup']),
  labelPath: (subset, stem) => `obj_${subset}_data/${stem}.txt`,
  imagePath: (subset, name) => `obj_${subset}_data/${name}`,
  listLine: (subset, name) => `data/obj_${subset}_data/${name}`,
  writesEmptyLabels: true,
};

/** Class names by class number: labels without a parent, in the task's order, one on a line. */
function classNames(task_data: TaskData, report: FormatReport): string[] {
  return task_data.meta.labels.map(({ name }) => {
    const oneLine = name.replaceAll(/[\r\n]+/g, ' ').trim();
    if (oneLine !== name)
      report.warn(
        `The label ${JSON.stringify(name)} is written as "${oneLine}": names stand on one line each, without spaces around them.`,
      );
    return oneLine;
  });
}

/** Exports boxes as a darknet dataset. Class numbers count the labels without a parent, and so does the file of names. */
export const exportYolo: Exporter = async (file_object, task_data, options) => {
  const names = classNames(task_data, options.report);
  await writeArchive(file_object.path, async (zip) => {
    const rowsOf = createBoxRows(task_data, options.report, { format: layout.format, trackIds: false });
    const subsets = await writeLabelArchive(zip, task_data, options, layout, rowsOf);
    await zip.add('obj.names', names.map((name) => `${name}\n`).join(''));
    const lists = subsets.map((subset) => `${subset} = data/${subset}.txt\n`).join('');
    await zip.add('obj.data', `classes = ${names.length}\n${lists}names = data/obj.names\nbackup = backup/\n`);
  });
};
