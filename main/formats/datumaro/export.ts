import type { ShapeType } from '../../../preload/contract/annotation-names.ts';
import { createExportSteps } from '../kit/export-steps.ts';
import { maskBox } from '../../../preload/contract/mask-runs.ts';
import { subsetName, withoutExtension } from '../kit/dataset-items.ts';
import { imageName, writeArchive } from '../kit/frame-images.ts';
import { createJsonWriter } from '../io/json-writer.ts';
import type { ZipWriter } from '../io/zip-writer.ts';
import type { ExportOptions, Exporter } from '../kit/plugin.ts';
import { walkSubsets } from '../kit/subset-walk.ts';
import type { Frame, FrameInfo, LabeledShape, TaskData } from '../kit/task-data.ts';
import { writeCategories } from './labels.ts';
import { createAnnotationWriter } from './write-annotation.ts';

const format = 'Datumaro';

const writtenTypes: ReadonlySet<ShapeType> = new Set([
  'rectangle',
  'polygon',
  'polyline',
  'points',
  'ellipse',
  'mask',
  'skeleton',
]);

/** Why the format cannot hold a shape, or undefined. */
function problemOf({ type, points, elements = [] }: LabeledShape, { width, height }: FrameInfo): string | undefined {
  if (!writtenTypes.has(type)) return `${format} has no ${type}s on images.`;
  if (!points.every(Number.isFinite)) return 'Its coordinates are not finite numbers.';
  if (type === 'mask') {
    if (!(width > 0 && height > 0))
      return 'The size of the image is not known, and a mask cannot be written without it.';
    const { left, top, right, bottom } = maskBox(points);
    if (right < 0 || bottom < 0 || left >= width || top >= height) return 'Not a single pixel of it lies in the image.';
  }
  if (elements.some((element) => element.type !== 'points' || element.points.length !== 2))
    return `${format} has single points as parts of a skeleton only.`;
  return undefined;
}

function noteMask(
  { type, points, label }: LabeledShape,
  { width, height }: FrameInfo,
  { report }: ExportOptions,
): void {
  if (type !== 'mask') return;
  const { left, top, right, bottom } = maskBox(points);
  if (left < 0 || top < 0 || right >= width || bottom >= height)
    report.lost('mask', label, 'Pixels outside the image were cut off.');
}

async function writeSubset(
  zip: ZipWriter,
  subset: string,
  frames: Iterable<Frame>,
  task_data: TaskData,
  options: ExportOptions,
): Promise<void> {
  const { report } = options;
  const { meta } = task_data;
  const { labels } = meta;
  const entry = await zip.beginEntry(`annotations/${subset}.json`);
  const json = createJsonWriter(entry);
  const annotations = createAnnotationWriter(json, labels, report);
  json.ascii('{"info":{},"categories":');
  writeCategories(json, labels);
  json.ascii(',"items":[');
  let isFirst = true;
  for (const frame of frames) {
    const name = imageName(task_data, frame);
    const task = meta.tasks.find(({ id }) => id === frame.task_id) ?? meta;
    json.ascii(isFirst ? '{"id":' : ',{"id":');
    isFirst = false;
    json.string(withoutExtension(frame.name));
    json.ascii(`,"attr":{"frame":${task.start_frame + frame.frame * task.frame_step}},"image":{"path":`);
    json.string(name);
    if (frame.width > 0 && frame.height > 0) json.ascii(`,"size":[${frame.height},${frame.width}]`);
    json.ascii('},"annotations":[');
    annotations.startItem();
    for (const tag of frame.tags) annotations.tag(tag);
    for (const shape of frame.labeled_shapes) {
      const problem = problemOf(shape, frame);
      if (problem === undefined) {
        noteMask(shape, frame, options);
        annotations.shape(shape, frame);
        if (json.isFull) await json.drain();
      } else report.lost(shape.type, shape.label, problem);
    }
    json.ascii(']}');
    if (json.isFull) await json.drain();
  }
  json.ascii(']}');
  await json.flush();
  await entry.end();
}

/** Datumaro's own format: `annotations/<subset>.json`, with images also `images/<subset>/<path>`. */
export const exportDatumaro: Exporter = async (file_object, task_data, options) => {
  const { report } = options;
  const steps = createExportSteps(task_data, options);
  for (const { label, shapes } of task_data.tracks) {
    if (shapes.some(({ type }) => type === 'mask'))
      report.lost('track', label, 'Masks do not become tracks again when the file is read.');
  }
  await writeArchive(file_object.path, async (zip) => {
    for (const [subset, frames] of walkSubsets(task_data)) {
      await writeSubset(zip, subsetName({ subset }, format), steps.frames(frames), task_data, options);
    }
    await steps.images(zip, (frame) => `images/${subsetName(frame, format)}/${imageName(task_data, frame)}`);
  });
};
