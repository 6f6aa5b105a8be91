import { isAbsolute, join } from 'node:path';
import { AppError } from '../platform/errors.ts';
import { joinInside } from './safe-path.ts';

/** Where the media of a task lie. Plain data, so that it can be handed to a worker thread. */
export interface MediaLocation {
  /** The folder `data/<data id>`: holds `raw/` (what was uploaded) and `cache/` (what can be made again). */
  readonly directory: string;
  /** Whether frames may be absolute paths: files of this machine that are used where they are. */
  readonly inPlace: boolean;
}

/** One frame as it is stored: enough to find its pixels. */
export interface StoredFrame {
  /** Relative name with `/`, shown to people and written into exports. */
  readonly path: string;
  /** Path below `raw/`, or an absolute path where the location allows it. */
  readonly file: string;
  /** Index by decode order when `file` is a video. */
  readonly videoFrame?: number;
}

export function rawDirectory(location: Pick<MediaLocation, 'directory'>): string {
  return join(location.directory, 'raw');
}

export function cacheDirectory(location: Pick<MediaLocation, 'directory'>): string {
  return join(location.directory, 'cache');
}

/** The absolute path of a frame's file. Fails with `invalid` when it would lie where this task has no business. */
export function resolveMediaFile(location: MediaLocation, file: string): string {
  if (!isAbsolute(file)) return joinInside(rawDirectory(location), file);
  if (location.inPlace) return file;
  throw new AppError(
    'invalid',
    `The frame file ${JSON.stringify(file)} lies outside the task's data and was not opened.`,
  );
}
