import { AppError } from '../../platform/errors.ts';
import { createItemNames } from '../kit/dataset-items.ts';
import { addFrameImages, imageName, writeArchive } from '../kit/frame-images.ts';
import { withSpillFiles } from '../io/spill-files.ts';
import { createLossNotes } from '../kit/lost-details.ts';
import { createFramePainter } from '../kit/mask-files/frame-painter.ts';
import { taskLabelColors, writeLabelColors } from '../kit/mask-files/label-colors.ts';
import { labelColorsFile } from '../kit/mask-files/label-file.ts';
import { mapInstances, noteBackground, noteJoined, numbersOf } from '../kit/mask-files/painted-labels.ts';
import { encodePainted } from '../kit/mask-files/png-writer.ts';
import type { DestinationFile, ExportOptions } from '../kit/plugin.ts';
import type { FrameInfo, TaskData } from '../kit/task-data.ts';

const format = 'CamVid';

function quoted(image: string, mask: string): string {
  return /\s/.test(image + mask) ? `"${image}" "${mask}"\n` : `${image} ${mask}\n`;
}

/** CamVid: an image of classes in the labels' colours for each image, and a list of both for each subset. */
export async function exportCamvid(
  file_object: DestinationFile,
  task_data: TaskData,
  options: ExportOptions,
): Promise<void> {
  const { report, signal, progress, save_images } = options;
  const share = save_images ? 0.6 : 1;
  const names = createItemNames({ format, report });
  const labels = taskLabelColors(task_data.meta.labels, report);
  const numbers = numbersOf(
    task_data.meta.labels.map(({ name }) => name),
    labels,
  );
  const paint = createFramePainter({ report, format, keepsGroups: true });
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
        if (!item) continue;
        if (`${item.subset}.txt` === labelColorsFile) {
          throw new AppError(
            'invalid',
            `${format} cannot have a subset named "${item.subset}": the file of colours is called so. Rename the subset and export again; nothing was exported.`,
          );
        }
        const painted = paint(frame);
        const image = `/${item.subset}/${imageName(task_data, frame)}`;
        const mask = painted ? `${item.subset}annot/${item.stem}.png` : '';
        spill.open(`${item.subset}.txt`).text(quoted(image, mask));
        await spill.drain();
        if (!painted) continue;
        noteBackground(painted, format, report);
        noteJoined(painted, format, report);
        const { instances } = painted;
        for (const { shapes } of instances) shapes.forEach((shape) => notes.shape(shape));
        const classes = mapInstances(painted, (place) => numbers.get(instances[place]?.leader.label ?? '') ?? 0);
        const png = encodePainted(painted, classes, (index) => labels[index]?.color ?? [0, 0, 0], labels.length);
        await zip.add(mask, png, { store: true });
      }
      await spill.addTo(zip);
      await zip.add(labelColorsFile, writeLabelColors(labels.slice(1)));
      if (!save_images) return;
      const pathOf = (frame: FrameInfo): string | null =>
        names.isLeftOut(frame) ? null : `${frame.subset || 'default'}/${imageName(task_data, frame)}`;
      await addFrameImages(zip, task_data, options, pathOf, (fraction) => progress(share + (1 - share) * fraction));
    }),
  );
  progress(1);
}
