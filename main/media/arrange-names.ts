import { joinKeys, splitKeys } from './arrange-objects.ts';
import type { PreparedFrame, PreparedMedia } from './media-preparation.ts';
import { createNameAllocator } from './safe-path.ts';
import { sortByPath } from './sorting.ts';

/** Names of images that are sent later, as one text: see {@link joinKeys}. */
export interface ArrangeNamesJob {
  readonly names: string;
}

export interface NameArrangement {
  /** Names in the order of the frames. */
  readonly names: string;
  /** Path of each image below `raw/`. */
  readonly files: string;
}

/** Numbers images by their names in natural order. */
export function arrangeNames({ names }: ArrangeNamesJob): NameArrangement {
  const onDisk = createNameAllocator();
  const sorted = sortByPath(
    splitKeys(names).map((path) => ({ path })),
    { method: 'natural' },
  ).map(({ path }) => path);
  return { names: joinKeys(sorted), files: joinKeys(sorted.map((path) => onDisk.diskPath(path))) };
}

/** Media whose images were not sent. */
export function unsentMedia({ names, files }: NameArrangement): PreparedMedia {
  const paths = splitKeys(files);
  const frames = splitKeys(names).map((path, index): PreparedFrame => {
    return { path, file: paths[index] ?? path, identity: null, width: 0, height: 0, related_files: [] };
  });
  const numbers = { start_frame: 0, stop_frame: frames.length - 1, frame_step: 1 };
  return { kind: 'images', frames, unread: true, skipped: [], warnings: [], inPlace: false, ...numbers };
}
