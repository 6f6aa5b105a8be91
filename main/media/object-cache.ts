import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BucketClient } from '../buckets/bucket-client.ts';
import { BucketError } from '../buckets/bucket-error.ts';
import { createMediaCache } from './media-cache.ts';
import type { StoredObject } from './media-location.ts';

interface ObjectCacheOptions {
  readonly directory: string;
  /** Asked for each object, because it is a setting. */
  readonly maxBytes: () => number;
  readonly clientOf: (storageId: number) => BucketClient;
}

const kept = 'Its annotations are unchanged';

/** Objects of buckets on disk, shared by all tasks; the least recently used are deleted first. */
export function createObjectCache({ directory, maxBytes, clientOf }: ObjectCacheOptions) {
  let limit = maxBytes();
  let cache = createMediaCache({ directory, maxBytes: limit });
  function current() {
    if (limit === maxBytes()) return cache;
    limit = maxBytes();
    cache = createMediaCache({ directory, maxBytes: limit });
    return cache;
  }

  return {
    async fetch(object: StoredObject): Promise<string> {
      const { storageId, key, etag } = object;
      const digest = createHash('sha256').update(`${storageId}\0${key}\0${etag}`).digest('hex').slice(0, 40);
      const name = `${storageId}/${digest.slice(0, 2)}/${digest.slice(2)}${/^\.\w{1,8}$/.exec(extname(key))?.[0] ?? ''}`;
      try {
        return await current().file(name, async (temporary, signal) => {
          const opened = await clientOf(storageId).open(key, { etag: etag || undefined, signal });
          await pipeline(opened.body, createWriteStream(temporary), { signal });
          const { size } = await stat(temporary);
          if (opened.size !== null && size !== opened.size)
            throw new BucketError('unreachable', `The connection ended after ${size} of ${opened.size} bytes.`);
        });
      } catch (error) {
        throw error instanceof BucketError ? frameError(object, error) : error;
      }
    },
    close: (): Promise<void> => cache.close(),
  };
}

function frameError({ frame, key }: StoredObject, error: BucketError): BucketError {
  const sentence = {
    missing: `Cannot show frame ${frame}: ${error.message} ${kept}; restore the object to see it again.`,
    forbidden: `Cannot show frame ${frame}: ${error.message} ${kept}; renew the credentials of the cloud storage.`,
    changed: `Cannot show frame ${frame}: ${key} has changed in the bucket since the task was created. ${kept}; restore its earlier version to see it again.`,
    unreachable: `Frame ${frame} is not in the cache; connect to see it. ${error.message}`,
    failed: `Cannot show frame ${frame}: ${error.message} ${kept}.`,
  }[error.problem];
  return new BucketError(error.problem, sentence, { cause: error });
}
