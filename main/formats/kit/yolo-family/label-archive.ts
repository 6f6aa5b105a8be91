import { AppError } from '../../../platform/errors.ts';
import { withoutExtension } from '../dataset-items.ts';
import { addFrameImages, addText, imageName } from '../frame-images.ts';
import { createByteWriter } from '../../io/byte-writer.ts';
import type { ZipWriter } from '../../io/zip-writer.ts';
import type { ExportOptions } from '../plugin.ts';
import type { Frame, FrameInfo, TaskData } from '../task-data.ts';

/** File layout of a format of the YOLO family. `stem` is an image's path without its extension. */
export interface LabelLayout {
  readonly format: string;
  /** Words that the format's description file reserves. */
  readonly reservedSubsets: ReadonlySet<string>;
  labelPath(subset: string, stem: string): string;
  imagePath(subset: string, name: string): string;
  listLine(subset: string, name: string): string;
  /** True if images without rows get a label file too. */
  readonly writesEmptyLabels: boolean;
}

// oxlint-disable-next-line no-control-regex -- control characters are what no file name may hold
const unwritable = /[\\/:*?"<>|=#\u0000-\u001F\u007F]/;

/** Subset name in these formats; the default subset is the training set. Throws `AppError('invalid')`. */
export function subsetOf(layout: Pick<LabelLayout, 'format' | 'reservedSubsets'>, { subset }: FrameInfo): string {
  const name = subset === '' || subset === 'default' ? 'train' : subset;
  const problem = layout.reservedSubsets.has(name)
    ? 'the format reserves this name'
    : unwritable.test(name) || name !== name.trim() || /^\.+$/.test(name)
      ? 'it has characters that are invalid in a file name or a key'
      : undefined;
  if (problem === undefined) return name;
  throw new AppError(
    'invalid',
    `${layout.format} cannot have a subset named "${name}": ${problem}. Rename the subset and export again; nothing was exported.`,
  );
}

function keyOf({ task_id, frame }: FrameInfo): string {
  return `${task_id}:${frame}`;
}

async function writeLabels(
  zip: ZipWriter,
  task_data: TaskData,
  { report, signal }: ExportOptions,
  layout: LabelLayout,
  rowsOf: (frame: Frame) => readonly string[],
  onProgress: (fraction: number) => void,
): Promise<{ subsets: ReadonlySet<string>; leftOut: ReadonlySet<string> }> {
  const subsets = new Set<string>();
  const leftOut = new Set<string>();
  const taken = new Set<string>();
  let done = 0;
  for (const frame of task_data.group_by_frame(true)) {
    signal.throwIfAborted();
    const subset = subsetOf(layout, frame);
    subsets.add(subset);
    const path = layout.labelPath(subset, withoutExtension(frame.name));
    done += 1;
    onProgress(done / Math.max(1, task_data.frame_count));
    if (taken.has(path)) {
      leftOut.add(keyOf(frame));
      report.warn(
        `${frame.name} was left out with its objects: another image of subset ${subset} has the same name without the extension, and both would share one label file.`,
      );
      for (const { type, label } of frame.labeled_shapes)
        report.dropped(type, label, 'Its image shares the label file of another image.');
      continue;
    }
    taken.add(path);
    const rows = rowsOf(frame);
    const text = rows.map((row) => `${row}\n`).join('');
    if (rows.length > 0 || layout.writesEmptyLabels) await addText(zip, path, text);
  }
  return { subsets, leftOut };
}

/** Writes `<subset>.txt`, the image list of a subset. */
async function writeList(
  zip: ZipWriter,
  task_data: TaskData,
  layout: LabelLayout,
  subset: string,
  leftOut: ReadonlySet<string>,
): Promise<void> {
  const entry = await zip.beginEntry(`${subset}.txt`);
  const out = createByteWriter(entry);
  for (const frame of task_data.frames) {
    if (subsetOf(layout, frame) !== subset || leftOut.has(keyOf(frame))) continue;
    out.text(`${layout.listLine(subset, imageName(task_data, frame))}\n`);
    if (out.isFull) await out.flush();
  }
  await out.flush();
  await entry.end();
}

/**
 * Writes label files, an image list per subset, and optionally the images. Returns the subsets in the order of first
 * occurrence.
 */
export async function writeLabelArchive(
  zip: ZipWriter,
  task_data: TaskData,
  options: ExportOptions,
  layout: LabelLayout,
  rowsOf: (frame: Frame) => readonly string[],
): Promise<string[]> {
  const { progress, save_images } = options;
  const labelShare = save_images ? 0.4 : 1;
  const { subsets, leftOut } = await writeLabels(zip, task_data, options, layout, rowsOf, (fraction) =>
    progress(fraction * labelShare),
  );
  for (const subset of subsets) await writeList(zip, task_data, layout, subset, leftOut);
  if (save_images) {
    const pathOf = (frame: FrameInfo): string | null =>
      leftOut.has(keyOf(frame)) ? null : layout.imagePath(subsetOf(layout, frame), imageName(task_data, frame));
    await addFrameImages(zip, task_data, options, pathOf, (fraction) =>
      progress(labelShare + fraction * (1 - labelShare)),
    );
  }
  return [...subsets];
}
