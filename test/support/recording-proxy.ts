import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startHttpProxy, type HttpProxy, type ProxiedAnswer } from './http-proxy.ts';

/** An HTTP request and its answer. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** Value of a JSON body, or names of the fields of a form; null otherwise. */
  readonly json: unknown;
  readonly fields: readonly string[] | null;
  readonly status: number;
  /** Text of an answer in JSON; null otherwise. */
  readonly answer: string | null;
}

export interface RecordingProxy extends HttpProxy {
  readonly exchanges: readonly Exchange[];
}

const isJson = ({ 'content-type': type }: IncomingHttpHeaders): boolean => /\bjson\b/.test(type ?? '');

/**
 * An HTTP proxy that records the requests of a client of the service and their answers.
 * @param userAgent replaces that of the client, because the service answers a client in the form of its release
 */
export async function startRecordingProxy(targetUrl: string, userAgent?: string): Promise<RecordingProxy> {
  const exchanges: Exchange[] = [];
  const headers = userAgent === undefined ? {} : { 'user-agent': userAgent };
  const proxy = await startHttpProxy(targetUrl, (answered) => void record(answered), headers);

  async function record({ incoming, sent, answer, outgoing }: ProxiedAnswer): Promise<void> {
    const bytes = await buffer(answer);
    const { pathname, searchParams } = new URL(incoming.url ?? '', targetUrl);
    const text = isJson(answer.headers) && bytes.length > 0 ? bytes.toString() : null;
    exchanges.push({
      method: incoming.method ?? '',
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: incoming.headers,
      ...bodyOf(incoming.headers, sent()),
      status: answer.statusCode ?? 0,
      answer: text,
    });
    // Links of the service must lead through the proxy.
    const own = (value: string): string => value.replaceAll(targetUrl, proxy.url);
    const passed = text === null ? bytes : Buffer.from(own(text));
    const { 'transfer-encoding': _chunked, location, ...rest } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 500, {
      ...rest,
      ...(location === undefined ? {} : { location: own(location) }),
      ...(incoming.method === 'HEAD' || answer.statusCode === 204 ? {} : { 'content-length': String(passed.length) }),
    });
    outgoing.end(passed);
  }
  return { ...proxy, exchanges };
}

function bodyOf(headers: IncomingHttpHeaders, bytes: Buffer): Pick<Exchange, 'json' | 'fields'> {
  if (bytes.length === 0) return { json: null, fields: null };
  if (isJson(headers)) return { json: JSON.parse(bytes.toString()) as unknown, fields: null };
  if (!(headers['content-type'] ?? '').startsWith('multipart/form-data')) return { json: null, fields: null };
  const names = bytes.toString('latin1').matchAll(/^Content-Disposition: form-data; name="([^"]+)"/gim);
  return { json: null, fields: [...new Set([...names].map(([, name = '']) => name.replace(/\d+/, '')))] };
}
