import { vocColor } from '../../../../preload/contract/colors.ts';
import { numberImages } from '../export-coco.ts';
import { type CocoCategory, createCategories } from '../write-annotation.ts';
import { createItemNames } from '../../kit/dataset-items.ts';
import { addFrameImages, imageName, writeArchive } from '../../kit/frame-images.ts';
import { asJsonWriter, type JsonWriter } from '../../io/json-writer.ts';
import { type SpillFiles, withSpillFiles } from '../../io/spill-files.ts';
import { createLossNotes } from '../../kit/lost-details.ts';
import { createFramePainter, type PaintedFrame } from '../../kit/mask-files/frame-painter.ts';
import { encodePng } from '../../kit/mask-files/png-writer.ts';
import type { DestinationFile, ExportOptions } from '../../kit/plugin.ts';
import type { FrameInfo, LabeledShape, TaskData } from '../../kit/task-data.ts';

const format = 'COCO Panoptic';

/** Segment numbers far apart, so that the colours that they are can be told apart by eye. */
function segmentId(index: number): number {
  const [red, green, blue] = vocColor(index);
  return red + 256 * green + 65_536 * blue;
}

function segmentImage({ width, height, indices }: PaintedFrame): Buffer {
  const pixels = new Uint8Array(width * height * 3);
  for (let index = 0; index < indices.length; index += 1) {
    const number = indices[index] ?? 0;
    if (number === 0) continue;
    const id = segmentId(number);
    pixels[3 * index] = id & 255;
    pixels[3 * index + 1] = (id >> 8) & 255;
    pixels[3 * index + 2] = id >> 16;
  }
  return encodePng({ kind: 'rgb', width, height, pixels });
}

/** Left, top, width, height of what is seen of each instance. */
function visibleBoxes({ width, indices, instances }: PaintedFrame): number[][] {
  const boxes = instances.map(() => [Infinity, Infinity, -1, -1]);
  for (let index = 0; index < indices.length; index += 1) {
    const box = boxes[(indices[index] ?? 0) - 1];
    if (!box) continue;
    const x = index % width;
    const y = (index - x) / width;
    const [left = 0, top = 0, right = 0, bottom = 0] = box;
    if (x < left) box[0] = x;
    if (y < top) box[1] = y;
    if (x > right) box[2] = x;
    if (y > bottom) box[3] = y;
  }
  return boxes.map(([left = 0, top = 0, right = 0, bottom = 0]) => [left, top, right - left + 1, bottom - top + 1]);
}

function isCrowd({ attributes }: LabeledShape): boolean {
  const value = attributes.find(({ name }) => name === 'is_crowd')?.value.toLowerCase();
  return value === 'true' || value === '1';
}

function writeHead(json: JsonWriter, categories: Iterable<CocoCategory>): void {
  json.ascii('{"licenses":[{"name":"","id":0,"url":""}],');
  json.ascii('"info":{"contributor":"","date_created":"","description":"","url":"","version":"","year":""},');
  json.ascii('"categories":');
  json.value(
    Array.from(categories, ({ id, label, supercategory }) => ({ id, name: label.name, supercategory, isthing: 1 })),
  );
  json.ascii(',"images":[');
}

interface SubsetFile {
  readonly json: JsonWriter;
  annotations: number;
}

/** The files of the subsets, up to the beginning of their annotations. */
async function openFiles(
  spill: SpillFiles,
  task_data: TaskData,
  subsetOf: (frame: FrameInfo) => string,
): Promise<ReadonlyMap<string, SubsetFile>> {
  const files = new Map<string, SubsetFile & { images: number }>();
  const categories = createCategories(task_data.meta.labels);
  const ids = numberImages(task_data);
  let position = 0;
  for (const frame of task_data.frames) {
    position += 1;
    const subset = subsetOf(frame);
    let file = files.get(subset);
    if (!file) {
      file = { json: asJsonWriter(spill.open(`annotations/panoptic_${subset}.json`)), annotations: 0, images: 0 };
      files.set(subset, file);
      writeHead(file.json, categories.values());
    }
    const { json } = file;
    json.ascii(`${file.images === 0 ? '' : ','}{"id":${ids.idOf(frame, position)},"width":${frame.width},`);
    json.ascii(`"height":${frame.height},"file_name":`);
    json.string(imageName(task_data, frame));
    json.ascii(',"license":0,"flickr_url":"","coco_url":"","date_captured":0}');
    file.images += 1;
    await spill.drain();
  }
  for (const { json } of files.values()) json.ascii('],"annotations":[');
  return files;
}

/**
 * COCO panoptic: `annotations/panoptic_<subset>.json`, and beside it a folder of images in which each pixel's colour is
 * the number of its segment.
 */
export async function exportPanoptic(
  file_object: DestinationFile,
  task_data: TaskData,
  options: ExportOptions,
): Promise<void> {
  const { report, signal, progress, save_images } = options;
  const share = save_images ? 0.7 : 1;
  const names = createItemNames({ format, report });
  const paint = createFramePainter({ report, format });
  const categories = createCategories(task_data.meta.labels);
  const ids = numberImages(task_data);
  const notes = createLossNotes(report, format, {
    attributes: new Set(['is_crowd']),
    group: true,
    z_order: true,
    rotation: true,
  });
  notes.tracks(task_data);
  await writeArchive(file_object.path, (zip) =>
    withSpillFiles(file_object.path, async (spill) => {
      const files = await openFiles(spill, task_data, ({ subset }) => subset || 'default');
      let position = 0;
      for (const frame of task_data.group_by_frame(true)) {
        signal.throwIfAborted();
        position += 1;
        progress((share * position) / Math.max(1, task_data.frame_count));
        for (const { label } of frame.tags) report.lost('tag', label, `${format} has no labels for a whole image.`);
        const item = names.claim(frame);
        const painted = item && paint(frame);
        const file = item && files.get(item.subset);
        if (!item || !painted || !file) continue;
        const boxes = visibleBoxes(painted);
        const segments = painted.instances.flatMap(({ leader, shapes, area }, index) => {
          shapes.forEach((shape) => notes.shape(shape));
          const category = categories.get(leader.label);
          if (!category || area === 0) return [];
          const iscrowd = isCrowd(leader) ? 1 : 0;
          return [{ id: segmentId(index + 1), category_id: category.id, area, bbox: boxes[index], iscrowd }];
        });
        await zip.add(`annotations/panoptic_${item.subset}/${item.stem}.png`, segmentImage(painted), { store: true });
        file.json.ascii(`${file.annotations === 0 ? '' : ','}{"image_id":${ids.idOf(frame, position)},"file_name":`);
        file.json.string(`${item.stem}.png`);
        file.json.ascii(',"segments_info":');
        file.json.value(segments);
        file.json.ascii('}');
        file.annotations += 1;
        await spill.drain();
      }
      for (const { json } of files.values()) json.ascii(']}');
      await spill.addTo(zip);
      if (!save_images) return;
      const pathOf = (frame: FrameInfo): string | null =>
        names.isLeftOut(frame) ? null : `images/${frame.subset || 'default'}/${imageName(task_data, frame)}`;
      await addFrameImages(zip, task_data, options, pathOf, (fraction) => progress(share + (1 - share) * fraction));
    }),
  );
  progress(1);
}
