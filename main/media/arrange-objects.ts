import { AppError } from '../platform/errors.ts';
import { numbersOf, sortImages } from './frame-order.ts';
import type { PreparedFrame, PreparedMedia, PrepareRequest } from './media-preparation.ts';
import { type Skipped, usualImageName } from './scan.ts';
import { selectFrames } from './select-frames.ts';

export interface ListedObject {
  /** Key, which becomes the name of the frame. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly etag: string;
  /** 0 if unknown. */
  readonly width: number;
  readonly height: number;
}

/** Names are one text, separated by NUL: a list of 100,000 objects takes a second to clone between threads. */
export const joinKeys = (keys: readonly string[]): string => keys.join('\0');
export const splitKeys = (text: string): string[] => (text === '' ? [] : text.split('\0'));

export interface ArrangeObjectsJob {
  readonly keys: string;
  /** Keys in the order of the manifest; empty without one. */
  readonly order: string;
  readonly request: PrepareRequest;
}

export interface ObjectArrangement extends ReturnType<typeof numbersOf> {
  /** Place of each frame's object in the list. */
  readonly sources: Int32Array;
  readonly skipped: readonly Skipped[];
}

/** Numbers the images among listed objects, without reading them. */
export function arrangeObjects(job: ArrangeObjectsJob): ObjectArrangement {
  const { request } = job;
  const objects = splitKeys(job.keys).map((path, place) => ({ path, place }));
  const images = objects.filter(({ path }) => usualImageName.test(path));
  const skipped: Skipped[] = objects
    .filter(({ path }) => !usualImageName.test(path))
    .map(({ path }) => ({
      name: path,
      reason: `${path} is not an image by its name. Only images are used in a bucket; download a video or an archive, and upload it.`,
    }));
  if (images.length === 0)
    throw new AppError('invalid', `No media data found. ${skipped[0]?.reason ?? 'The bucket has no such objects.'}`);
  const order = splitKeys(job.order);
  const wanted = (request.upload_file_order ?? []).length > 0 ? request.upload_file_order : order;
  const sorted = sortImages(images, { ...request, ...(wanted ? { upload_file_order: wanted } : {}) }, skipped);
  const range = selectFrames(sorted.length, request);
  // The range was computed for this list.
  const sources = Int32Array.from(range.indices, (source) => (sorted[source] as { readonly place: number }).place);
  return { sources, skipped, ...numbersOf(range) };
}

/** Frames that are created without a pause. */
const portion = 10_000;

/** Media of arranged objects. Other work of the thread runs between the portions. */
export async function arrangedMedia(
  objects: readonly ListedObject[],
  storageId: number,
  { sources, skipped, ...numbers }: ObjectArrangement,
): Promise<PreparedMedia> {
  const frames: PreparedFrame[] = [];
  for (let start = 0; start < sources.length; start += portion) {
    for (const source of sources.subarray(start, start + portion)) {
      // The places are those of this list.
      const { path, sizeBytes, etag, width, height } = objects[source] as ListedObject;
      const identity = `${sizeBytes}:${etag}`;
      frames.push({ path, file: `bucket:${path}`, identity, width, height, related_files: [] });
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    kind: 'images',
    frames,
    unread: frames.some(({ width }) => width === 0),
    cloudStorageId: storageId,
    skipped,
    warnings: [],
    inPlace: false,
    ...numbers,
  };
}
