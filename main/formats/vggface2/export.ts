import { boxExtent } from '../kit/box-extent.ts';
import { createCarrier, repeatedTag } from '../kit/carried.ts';
import { csvRow } from '../io/csv-rows.ts';
import type { SpillFiles } from '../io/spill-files.ts';
import { type ArchiveItem, writeItemArchive } from '../kit/item-archive.ts';
import { createNameClaims, inLabelFolder, labelFolderProblem, nameIsTaken, noLabel } from '../kit/label-folders.ts';
import { createLossNotes } from '../kit/lost-details.ts';
import type { Exporter } from '../kit/plugin.ts';
import type { LabeledShape } from '../kit/task-data.ts';
import { boxColumns, format, landmarkColumns, nameColumn } from './files.ts';

const landmarkNumbers = 10;

/** Rows of a file that begins with the names of its columns. */
function addRow(
  spill: SpillFiles,
  opened: Set<string>,
  path: string,
  columns: readonly string[],
  row: readonly (string | number)[],
): void {
  const out = spill.open(path);
  if (!opened.has(path)) out.text(csvRow([nameColumn, ...columns]));
  opened.add(path);
  out.text(csvRow(row));
}

/** Why a shape has no row, or undefined. */
function problemOf({ type, points, label }: LabeledShape, carried: readonly LabeledShape[]): string | undefined {
  if (type !== 'rectangle' && type !== 'points') return `${format} has boxes, and points of five landmarks.`;
  if (type === 'points' && points.length !== landmarkNumbers)
    return `${format} has five landmarks of a face: these are ${points.length / 2} points.`;
  if (!points.every(Number.isFinite)) return 'Its coordinates are not finite numbers.';
  if (carried.some((other) => other.type === type && other.label === label))
    return `${format} has one ${type === 'points' ? 'set of landmarks' : 'box'} of a label on an image.`;
  return labelFolderProblem(label, format);
}

/** VGGFace2: for each image and label a box, five landmarks, or an empty row for the label alone. */
export const exportVggFace2: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const notes = createLossNotes(report, format, {});
  notes.tracks(task_data);
  const opened = new Set<string>();
  const blank = landmarkColumns.map(() => '');
  const claim = createNameClaims();

  const nameOf = (label: string, { stem }: ArchiveItem): string => inLabelFolder(label, stem);
  const takenProblem = (label: string, item: ArchiveItem): string | undefined =>
    claim(`${item.subset}/${nameOf(label, item)}`, item.frame) ? undefined : nameIsTaken;

  const carrier = createCarrier(report, notes);

  await writeItemArchive(file_object, task_data, options, {
    format,
    async addItem(item, { spill }) {
      const { frame, subset, image } = item;
      const shapes = carrier.shapes(
        frame.labeled_shapes,
        (shape, carried) => problemOf(shape, carried) ?? takenProblem(shape.label, item),
      );
      const tags = carrier
        .tags(
          frame.tags,
          (tag, carried) =>
            repeatedTag(tag, carried) ?? labelFolderProblem(tag.label, format) ?? takenProblem(tag.label, item),
        )
        .map(({ label }) => label);
      const landmarks = `bb_landmark/loose_landmark_${subset}.csv`;
      // Rows for labels come before those with landmarks: other readers take them in this order only.
      for (const label of tags) addRow(spill, opened, landmarks, landmarkColumns, [nameOf(label, item), ...blank]);
      for (const { type, label, points } of shapes) {
        if (type === 'points') addRow(spill, opened, landmarks, landmarkColumns, [nameOf(label, item), ...points]);
        else
          addRow(spill, opened, `bb_landmark/loose_bb_${subset}.csv`, boxColumns, [
            nameOf(label, item),
            ...boxExtent(points),
          ]);
      }
      const labels = new Set([...tags, ...shapes.map(({ label }) => label)]);
      if (labels.size === 0) addRow(spill, opened, landmarks, landmarkColumns, [nameOf(noLabel, item), ...blank]);
      return (labels.size > 0 ? [...labels] : [noLabel]).map((label) => `${subset}/${inLabelFolder(label, image)}`);
    },
    async finish({ text }, subsets) {
      // Readers expect a file of landmarks for each subset, whatever it has.
      for (const subset of subsets) {
        const path = `bb_landmark/loose_landmark_${subset}.csv`;
        if (!opened.has(path)) await text(path, csvRow([nameColumn, ...landmarkColumns]));
      }
      const names = task_data.meta.labels.map(({ name }) => name);
      const writable = names.filter((name) => labelFolderProblem(name, format) === undefined);
      await text('labels.txt', writable.map((name) => `${name}\n`).join(''));
    },
  });
};
