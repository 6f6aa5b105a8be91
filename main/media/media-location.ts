import { isAbsolute, join } from 'node:path';
import { AppError } from '../platform/errors.ts';
import { joinInside } from './safe-path.ts';

/** Location of a task's media. Plain data, so that it can be sent to a worker thread. */
export interface MediaLocation {
  /** The folder `data/<data id>`, with `raw/` (uploads) and `cache/` (derived files). */
  readonly directory: string;
  /** True if frames may have absolute paths: files of this machine used in place. */
  readonly inPlace: boolean;
}

/** Object of a bucket that a frame shows. Plain data, so that it can be sent to another thread. */
export interface StoredObject {
  readonly storageId: number;
  readonly key: string;
  /** The object must still have this tag. */
  readonly etag: string;
  readonly sizeBytes: number;
  /** Number in the task, for messages. */
  readonly frame: number;
}

export interface StoredFrame {
  /** Relative name with `/`, displayed and written into exports. */
  readonly path: string;
  /** Path below `raw/`, or an absolute path if the location allows it. */
  readonly file: string;
  /** Set if the image is an object of a bucket; `file` is then no path. */
  readonly object?: StoredObject;
  /** Index by decode order if `file` is a video. */
  readonly videoFrame?: number;
}

export function rawDirectory(location: Pick<MediaLocation, 'directory'>): string {
  return join(location.directory, 'raw');
}

export function cacheDirectory(location: Pick<MediaLocation, 'directory'>): string {
  return join(location.directory, 'cache');
}

/** The absolute path of a frame's file. Throws `invalid` if it would be outside the task's media. */
export function resolveMediaFile(location: MediaLocation, file: string): string {
  if (!isAbsolute(file)) return joinInside(rawDirectory(location), file);
  if (location.inPlace) return file;
  throw new AppError('invalid', `Cannot open the frame file ${JSON.stringify(file)}: it is outside the task's data.`);
}
