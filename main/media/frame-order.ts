import { basename } from 'node:path';
import type { PrepareRequest } from './media-preparation.ts';
import { safeRelativeName } from './safe-path.ts';
import type { Skipped } from './scan.ts';
import type { FrameRange } from './select-frames.ts';
import { sortByPath } from './sorting.ts';

/** The images in the order of the task's frames. Names of a given order that are not among them join `skipped`. */
export function sortImages<Image extends { readonly path: string }>(
  images: readonly Image[],
  request: PrepareRequest,
  skipped: Skipped[],
): Image[] {
  const method = request.sorting_method ?? 'lexicographical';
  const order = request.upload_file_order;
  if (method !== 'predefined' || !order) {
    return sortByPath(images, { method, seed: request.random_seed });
  }
  const byPath = new Map(images.map((image) => [image.path, image]));
  const ordered: Image[] = [];
  for (const name of order) {
    const safeName = safeRelativeName(name);
    // Full paths of the client were reduced to their last part.
    const image = byPath.get(safeName) ?? byPath.get(basename(safeName));
    if (image) {
      byPath.delete(image.path);
      ordered.push(image);
    } else if (!skipped.some((file) => file.name === name))
      skipped.push({ name, reason: `${name} is in the given order but not among the files.` });
  }
  return [...ordered, ...sortByPath([...byPath.values()], { method: 'natural' })];
}

/** Source-relative numbers of a task's frames. */
export function numbersOf({ first, last, step }: FrameRange): {
  start_frame: number;
  stop_frame: number;
  frame_step: number;
} {
  return { start_frame: first, stop_frame: last, frame_step: step };
}
