import { z } from 'zod';
import type { RawOperation } from '../../../preload/contract/operation.ts';
import { isDefaultPlace, namedStorage, placeQuery } from '../../../preload/contract/schema/common.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { emptyAnswer, jsonAnswer } from '../responses.ts';
import { contentType, readJson, unsupportedMediaType } from '../request-body.ts';
import type { RequestContext } from '../request-context.ts';
import { parseInput } from '../validation.ts';
import { formBody, multipartBoundary, readMultipart } from './multipart.ts';
import { requestBytes } from '../request-bytes.ts';
import { append, create, offset } from './tus.ts';
import { scopeOf, type UploadResource, type UploadStep } from './upload-resource.ts';
import type { UploadStore } from './upload-store.ts';
import type { Upload } from './upload-files.ts';

const placeSchema = z.object(placeQuery);

interface UploadInput<Params, Query> {
  readonly params: Params;
  readonly query: Query;
  readonly request: RequestContext;
}

/** Handler of an upload operation and of its steps. */
export const uploadHandler =
  <Params extends z.ZodType, Query extends z.ZodType>(
    { path, fileField = '' }: RawOperation<Params, Query>,
    resource: UploadResource<z.output<Params>, z.output<Query>>,
    store: UploadStore,
  ) =>
  async (input: UploadInput<z.output<Params>, z.output<Query>>): Promise<Response> => {
    const { params, request } = input;
    const { method } = request.raw;
    if (method === 'GET') throw new AppError('method-not-allowed', `Method "${method}" not allowed.`);
    resource.authorize(request.actor, params);
    // Only the parameters of steps have a file.
    const { file_id: fileId = '', ...ids } = { ...(params as object | undefined) } as { readonly file_id?: string };
    const step = { request, store, scope: scopeOf(path, ids), takesMany: resource.takesMany === true };
    if (method === 'PATCH') return append(step, fileId);
    if (method === 'HEAD') return offset(step, fileId);
    const isFileField = resource.isFileField ?? ((name: string) => name === fileField);
    return receive(resource, input, step, isFileField);
  };

async function receive<Params, Query>(
  resource: UploadResource<Params, Query>,
  input: UploadInput<Params, Query>,
  step: UploadStep,
  isFileField: (name: string) => boolean,
): Promise<Response> {
  const { request, store, scope } = step;
  const { actor, raw, url } = request;
  const { headers } = raw;
  resource.requireOpen?.(actor, input.params);
  const place = parseInput(placeSchema, Object.fromEntries(url.searchParams));
  const storageId = storageOf(place, step);
  if (headers.has('Upload-Start')) {
    await store.remove(scope, await store.list(scope, actor.userId));
    return emptyAnswer(202);
  }
  if (headers.has('Upload-Length') || headers.has('Upload-Metadata')) return create(step);
  if (storageId !== undefined) return startWithObject(resource, input, step, storageId);
  const { body, added } = await takeIn(step, isFileField);
  if (headers.has('Upload-Multiple')) return emptyAnswer(200);
  const isFinish = headers.has('Upload-Finish');
  const isDefault = isDefaultPlace(place) && !isFinish && added.length === 0;
  const source = isDefault ? (resource.defaultSource?.(actor, input.params) ?? null) : null;
  if (source !== null) return startWithObject(resource, input, step, source);
  const uploads = isFinish ? await finished(step) : added;
  try {
    const { params, query } = input;
    const started = await store.handOver(
      scope,
      uploads,
      (files) => resource.start(actor, params, { query, body, uploads: files }),
      { target: resource.target?.(params), lent: isFinish && resource.looksOnly?.(query) === true },
    );
    return jsonAnswer(started, 202);
  } catch (error) {
    // Files of a single request cannot be finished again; those of a stepwise upload can.
    if (!isFinish) await store.remove(scope, added);
    throw error;
  }
}

/** @throws AppError 400 */
function storageOf(place: z.output<typeof placeSchema>, { request, takesMany }: UploadStep): number | undefined {
  const named = namedStorage(place);
  if (typeof named === 'object') throw invalidField('cloud_storage_id', named.problem);
  if (named === undefined) return undefined;
  const { headers } = request.raw;
  const isStep = ['Upload-Start', 'Upload-Length', 'Upload-Multiple', 'Upload-Finish'].some((name) =>
    headers.has(name),
  );
  if (!isStep && !takesMany) return named;
  throw invalidField(
    'location',
    'There is no cloud storage in an upload. Name the object in one request, without a file.',
  );
}

/** Starts the work with the object that `filename` names. */
async function startWithObject<Params, Query>(
  resource: UploadResource<Params, Query>,
  { params, query, request }: UploadInput<Params, Query>,
  { store }: UploadStep,
  storageId: number,
): Promise<Response> {
  const { actor, url, raw } = request;
  const key = url.searchParams.get('filename') ?? '';
  const file = await store.objectFile(actor, storageId, key, raw.signal);
  return jsonAnswer(await resource.start(actor, params, { query, body: {}, uploads: [file] }), 202);
}

async function finished({ request: { actor, url }, store, scope, takesMany }: UploadStep): Promise<Upload[]> {
  if (takesMany) return store.list(scope, actor.userId);
  return [await store.find(scope, url.searchParams.get('filename') ?? '', actor.userId)];
}

/** Streams the files of a form to disk and collects its fields, or reads a JSON body. */
async function takeIn({ request, store, scope }: UploadStep, isFileField: (name: string) => boolean) {
  const { raw, actor } = request;
  const boundary = multipartBoundary(raw.headers.get('Content-Type'));
  if (boundary === undefined) {
    if (contentType(raw.headers).startsWith('multipart/')) throw unsupportedMediaType(raw.headers);
    return { body: jsonObject(await readJson(raw)), added: [] };
  }
  const fields: [string, string][] = [];
  const arrival = store.arrive(scope, actor.userId);
  const bytes = requestBytes(request);
  try {
    for await (const part of readMultipart(bytes.pieces, boundary)) {
      if (part.filename === undefined) fields.push([part.name, await fieldText(part.body)]);
      else if (!isFileField(part.name)) throw unexpectedFile(part.name);
      else await arrival.add(part.filename, part.body);
    }
    return { body: formBody(fields), added: await arrival.keep() };
  } catch (error) {
    await bytes.discard();
    await arrival.discard();
    throw error;
  }
}

const unexpectedFile = (field: string) => invalidField(field, 'Unexpected file. No data of this request was accepted.');

const maxFieldBytes = 1024 * 1024;

async function fieldText(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > maxFieldBytes) throw new AppError('too-large', 'A field of the form is longer than 1 MB.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function jsonObject(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw invalidField('non_field_errors', 'Invalid data. Expected a dictionary.');
}
