import { createWriteStream, existsSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { BucketClient } from '../buckets/bucket-client.ts';
import { writeAtomically } from './atomic-write.ts';

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
  const { body } = await clientOf(storageId).open(key, { signal });
  await writeAtomically(path, (temporary) => pipeline(body, createWriteStream(temporary), { signal }));
}
