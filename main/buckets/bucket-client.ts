import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type Readable, Readable as Streams } from 'node:stream';
import { readXmlChildren } from '../formats/io/xml-children.ts';
import { createAzureProtocol } from './azure-protocol.ts';
import type { BucketConnection } from './bucket-connection.ts';
import { BucketError } from './bucket-error.ts';
import type { BucketObject, BucketPage, ListRange } from './bucket-protocol.ts';
import type { ObjectAnswer, ObjectRequest, SendRequest } from './object-request.ts';
import { createS3Protocol } from './s3-protocol.ts';

export interface ReadOptions {
  /** First and last byte, both included. */
  readonly range?: readonly [number, number];
  /** The object must still have this tag. */
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface OpenedObject {
  readonly body: Readable;
  /** Bytes of the whole object; null if the server does not say. */
  readonly size: number | null;
  readonly etag: string;
}

export const pageLimit = 1000;
/** One request may write this much, on S3 and on Azure. */
const maxWriteBytes = 5_000 * 1024 * 1024;

export type BucketClient = ReturnType<typeof createBucketClient>;

/** Lists, reads and writes objects of one bucket. All failures are {@link BucketError}. */
export function createBucketClient(connection: BucketConnection, send: SendRequest) {
  const { address, name } = connection;
  const protocol = connection.protocol === 's3' ? createS3Protocol(connection) : createAzureProtocol(connection);

  const ofObject = (key: string): URL => new URL(`${address}/${key.split('/').map(encoded).join('/')}`);
  const ofBucket = (query: Record<string, string>): URL => {
    const url = new URL(address);
    // Not `searchParams`, which writes spaces as plus signs: signatures are computed for %20.
    url.search = Object.entries(query)
      .map(([key, value]) => `${key}=${encoded(value)}`)
      .join('&');
    return url;
  };

  async function ask(
    about: string | null,
    { method, url, headers, body, signal }: Omit<ObjectRequest, 'headers'> & { headers?: Record<string, string> },
  ): Promise<ObjectAnswer> {
    const signed = await protocol.sign(method, url, headers ?? {});
    const answer = await send({ method, ...signed, signal, ...(body ? { body } : {}) });
    if (answer.statusCode < 300) return answer;
    const text = method === 'HEAD' ? '' : await limitedText(answer.body);
    throw refusal(answer.statusCode, { about, name, code: /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? '' });
  }

  async function page(range: ListRange, signal?: AbortSignal): Promise<BucketPage> {
    const answer = await ask(null, { method: 'GET', url: ofBucket(protocol.listQuery(range)), signal });
    const found: BucketPage = { objects: [], prefixes: [], next: null };
    await readXmlChildren(
      answer.body,
      () => undefined,
      (node) => protocol.readListing(node, found),
    );
    return found;
  }

  async function open(key: string, { range, etag, signal }: ReadOptions = {}): Promise<OpenedObject> {
    const headers = {
      ...(range ? { Range: `bytes=${range[0]}-${range[1]}` } : {}),
      ...(etag === undefined ? {} : { 'If-Match': etag }),
    };
    const answer = await ask(key, { method: 'GET', url: ofObject(key), headers, signal });
    const whole = /\/(\d+)$/.exec(String(answer.headers['content-range'] ?? ''))?.[1];
    const length = whole ?? (answer.statusCode === 206 ? undefined : answer.headers['content-length']);
    return {
      body: answer.body,
      size: length === undefined ? null : Number(length),
      etag: String(answer.headers['etag'] ?? ''),
    };
  }

  return {
    connection,
    page,
    /** All objects below a prefix, page by page, so that other work of the thread runs in between. */
    async *objects(prefix: string, signal?: AbortSignal): AsyncGenerator<readonly BucketObject[]> {
      for (let after: string | undefined; ;) {
        const { objects, next } = await page({ prefix, after, limit: pageLimit }, signal);
        yield objects;
        if (next === null) return;
        after = next;
      }
    },
    open,
    /** Bytes of an object or a range of it. */
    async read(key: string, options: ReadOptions = {}): Promise<Buffer> {
      const { body } = await open(key, options);
      const parts: Buffer[] = [];
      for await (const part of body) parts.push(part as Buffer);
      return Buffer.concat(parts);
    },
    async facts(key: string, signal?: AbortSignal): Promise<BucketObject> {
      const { headers } = await ask(key, { method: 'HEAD', url: ofObject(key), signal });
      return {
        key,
        size: Number(headers['content-length'] ?? 0),
        etag: String(headers['etag'] ?? ''),
        modified: String(headers['last-modified'] ?? ''),
      };
    },
    /** Writes a file of this computer to the bucket. An object of the same name is replaced. */
    async write(key: string, file: string, signal?: AbortSignal): Promise<void> {
      const { size } = await stat(file);
      if (size > maxWriteBytes)
        throw new BucketError(
          'failed',
          `Cannot write ${key}: it has ${size} bytes, and one request to a bucket may have ${maxWriteBytes}. ` +
            'Export a smaller part, or download the file.',
        );
      const headers = { ...protocol.writeHeaders, 'Content-Length': String(size) };
      const body = size === 0 ? Streams.from([]) : createReadStream(file);
      const answer = await ask(key, { method: 'PUT', url: ofObject(key), headers, body, signal });
      await answer.body.dump();
    },
    /** Resolves if the bucket exists and its objects may be listed. */
    async check(signal?: AbortSignal): Promise<void> {
      const answer = await ask(null, { method: 'GET', url: ofBucket(protocol.existsQuery), signal });
      await answer.body.dump();
    },
  };
}

/** Percent-encoding of RFC 3986, which signatures need. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

const maxErrorBytes = 64 * 1024;

async function limitedText(body: Readable): Promise<string> {
  let text = '';
  for await (const part of body) {
    text += String(part);
    if (text.length > maxErrorBytes) break;
  }
  return text;
}

interface Refused {
  /** Key of the object; null for the bucket. */
  readonly about: string | null;
  readonly name: string;
  /** Code in the server's answer; empty for none. */
  readonly code: string;
}

function refusal(status: number, { about, name, code }: Refused): BucketError {
  const what = about === null ? `the bucket ${name}` : `${about} in the bucket ${name}`;
  const answer = code === '' ? `${status}` : `${status} ${code}`;
  if (status === 404)
    return about === null || code === 'NoSuchBucket' || code === 'ContainerNotFound'
      ? new BucketError('missing', `The bucket ${name} does not exist (${answer}). Check its name and address.`)
      : new BucketError('missing', `${about} is not in the bucket ${name} (${answer}).`);
  if (status === 401 || status === 403)
    return new BucketError('forbidden', `Access to ${what} is forbidden (${answer}). Check the key and its rights.`);
  if (status === 412) return new BucketError('changed', `${what} has changed (${answer}).`);
  if (status === 301 || status === 307)
    return new BucketError('failed', `The bucket ${name} is in another region (${answer}). Set the region.`);
  return new BucketError('failed', `Cannot use ${what}: the server answered ${answer}.`);
}
