import { AppError } from '../platform/errors.ts';
import { numbersOf, sortImages } from './frame-order.ts';
import type { PreparedMedia, PrepareRequest } from './media-preparation.ts';
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

export interface ArrangeObjectsJob {
  readonly objects: readonly ListedObject[];
  /** Keys in the order of the manifest; empty without one. */
  readonly order: readonly string[];
  readonly storageId: number;
  readonly request: PrepareRequest;
}

/** Numbers the images among listed objects, without reading them. */
export function arrangeObjects({ objects, order, storageId, request }: ArrangeObjectsJob): PreparedMedia {
  const images = objects.filter(({ path }) => usualImageName.test(path));
  const skipped: Skipped[] = objects
    .filter(({ path }) => !usualImageName.test(path))
    .map(({ path }) => ({
      name: path,
      reason: `${path} is not an image by its name. Only images are used in a bucket; download a video or an archive, and upload it.`,
    }));
  if (images.length === 0)
    throw new AppError('invalid', `No media data found. ${skipped[0]?.reason ?? 'The bucket has no such objects.'}`);
  const wanted = (request.upload_file_order ?? []).length > 0 ? request.upload_file_order : order;
  const sorted = sortImages<ListedObject>(
    images,
    { ...request, ...(wanted ? { upload_file_order: wanted } : {}) },
    skipped,
  );
  const range = selectFrames(sorted.length, request);
  const frames = range.indices.map((source) => {
    // The range was computed for this list.
    const { path, sizeBytes, etag, width, height } = sorted[source] as ListedObject;
    return { path, file: `bucket:${path}`, identity: `${sizeBytes}:${etag}`, width, height, related_files: [] };
  });
  return {
    kind: 'images',
    frames,
    unread: frames.some(({ width }) => width === 0),
    cloudStorageId: storageId,
    skipped,
    warnings: [],
    inPlace: false,
    ...numbersOf(range),
  };
}
