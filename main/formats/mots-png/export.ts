import { createItemNames } from '../kit/dataset-items.ts';
import { addFrameImages, imageName, writeArchive } from '../kit/frame-images.ts';
import { createLossNotes } from '../kit/lost-details.ts';
import { createFramePainter } from '../kit/mask-files/frame-painter.ts';
import { oneLine } from '../kit/mask-files/label-colors.ts';
import { mapInstances } from '../kit/mask-files/painted-labels.ts';
import { hasArea } from '../kit/mask-files/shape-mask.ts';
import { encodePng } from '../kit/mask-files/png-writer.ts';
import type { DestinationFile, ExportOptions } from '../kit/plugin.ts';
import type { FrameInfo, LabeledShape, TaskData } from '../kit/task-data.ts';

const format = 'MOTS PNG';
export const maxInstances = 1000;
const largest = 65_535;
const labelsFile = 'labels.txt';

/** Numbers of tracks: over all labels while there are enough numbers, else over the tracks of each label. */
function createTrackNumbers(trackCount: number) {
  const perLabel = trackCount >= maxInstances;
  const numbers = new Map<string, number>();
  const counts = new Map<string, number>();
  return (shape: LabeledShape): number | undefined => {
    const key = `${shape.task_id ?? ''} ${shape.track_id}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const series = perLabel ? shape.label : '';
    const number = (counts.get(series) ?? 0) + 1;
    if (number >= maxInstances) return undefined;
    counts.set(series, number);
    numbers.set(key, number);
    return number;
  };
}

/**
 * MOTS PNG: for each image the numbers of its objects, (1 + label) · 1000 + track. Only tracks have such numbers; every
 * frame on which a track is seen becomes a keyframe.
 */
export async function exportMots(
  file_object: DestinationFile,
  task_data: TaskData,
  options: ExportOptions,
): Promise<void> {
  const { report, signal, progress, save_images } = options;
  const share = save_images ? 0.6 : 1;
  const names = createItemNames({ format, report });
  const labels = new Map(task_data.meta.labels.map(({ name }, index) => [name, index]));
  const notes = createLossNotes(report, format, { z_order: true, rotation: true });
  let trackCount = 0;
  for (const { label, shapes } of task_data.tracks) {
    trackCount += 1;
    if (shapes.some((shape) => hasArea(shape))) report.carried('track', label);
    else report.lost('track', label, `${format} has masks only, and its shapes have no area that could be painted.`);
  }
  if (trackCount > 0) report.warn(`${format} has no keyframes: every frame on which a track is seen becomes one.`);
  const trackNumber = createTrackNumbers(trackCount);
  const valueOf = (shape: LabeledShape): number | undefined => {
    const label = labels.get(shape.label);
    const track = trackNumber(shape);
    const value = label === undefined || track === undefined ? Infinity : (1 + label) * maxInstances + track;
    return value <= largest ? value : undefined;
  };
  const paint = createFramePainter({
    report,
    format,
    ignoresGroups: true,
    paints(shape) {
      const problem =
        shape.track_id === undefined
          ? `${format} has tracks only.`
          : valueOf(shape) === undefined
            ? `${format} has numbers for 64 labels, and for 999 tracks of each.`
            : undefined;
      if (problem !== undefined) report.lost(shape.type, shape.label, problem);
      return problem === undefined;
    },
  });
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
      for (const { leader } of painted.instances) notes.shape(leader);
      const values = mapInstances(painted, (place) => {
        const leader = painted.instances[place]?.leader;
        return (leader && valueOf(leader)) ?? 0;
      });
      const { width, height } = painted;
      const png = encodePng({ kind: 'grey16', width, height, pixels: Uint16Array.from(values) });
      await zip.add(`${item.subset}/instances/${item.stem}.png`, png, { store: true });
    }
    const list = task_data.meta.labels.map(({ name }) => oneLine(name, report)).join('\n');
    for (const subset of names.subsets) await zip.add(`${subset}/instances/${labelsFile}`, list);
    if (!save_images) return;
    const pathOf = (frame: FrameInfo): string | null =>
      names.isLeftOut(frame) ? null : `${frame.subset || 'default'}/images/${imageName(task_data, frame)}`;
    await addFrameImages(zip, task_data, options, pathOf, (fraction) => progress(share + (1 - share) * fraction));
  });
  progress(1);
}
