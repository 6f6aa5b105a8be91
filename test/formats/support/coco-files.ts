import type { CocoAnnotation } from '../../../main/formats/coco/fast/coco-annotation.ts';
import { coco } from '../../../main/formats/coco/index.ts';
import type { InMemoryTaskDataOptions } from '../../../main/formats/kit/in-memory-task-data.ts';
import type { TaskData } from '../../../main/formats/kit/task-data.ts';
import { runExport } from './format-fixtures.ts';

interface CocoFile {
  readonly licenses: unknown[];
  readonly info: object;
  readonly categories: { id: number; name: string; supercategory: string }[];
  readonly images: { id: number; width: number; height: number; file_name: string }[];
  readonly annotations: {
    id: number;
    image_id: number;
    category_id: number;
    segmentation: number[][] | { counts: number[] | string; size: [number, number] };
    area: number;
    bbox: [number, number, number, number];
    iscrowd: 0 | 1;
    score?: number;
    attributes: Record<string, unknown>;
  }[];
}

export const image = { id: 1, width: 100, height: 80, file_name: 'a.jpg' };
export const category = { id: 1, name: 'car', supercategory: '' };

/** A COCO file with one image, one category and these annotations. */
export function cocoText(annotations: readonly (CocoAnnotation | unknown)[], more: object = {}): string {
  return JSON.stringify({ images: [image], categories: [category], annotations, ...more });
}

export const triangle = {
  id: 1,
  image_id: 1,
  category_id: 1,
  segmentation: [[10, 10, 30, 10, 20, 30]],
  area: 200,
  bbox: [10, 10, 20, 20],
  iscrowd: 0,
};

export async function exportToCoco(
  task: TaskData | InMemoryTaskDataOptions,
  { save_images = false, ...options }: { save_images?: boolean; mask_mode?: string } = {},
) {
  const result = await runExport(coco.exporter, task, save_images, options);
  const file = (subset = 'default'): CocoFile =>
    JSON.parse(result.entries.get(`annotations/instances_${subset}.json`) ?? 'null') as CocoFile;
  return { ...result, file };
}
