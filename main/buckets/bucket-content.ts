import type { CloudStorageContent } from '../../preload/contract/schema/cloud-storages.ts';
import { invalidField } from '../platform/errors.ts';
import { fileKind } from '../platform/file-kind.ts';
import { pageLimit, type BucketClient } from './bucket-client.ts';
import { manifestImages } from './manifest.ts';

export interface ContentRequest {
  readonly prefix?: string | undefined;
  readonly manifest_path?: string | undefined;
  readonly next_token?: string | undefined;
  readonly page_size?: string | undefined;
}

type Entry = CloudStorageContent['content'][number];

const defaultPageSize = 500;

/** One page of a bucket or a manifest below a prefix. Names are relative to the last slash of the prefix, as in CVAT. */
export async function bucketContent(
  client: BucketClient,
  request: ContentRequest,
  signal?: AbortSignal,
): Promise<CloudStorageContent> {
  const { prefix = '', manifest_path: manifest, next_token: token, page_size: size } = request;
  const limit = pageSizeOf(size);
  const own = client.connection.prefix;
  // Above the prefix of the storage there is only the way to it.
  if (own.length > prefix.length && own.startsWith(prefix)) {
    const rest = own.slice(prefix.lastIndexOf('/') + 1);
    const slash = rest.indexOf('/');
    if (slash >= 0) return { content: [folder(rest.slice(0, slash))], next: null };
  } else if (!prefix.startsWith(own)) return { content: [], next: null };
  const wanted = own.length > prefix.length ? own : prefix;
  const relative = (key: string): string => key.slice(wanted.lastIndexOf('/') + 1);
  if (manifest) return manifestContent(client, manifest, { wanted, relative, token, limit, signal });
  const page = await client.page({ prefix: wanted, delimiter: '/', after: token || undefined, limit }, signal);
  const files = page.objects
    // Programs create an empty object for a folder.
    .filter(({ key }) => !key.endsWith('/'))
    .map(({ key, size: bytes, modified }): Entry => ({
      name: relative(key),
      type: 'REG',
      mime_type: fileKind(key),
      size: bytes,
      ...(modified === '' ? {} : { modified }),
    }));
  const folders = page.prefixes.map((key) => folder(relative(key).replace(/\/$/, '')));
  return { content: [...folders, ...files], next: page.next };
}

const folder = (name: string): Entry => ({ name, type: 'DIR', mime_type: 'DIR' });

function pageSizeOf(text: string | undefined): number {
  if (text === undefined || text === '') return defaultPageSize;
  const size = Number(text);
  if (Number.isInteger(size) && size >= 1 && size <= pageLimit) return size;
  throw invalidField('page_size', `Enter a number from 1 to ${pageLimit}.`);
}

interface ManifestPart {
  readonly wanted: string;
  readonly relative: (key: string) => string;
  /** Number of entries on earlier pages. */
  readonly token: string | undefined;
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
}

async function manifestContent(
  client: BucketClient,
  path: string,
  { wanted, relative, token, limit, signal }: ManifestPart,
): Promise<CloudStorageContent> {
  const start = Number(token || 0);
  if (!Number.isInteger(start) || start < 0) throw invalidField('next_token', 'This is not a token of a manifest.');
  const folders = new Set<string>();
  const content: Entry[] = [];
  let index = 0;
  for await (const { key } of manifestImages(client, path, signal)) {
    if (!key.startsWith(wanted)) continue;
    const name = relative(key);
    const slash = name.indexOf('/');
    const first = slash < 0 ? name : name.slice(0, slash);
    if (slash >= 0 && folders.has(first)) continue;
    if (slash >= 0) folders.add(first);
    if (index >= start + limit) return { content, next: String(index) };
    if (index >= start) content.push(slash < 0 ? { name, type: 'REG', mime_type: fileKind(name) } : folder(first));
    index += 1;
  }
  return { content, next: null };
}
