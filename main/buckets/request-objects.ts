import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { BucketClient } from './bucket-client.ts';

/** Parameters of a request whose file is an object of a bucket. */
const givenSchema = z.object({
  file: z.object({ path: z.string(), object: z.object({ storageId: z.int(), key: z.string() }) }),
});
type Given = z.output<typeof givenSchema>['file'];

/** Fetches the object that a background request reads, before the request runs. */
export const fetchObjects =
  (clientOf: (storageId: number) => BucketClient) =>
  ({ parameters }: { readonly parameters: string }, signal: AbortSignal): Promise<void> | undefined => {
    // Most requests have none, and some have large parameters.
    if (!parameters.includes('"object"')) return undefined;
    const { data } = givenSchema.safeParse(JSON.parse(parameters));
    return data === undefined || existsSync(data.file.path) ? undefined : fetchTo(data.file, clientOf, signal);
  };

async function fetchTo(
  { path, object: { storageId, key } }: Given,
  clientOf: (storageId: number) => BucketClient,
  signal: AbortSignal,
): Promise<void> {
  const part = `${path}.part`;
  await mkdir(dirname(path), { recursive: true });
  try {
    const { body } = await clientOf(storageId).open(key, { signal });
    await pipeline(body, createWriteStream(part), { signal });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
