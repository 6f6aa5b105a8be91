import { AppError } from '../../platform/errors.ts';
import { createCarrier, createLossNotes, repeatedTag } from '../kit/dropped-details.ts';
import { writeItemArchive } from '../kit/item-archive.ts';
import { labelFolderProblem, noLabel, noteUnreadable } from '../kit/label-folders.ts';
import { oneLine } from '../kit/mask-files/label-colors.ts';
import type { Exporter } from '../kit/plugin.ts';
import type { Tag } from '../kit/task-data.ts';
import { labelsFile, listLine } from './files.ts';

const format = 'ImageNet';
const reservedSubset = labelsFile.slice(0, -'.txt'.length);

/**
 * Writes ImageNet. With images: a folder per label, and an image with several labels is in several folders. Without
 * images: lists of images with label numbers, one per subset.
 */
export const exportImageNet: Exporter = async (file_object, task_data, options) => {
  const { report, save_images } = options;
  const numbers = new Map(task_data.meta.labels.map(({ name }, index) => [name, index]));
  const notes = createLossNotes(report, format, {});
  notes.tracks(task_data);
  let isSubsetLost = false;

  const carrier = createCarrier(report, notes);
  const problemOf = (tag: Tag, included: readonly Tag[]): string | undefined => {
    if (!numbers.has(tag.label)) return 'The label is not a label of the task.';
    return repeatedTag(tag, included) ?? (save_images ? labelFolderProblem(tag.label, format) : undefined);
  };

  await writeItemArchive(file_object, task_data, options, {
    format,
    isFlat: save_images,
    async addItem({ frame, subset, image }, { spill }) {
      for (const { type, label } of frame.labeled_shapes)
        report.dropped(type, label, `${format} has image-level labels only.`);
      const labels = carrier.tags(frame.tags, problemOf).map(({ label }) => label);
      if (save_images) {
        isSubsetLost ||= subset !== 'default';
        return (labels.length > 0 ? labels : [noLabel]).map((label) => `${label}/${image}`);
      }
      if (subset === reservedSubset) {
        throw new AppError(
          'invalid',
          `${format} cannot have a subset named "${subset}": the list of labels has this name. Rename the subset and export again; nothing was exported.`,
        );
      }
      const own = labels.map((label) => numbers.get(label) ?? 0);
      spill.open(`${subset}.txt`).text(listLine(image, own));
      return [];
    },
    onUnreadable: ({ frame }) =>
      noteUnreadable(
        report,
        frame.tags.map(({ label }) => label),
      ),
    async finish({ text }) {
      if (isSubsetLost)
        report.warn(`${format} has no subsets together with images: all subsets share the folders of their labels.`);
      if (save_images) return;
      await text(labelsFile, task_data.meta.labels.map(({ name }) => `${oneLine(name, report)}\n`).join(''));
    },
  });
};
