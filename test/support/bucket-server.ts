import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type BucketServer = Awaited<ReturnType<typeof startBucketServer>>;

/**
 * The part of S3's interface that reads, lists and writes objects, for tests without Python. It checks no signatures:
 * the suite with moto and Azurite does.
 */
export async function startBucketServer(bucket = 'street-archive') {
  const objects = new Map<string, Buffer>();
  /** Requests as `METHOD key range`. */
  const requests: string[] = [];
  const state = { isForbidden: false };
  const refuse = (response: ServerResponse, status: number, code: string): void =>
    void response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://bucket');
    const [, name, ...rest] = url.pathname.split('/').map(decodeURIComponent);
    const key = rest.join('/');
    requests.push([request.method, key, request.headers.range ?? ''].join(' ').trim());
    if (state.isForbidden) return refuse(response, 403, 'AccessDenied');
    if (name !== bucket) return refuse(response, 404, 'NoSuchBucket');
    if (key === '') return void response.end(listing(url.searchParams));
    if (request.method === 'PUT') {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        objects.set(key, Buffer.concat(parts));
        response.end();
      });
      return;
    }
    const bytes = objects.get(key);
    if (bytes === undefined) return refuse(response, 404, 'NoSuchKey');
    const etag = etagOf(bytes);
    const match = request.headers['if-match'];
    if (match !== undefined && match !== etag) return refuse(response, 412, 'PreconditionFailed');
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    const [first, last] = range
      ? [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)]
      : [0, bytes.length - 1];
    response.writeHead(range ? 206 : 200, {
      ETag: etag,
      'Content-Length': last - first + 1,
      ...(range ? { 'Content-Range': `bytes ${first}-${last}/${bytes.length}` } : {}),
    });
    response.end(request.method === 'HEAD' ? undefined : bytes.subarray(first, last + 1));
  });

  function listing(query: URLSearchParams): string {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const limit = Number(query.get('max-keys') ?? 1000);
    const found: string[] = [];
    const seen = new Set<string>();
    let last = '';
    for (const key of [...objects.keys()].sort()) {
      if (!key.startsWith(prefix)) continue;
      const slash = query.get('delimiter') === '/' ? key.indexOf('/', prefix.length) : -1;
      const entry = slash < 0 ? key : key.slice(0, slash + 1);
      if (entry <= after || seen.has(entry)) continue;
      if (seen.size === limit) return page(found, last);
      seen.add(entry);
      last = entry;
      const bytes = objects.get(key) ?? Buffer.alloc(0);
      found.push(
        slash < 0
          ? `<Contents><Key>${key}</Key><LastModified>2026-11-16T09:30:00.000Z</LastModified><ETag>${etagOf(bytes)}</ETag><Size>${bytes.length}</Size></Contents>`
          : `<CommonPrefixes><Prefix>${entry}</Prefix></CommonPrefixes>`,
      );
    }
    return page(found, null);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  return {
    address,
    bucket,
    objects,
    requests,
    state,
    /** Body that connects the bucket. */
    storage: {
      provider_type: 'AWS_S3_BUCKET',
      resource: bucket,
      display_name: 'Street archive',
      credentials_type: 'KEY_SECRET_KEY_PAIR',
      key: 'limner-key',
      secret_key: 'limner-secret',
      specific_attributes: new URLSearchParams({ endpoint_url: address, region: 'eu-central-1' }).toString(),
    } as const,
    async stop(): Promise<void> {
      if (!server.listening) return;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;

const page = (entries: readonly string[], next: string | null): string =>
  `<ListBucketResult>${entries.join('')}<IsTruncated>${next !== null}</IsTruncated>${
    next === null ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`
  }</ListBucketResult>`;
