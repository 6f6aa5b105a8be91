import { createItemNames, type DatasetItem } from '../kit/dataset-items.ts';
import { addFrameImages, imageName, writeArchive } from '../kit/frame-images.ts';
import type { ZipWriter } from '../io/zip-writer.ts';
import { createLossNotes } from '../kit/lost-details.ts';
import { createFramePainter, type PaintedFrame } from '../kit/mask-files/frame-painter.ts';
import { numberInstances } from '../kit/mask-files/instance-numbers.ts';
import { type LabelColor, taskLabelColors, writeLabelColors } from '../kit/mask-files/label-colors.ts';
import { labelColorsFile } from '../kit/mask-files/label-file.ts';
import { mapInstances, noteBackground, numbersOf } from '../kit/mask-files/painted-labels.ts';
import { encodePainted, encodePng } from '../kit/mask-files/png-writer.ts';
import type { DestinationFile, ExportOptions } from '../kit/plugin.ts';
import type { FrameInfo, TaskData } from '../kit/task-data.ts';

const format = 'Cityscapes';
const labelStep = 1000;
const largest = 65_535;

/** The names of images end so; in the names of masks another ending takes its place. */
export const imageEnding = '_leftImg8bit';

export function itemId(stem: string): string {
  return stem.endsWith(imageEnding) ? stem.slice(0, -imageEnding.length) : stem;
}

/** Numbers of labels: one byte each while that is enough. */
function encodeNumbers({ width, height }: PaintedFrame, numbers: Uint32Array, isWide: boolean): Buffer {
  return isWide
    ? encodePng({ kind: 'grey16', width, height, pixels: Uint16Array.from(numbers) })
    : encodePng({ kind: 'grey8', width, height, pixels: Uint8Array.from(numbers) });
}

async function addMasks(
  zip: ZipWriter,
  { subset, stem }: DatasetItem,
  painted: PaintedFrame,
  labels: readonly LabelColor[],
  numbers: { readonly classes: Uint32Array; readonly instances: Uint32Array },
): Promise<void> {
  const name = `gtFine/${subset}/${itemId(stem)}_gtFine`;
  const color = encodePainted(painted, numbers.classes, (index) => labels[index]?.color ?? [0, 0, 0], labels.length);
  await zip.add(`${name}_color.png`, color, { store: true });
  await zip.add(`${name}_labelIds.png`, encodeNumbers(painted, numbers.classes, labels.length > 256), { store: true });
  await zip.add(`${name}_instanceIds.png`, encodeNumbers(painted, numbers.instances, true), { store: true });
}

/**
 * Cityscapes: for each image the numbers of its labels, of its instances (label · 1000 + instance; crowds have the
 * label's number), and its labels in colours. The file of colours names the labels in the order of their numbers.
 */
export async function exportCityscapes(
  file_object: DestinationFile,
  task_data: TaskData,
  options: ExportOptions,
): Promise<void> {
  const { report, signal, progress, save_images } = options;
  const share = save_images ? 0.7 : 1;
  const names = createItemNames({ format, report });
  const labels = taskLabelColors(task_data.meta.labels, report);
  const numbers = numbersOf(
    task_data.meta.labels.map(({ name }) => name),
    labels,
  );
  const labelOf = (name: string): number => numbers.get(name) ?? 0;
  const paint = createFramePainter({ report, format });
  const notes = createLossNotes(report, format, {
    attributes: new Set(['is_crowd']),
    group: true,
    z_order: true,
    rotation: true,
  });
  notes.tracks(task_data);
  await writeArchive(file_object.path, async (zip) => {
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
      const instanceNumbers = numberInstances(
        painted,
        labelOf,
        {
          format,
          perLabel: labelStep - 1,
          numberOf: (label, instance) =>
            label * labelStep + instance <= largest ? label * labelStep + instance : undefined,
          crowdOf: (label) => label,
        },
        report,
      );
      await addMasks(zip, item, painted, labels, {
        classes: mapInstances(painted, (place) => labelOf(painted.instances[place]?.leader.label ?? '')),
        instances: mapInstances(painted, (place) => instanceNumbers[place] ?? 0),
      });
    }
    await zip.add(labelColorsFile, writeLabelColors(labels));
    if (!save_images) return;
    const pathOf = (frame: FrameInfo): string | null => {
      if (names.isLeftOut(frame)) return null;
      const name = imageName(task_data, frame);
      const dot = name.lastIndexOf('.');
      const stem = dot > name.lastIndexOf('/') + 1 ? name.slice(0, dot) : name;
      return `imgsFine/leftImg8bit/${frame.subset || 'default'}/${itemId(stem)}${imageEnding}${name.slice(stem.length)}`;
    };
    await addFrameImages(zip, task_data, options, pathOf, (fraction) => progress(share + (1 - share) * fraction));
  });
  progress(1);
}
