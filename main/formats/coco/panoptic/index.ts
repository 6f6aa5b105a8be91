import { vocColor } from '../../../../preload/contract/colors.ts';
import { asJsonWriter, type JsonWriter } from '../../io/json-writer.ts';
import type { SpillFiles } from '../../io/spill-files.ts';
import { defineFormat } from '../../kit/define-format.ts';
import { imageName } from '../../kit/frame-images.ts';
import { type PaintedFrame, visibleBoxes } from '../../kit/mask-files/frame-painter.ts';
import { isCrowd } from '../../kit/mask-files/label-file.ts';
import { createPaintedExporter, paintedSupport } from '../../kit/mask-files/painted-exporter.ts';
import { encodePng } from '../../kit/mask-files/png-writer.ts';
import type { FrameInfo, TaskData } from '../../kit/task-data.ts';
import { detectPanoptic } from '../detect.ts';
import { fileHead, numberImages, writeImage } from '../export-coco.ts';
import { type CocoCategory, createCategories } from '../write-annotation.ts';
import { importPanoptic } from './import.ts';

/** Spreads segment ids, because they are colors that should be distinguishable by eye. */
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

function writeHead(json: JsonWriter, categories: Iterable<CocoCategory>): void {
  json.ascii(`${fileHead}"categories":`);
  json.value(
    Array.from(categories, ({ id, label, supercategory }) => ({ id, name: label.name, supercategory, isthing: 1 })),
  );
  json.ascii(',"images":[');
}

interface SubsetFile {
  readonly json: JsonWriter;
  annotations: number;
}

/** Opens the files of the subsets and writes them up to the start of the annotations. */
async function openFiles(
  spill: SpillFiles,
  task_data: TaskData,
  subsetOf: (frame: FrameInfo) => string,
): Promise<ReadonlyMap<string, SubsetFile>> {
  const files = new Map<string, SubsetFile & { images: number }>();
  const categories = createCategories(task_data.meta.labels);
  const idOf = numberImages(task_data);
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
    writeImage(file.json, idOf(frame, position), imageName(task_data, frame), frame, file.images === 0);
    file.images += 1;
    await spill.drain();
  }
  for (const { json } of files.values()) json.ascii('],"annotations":[');
  return files;
}

/**
 * Writes COCO panoptic: `annotations/panoptic_<subset>.json`, and beside it a folder of images in which the color of a
 * pixel is its segment id.
 */
const exportPanoptic = createPaintedExporter({
  format: 'COCO Panoptic',
  attributes: new Set(['is_crowd']),
  files({ task_data }) {
    const categories = createCategories(task_data.meta.labels);
    const idOf = numberImages(task_data);
    let jsons: ReadonlyMap<string, SubsetFile> = new Map();
    return {
      imagePath: ({ subset, image }) => `images/${subset}/${image}`,
      async begin({ spill }) {
        jsons = await openFiles(spill, task_data, ({ subset }) => subset || 'default');
      },
      async add({ frame, subset, stem, position }, painted, { packed }) {
        const file = jsons.get(subset);
        if (!painted || !file) return;
        const boxes = visibleBoxes(painted);
        const segments = painted.instances.flatMap(({ leader, area }, index) => {
          const category = categories.get(leader.label);
          if (!category || area === 0) return [];
          const iscrowd = isCrowd(leader.attributes) ? 1 : 0;
          const [left = 0, top = 0, right = 0, bottom = 0] = boxes[index] ?? [];
          const bbox = [left, top, right - left + 1, bottom - top + 1];
          return [{ id: segmentId(index + 1), category_id: category.id, area, bbox, iscrowd }];
        });
        await packed(`annotations/panoptic_${subset}/${stem}.png`, segmentImage(painted));
        file.json.ascii(`${file.annotations === 0 ? '' : ','}{"image_id":${idOf(frame, position)},"file_name":`);
        file.json.string(`${stem}.png`);
        file.json.ascii(',"segments_info":');
        file.json.value(segments);
        file.json.ascii('}');
        file.annotations += 1;
      },
      async finish() {
        for (const { json } of jsons.values()) json.ascii(']}');
      },
    };
  },
});

export const cocoPanoptic = defineFormat({
  name: 'COCO Panoptic',
  version: '1.0',
  support: { ...paintedSupport, attribute: 'partial' },
  detect: detectPanoptic,
  read: importPanoptic,
  write: exportPanoptic,
});
