import { z } from 'zod';
import { acceptLocation, rqIdSchema } from '../../../preload/contract/schema/common.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { emptyAnswer, jsonAnswer } from '../responses.ts';
import { contentType, readJson, unsupportedMediaType } from '../request-body.ts';
import type { RequestContext } from '../request-context.ts';
import type { PlainParameter, PlainRoute } from '../route.ts';
import { parseInput } from '../validation.ts';
import { formBody, multipartBoundary, readMultipart } from './multipart.ts';
import { requestBytes } from '../request-bytes.ts';
import { append, create, offset } from './tus.ts';
import { scopeOf, type Params, type UploadResource } from './upload-resource.ts';
import type { UploadStore } from './upload-store.ts';
import type { Upload } from './upload-files.ts';

export function uploadRoutes(resource: UploadResource, store: UploadStore): PlainRoute[] {
  const { path } = resource;
  const file = `${path}{file_id}`;
  return [
    {
      method: 'POST',
      path,
      summary: resource.summary,
      statuses: [200, 201, 202],
      parameters: [...(resource.parameters ?? []), ...stepHeaders],
      outputs: { 202: rqIdSchema },
      fileField: resource.fileField,
      answer: (request, params) => receive(resource, store, request, params),
    },
    {
      method: 'PATCH',
      path: file,
      summary: 'Append to an upload',
      statuses: [204],
      parameters: [{ name: 'Upload-Offset', in: 'header', description: 'Offset of these bytes', required: true }],
      answer: (request, params) => append(resource, store, request, params),
    },
    {
      // Routes for GET also answer HEAD.
      method: 'GET',
      path: file,
      documentedAs: 'HEAD',
      summary: 'Offset of an upload',
      statuses: [200],
      answer: (request, params) => offset(resource, store, request, params),
    },
  ];
}

const stepHeaders: readonly PlainParameter[] = [
  { name: 'Upload-Start', in: 'header', description: 'Starts a stepwise upload' },
  { name: 'Upload-Length', in: 'header', description: 'Creates a resumable upload of this many bytes' },
  {
    name: 'Upload-Metadata',
    in: 'header',
    description: 'Base64 values: filename, and local_path for a file on this computer',
  },
  { name: 'Upload-Multiple', in: 'header', description: 'Adds the files of this form' },
  { name: 'Upload-Finish', in: 'header', description: 'Finishes a stepwise upload and starts the work' },
];

/** The file is always sent with the request; other locations are rejected. */
const placeSchema = z.object(acceptLocation);

async function receive(
  resource: UploadResource,
  store: UploadStore,
  request: RequestContext,
  params: Params,
): Promise<Response> {
  const { headers } = request.raw;
  resource.authorize(request.actor, params);
  resource.requireOpen?.(request.actor, params);
  parseInput(placeSchema, Object.fromEntries(request.url.searchParams));
  const scope = scopeOf(resource, params);
  if (headers.has('Upload-Start')) {
    await store.remove(scope, await store.list(scope, request.actor.userId));
    return emptyAnswer(202);
  }
  if (headers.has('Upload-Length') || headers.has('Upload-Metadata')) return create(resource, store, request, scope);
  const { body, added } = await takeIn(resource, store, request, scope);
  if (headers.has('Upload-Multiple')) return emptyAnswer(200);
  const isFinish = headers.has('Upload-Finish');
  const uploads = isFinish ? await finished(resource, store, request, scope) : added;
  try {
    const started = await store.handOver(
      scope,
      uploads,
      (files) => resource.start(request.actor, params, { url: request.url, body, uploads: files }),
      { target: resource.target?.(params), lent: isFinish && resource.looksOnly?.(request.url.searchParams) === true },
    );
    return jsonAnswer(started, 202);
  } catch (error) {
    // Files of a single request cannot be finished again; those of a stepwise upload can.
    if (!isFinish) await store.remove(scope, added);
    throw error;
  }
}

async function finished(
  resource: UploadResource,
  store: UploadStore,
  { actor, url }: RequestContext,
  scope: string,
): Promise<Upload[]> {
  if (resource.takesMany) return store.list(scope, actor.userId);
  return [await store.find(scope, url.searchParams.get('filename') ?? '', actor.userId)];
}

/** Streams the files of a form to disk and collects its fields, or reads a JSON body. */
async function takeIn(resource: UploadResource, store: UploadStore, request: RequestContext, scope: string) {
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
      else if (!(resource.isFileField?.(part.name) ?? part.name === resource.fileField))
        throw unexpectedFile(part.name);
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
