import type { BucketClient } from '../buckets/bucket-client.ts';
import { BucketError } from '../buckets/bucket-error.ts';
import { AppError } from '../platform/errors.ts';
import { forEachConcurrently } from './cancellation.ts';
import { requireDecodable } from './decode-cost.ts';
import { warningsOf } from './filter-images.ts';
import { probeImage } from './probe.ts';
import type { ReadFrameFile } from './read-frames.ts';

export interface UnreadObject {
  readonly frame: number;
  readonly key: string;
  readonly etag: string;
  readonly sizeBytes: number;
  /** Stored with the result. */
  readonly identity: string;
}

const concurrency = 16;

/** Reads sizes of images by requests for parts of them. An object that is not an image gets a problem instead. */
export async function readObjects(
  client: BucketClient,
  objects: readonly UnreadObject[],
  signal?: AbortSignal,
): Promise<ReadFrameFile[]> {
  const read: ReadFrameFile[] = [];
  await forEachConcurrently(objects, concurrency, async (object, index) => {
    signal?.throwIfAborted();
    read[index] = await readObject(client, object, signal);
  });
  return read;
}

async function readObject(client: BucketClient, object: UnreadObject, signal?: AbortSignal): Promise<ReadFrameFile> {
  const { frame, key, etag, sizeBytes, identity } = object;
  try {
    const source = {
      sizeBytes,
      read: (offset: number, length: number) =>
        client.read(key, { range: [offset, offset + length - 1], etag: etag || undefined, signal }),
    };
    const probe = await probeImage(source, { name: key });
    requireDecodable(probe, key);
    const { width, height } = probe;
    return { frame, width, height, identity, problem: null, isAway: false, warnings: warningsOf(key, probe) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // These may pass: the frame stays unread.
    const isAway = error instanceof BucketError && error.problem !== 'missing' && error.problem !== 'changed';
    return { frame, width: 0, height: 0, identity, problem: error.message, isAway, warnings: [] };
  }
}
