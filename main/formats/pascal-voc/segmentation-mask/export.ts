import { createItemNames } from '../../kit/dataset-items.ts';
import { addFrameImages, imageName, writeArchive } from '../../kit/frame-images.ts';
import { withSpillFiles } from '../../io/spill-files.ts';
import { createLossNotes } from '../../kit/lost-details.ts';
import { createFramePainter } from '../../kit/mask-files/frame-painter.ts';
import { taskLabelColors } from '../../kit/mask-files/label-colors.ts';
import { noteBackground, numbersOf } from '../../kit/mask-files/painted-labels.ts';
import { labelmapFile, writeLabelmap } from '../labelmap.ts';
import { writeMaskImages } from '../write-masks.ts';
import type { DestinationFile, ExportOptions } from '../../kit/plugin.ts';
import type { FrameInfo, TaskData } from '../../kit/task-data.ts';

const format = 'Segmentation mask';

/** The masks of PASCAL VOC alone: all that has an area is painted, in the labels' colours and in those of objects. */
export async function exportSegmentationMask(
  file_object: DestinationFile,
  task_data: TaskData,
  options: ExportOptions,
): Promise<void> {
  const { report, signal, progress, save_images } = options;
  const share = save_images ? 0.6 : 1;
  const names = createItemNames({ format, report, isFlat: true });
  const labels = taskLabelColors(task_data.meta.labels, report);
  const numbers = numbersOf(
    task_data.meta.labels.map(({ name }) => name),
    labels,
  );
  const paint = createFramePainter({ report, format });
  const notes = createLossNotes(report, format, { group: true, z_order: true, rotation: true });
  notes.tracks(task_data);
  await writeArchive(file_object.path, (zip) =>
    withSpillFiles(file_object.path, async (spill) => {
      let done = 0;
      for (const frame of task_data.group_by_frame(true)) {
        signal.throwIfAborted();
        done += 1;
        progress((share * done) / Math.max(1, task_data.frame_count));
        for (const { label } of frame.tags) report.lost('tag', label, `${format} has no labels for a whole image.`);
        const item = names.claim(frame);
        const painted = item && paint(frame);
        if (!item || !painted) continue;
        noteBackground(painted, format, report);
        for (const { shapes } of painted.instances) shapes.forEach((shape) => notes.shape(shape));
        const images = writeMaskImages(painted, labels, numbers);
        await zip.add(`SegmentationClass/${item.stem}.png`, images.classes, { store: true });
        await zip.add(`SegmentationObject/${item.stem}.png`, images.objects, { store: true });
        spill.open(`ImageSets/Segmentation/${item.subset}.txt`).text(`${item.stem}\n`);
        await spill.drain();
      }
      // The list is what tells the format: it stands there also where nothing could be painted.
      for (const subset of names.subsets) spill.open(`ImageSets/Segmentation/${subset}.txt`);
      await spill.addTo(zip);
      await zip.add(labelmapFile, writeLabelmap(labels, report));
      if (!save_images) return;
      const pathOf = (frame: FrameInfo): string | null =>
        names.isLeftOut(frame) ? null : `JPEGImages/${imageName(task_data, frame)}`;
      await addFrameImages(zip, task_data, options, pathOf, (fraction) => progress(share + (1 - share) * fraction));
    }),
  );
  progress(1);
}
