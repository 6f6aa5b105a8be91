import type { BucketClient } from '../../buckets/bucket-client.ts';
import type { BucketObject } from '../../buckets/bucket-protocol.ts';
import { manifestImages } from '../../buckets/manifest.ts';
import { forEachConcurrently } from '../../media/cancellation.ts';
import type { ListedObject } from '../../media/arrange-objects.ts';
import type { DataRequest } from '../../../preload/contract/schema/resources.ts';

type Chosen = Pick<DataRequest, 'server_files' | 'server_files_exclude' | 'filename_pattern'>;
type Size = { readonly width: number; readonly height: number };

/** More single objects are found by listing their common prefix instead of one request for each. */
const maxSingle = 200;
const concurrency = 16;

/**
 * Objects of a data request: keys, prefixes that end with a slash, and manifests (`*.jsonl`). A manifest alone stands
 * for its images; with a pattern, `*` stands for the whole bucket.
 */
export async function listBucket(
  client: BucketClient,
  chosen: Chosen,
  signal: AbortSignal,
): Promise<{ readonly objects: readonly ListedObject[]; readonly order: readonly string[] }> {
  const isManifest = (key: string): boolean => key.endsWith('.jsonl');
  const keys = chosen.server_files.filter((key) => !isManifest(key) && key !== '*');
  const sizes = new Map<string, Size>();
  for (const path of chosen.server_files.filter(isManifest))
    for await (const { key, width, height } of manifestImages(client, path, signal)) sizes.set(key, { width, height });
  const wanted = keys.length > 0 ? keys : sizes.size > 0 ? [...sizes.keys()] : [client.connection.prefix];
  const found = await objectsOf(client, wanted, signal);
  const matches = chosen.filename_pattern ? patternOf(chosen.filename_pattern) : null;
  const excluded = chosen.server_files_exclude;
  const isExcluded = (key: string): boolean =>
    excluded.some((one) => key === one || (one.endsWith('/') && key.startsWith(one)));
  const objects = found
    .filter(({ key }) => !key.endsWith('/') && !isExcluded(key) && (matches?.test(key) ?? true))
    .map(({ key, size, etag }) => ({
      path: key,
      sizeBytes: size,
      etag,
      ...(sizes.get(key) ?? { width: 0, height: 0 }),
    }));
  return { objects, order: [...sizes.keys()] };
}

async function objectsOf(
  client: BucketClient,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<BucketObject[]> {
  const found = new Map<string, BucketObject>();
  const isPrefix = (key: string): boolean => key === '' || key.endsWith('/') || key === client.connection.prefix;
  for (const prefix of wanted.filter(isPrefix))
    for await (const page of client.objects(prefix, signal)) for (const object of page) found.set(object.key, object);
  const single = wanted.filter((key) => !isPrefix(key) && !found.has(key));
  if (single.length > maxSingle) {
    const left = new Set(single);
    for await (const page of client.objects(commonFolder(single), signal))
      for (const object of page) if (left.delete(object.key)) found.set(object.key, object);
    // The answer to the first missing key is the error of the request.
    for (const key of left) found.set(key, await client.facts(key, signal));
  } else
    await forEachConcurrently(single, concurrency, async (key) => {
      found.set(key, await client.facts(key, signal));
    });
  return [...found.values()];
}

function commonFolder(keys: readonly string[]): string {
  let [common = ''] = keys;
  for (const key of keys) while (!key.startsWith(common)) common = common.slice(0, -1);
  return common.slice(0, common.lastIndexOf('/') + 1);
}

/** Python's `fnmatch`, which CVAT uses: `*`, `?` and `[…]`, also across slashes. */
function patternOf(pattern: string): RegExp {
  const source = pattern.replaceAll(/\*+|\?|\[!?\]?[^\]]*\]|[\s\S]/g, (part) => {
    if (part.startsWith('*')) return '[\\s\\S]*';
    if (part === '?') return '[\\s\\S]';
    if (part.length > 1) return `[${part.slice(1, -1).replace(/^!/, '^').replaceAll('\\', '\\\\')}]`;
    return part.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
  });
  return new RegExp(`^${source}$`);
}
