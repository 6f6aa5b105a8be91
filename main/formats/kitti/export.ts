import { createItemNames, type DatasetItem } from '../kit/dataset-items.ts';
import { addFrameImages, imageName, writeArchive } from '../kit/frame-images.ts';
import type { ZipWriter } from '../io/zip-writer.ts';
import { createLossNotes } from '../kit/lost-details.ts';
import { createFramePainter, type PaintedFrame } from '../kit/mask-files/frame-painter.ts';
import { numberInstances } from '../kit/mask-files/instance-numbers.ts';
import { oneLine, taskLabelColors, writeLabelColors } from '../kit/mask-files/label-colors.ts';
import { labelColorsFile } from '../kit/mask-files/label-file.ts';
import { mapInstances, noteBackground, numbersOf } from '../kit/mask-files/painted-labels.ts';
import { encodePainted, encodePng } from '../kit/mask-files/png-writer.ts';
import type { DestinationFile, ExportOptions } from '../kit/plugin.ts';
import type { FrameInfo, LabeledShape, TaskData } from '../kit/task-data.ts';
import { writeKittiRow } from './box-row.ts';

const format = 'KITTI';
const largestByte = 255;
/** Below this size deflating costs more than it saves. */
const storedBytes = 512;

/** Boxes without a rotation go to the label files; all else that has an area is painted. */
function isBox({ type, rotation = 0 }: LabeledShape): boolean {
  return type === 'rectangle' && rotation % 360 === 0;
}

/**
 * KITTI: boxes as rows of label files; all else that has an area as images of numbers (label · 256 + instance), of
 * labels, and of labels in colours.
 */
export async function exportKitti(
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
  const labelOf = (name: string): number => {
    const number = numbers.get(name) ?? 0;
    return number <= largestByte ? number : 0;
  };
  const paint = createFramePainter({ report, format, paints: (shape) => !isBox(shape) });
  const boxNotes = createLossNotes(report, format, {
    attributes: new Set(['truncated']),
    occluded: true,
    score: true,
    rotation: true,
  });
  const maskNotes = createLossNotes(report, format, {
    attributes: new Set(['is_crowd']),
    group: true,
    z_order: true,
    rotation: true,
  });
  boxNotes.tracks(task_data);

  const addBoxes = async (zip: ZipWriter, { frame, subset, stem }: DatasetItem): Promise<void> => {
    const rows: string[] = [];
    for (const shape of frame.labeled_shapes) {
      if (!isBox(shape)) continue;
      if (shape.points.length !== 4 || !shape.points.every(Number.isFinite)) {
        report.lost('rectangle', shape.label, 'Its coordinates are not four finite numbers.');
        continue;
      }
      boxNotes.shape(shape);
      rows.push(`${writeKittiRow({ ...shape, points: shape.points, label: oneLine(shape.label, report) })}\n`);
      report.carried('rectangle', shape.label);
    }
    const text = rows.join('');
    if (rows.length > 0) await zip.add(`${subset}/label_2/${stem}.txt`, text, { store: text.length < storedBytes });
  };

  const addMasks = async (zip: ZipWriter, { subset, stem }: DatasetItem, painted: PaintedFrame): Promise<void> => {
    const { width, height, instances } = painted;
    noteBackground(painted, format, report);
    for (const { leader, shapes } of instances) {
      shapes.forEach((shape) => maskNotes.shape(shape));
      if ((numbers.get(leader.label) ?? 0) > largestByte)
        report.lost(leader.type, leader.label, `${format} has numbers for ${largestByte} labels on images of masks.`);
    }
    const instanceNumbers = numberInstances(
      painted,
      labelOf,
      {
        format,
        perLabel: largestByte,
        numberOf: (label, instance) => (label << 8) + instance,
        crowdOf: (label) => label << 8,
      },
      report,
    );
    const classes = mapInstances(painted, (place) => labelOf(instances[place]?.leader.label ?? ''));
    const wide = mapInstances(painted, (place) => instanceNumbers[place] ?? 0);
    const color = encodePainted(
      painted,
      classes,
      (index) => labels[index]?.color ?? [0, 0, 0],
      Math.min(256, labels.length),
    );
    const grey = encodePng({ kind: 'grey8', width, height, pixels: Uint8Array.from(classes) });
    await zip.add(`${subset}/semantic_rgb/${stem}.png`, color, { store: true });
    await zip.add(`${subset}/semantic/${stem}.png`, grey, { store: true });
    const pixels = Uint16Array.from(wide);
    await zip.add(`${subset}/instance/${stem}.png`, encodePng({ kind: 'grey16', width, height, pixels }), {
      store: true,
    });
  };

  await writeArchive(file_object.path, async (zip) => {
    let done = 0;
    for (const frame of task_data.group_by_frame(true)) {
      signal.throwIfAborted();
      done += 1;
      progress((share * done) / Math.max(1, task_data.frame_count));
      for (const { label } of frame.tags) report.lost('tag', label, `${format} has no labels for a whole image.`);
      const item = names.claim(frame);
      if (!item) continue;
      await addBoxes(zip, item);
      const painted = paint(frame);
      if (painted) await addMasks(zip, item, painted);
    }
    await zip.add(labelColorsFile, writeLabelColors(labels));
    if (!save_images) return;
    const pathOf = (frame: FrameInfo): string | null =>
      names.isLeftOut(frame) ? null : `${frame.subset || 'default'}/image_2/${imageName(task_data, frame)}`;
    await addFrameImages(zip, task_data, options, pathOf, (fraction) => progress(share + (1 - share) * fraction));
  });
  progress(1);
}
