import type { Actor } from '../../core/actor.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { emptyAnswer, jsonAnswer } from '../answers.ts';
import { contentType, readJson, unsupportedMediaType } from '../request-body.ts';
import type { RequestContext } from '../request-context.ts';
import type { PlainParameter, PlainRoute } from '../route.ts';
import { formBody } from './form-body.ts';
import { multipartBoundary, readMultipart } from './multipart.ts';
import { maxUploadBytes, type Upload, type UploadedFile, type UploadStore } from './upload-store.ts';

type Params = Readonly<Record<string, string>>;

/**
 * A resource that takes files: one request with everything, or in steps (`Upload-Start`, then TUS uploads or
 * `Upload-Multiple`, then `Upload-Finish`).
 */
export interface UploadResource {
  /** Template with its slash at the end, for example `/api/tasks/{id}/data/`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly parameters?: readonly PlainParameter[];
  /** Whether a form field of this name carries a file. */
  readonly isFileField: (name: string) => boolean;
  /**
   * `name`: several files, known by their names, are finished together. `id`: one file, which the finishing request
   * names by its id in `?filename=`.
   */
  readonly uploadsKnownBy: 'name' | 'id';
  /** Throws when the actor may not bring files here. Called before anything is taken in. */
  readonly authorize: (actor: Actor, params: Params, url: URL) => void;
  /** Folder that the work expects its files in; without it they wait where the store puts them. */
  readonly target?: (params: Params) => string;
  /** Starts the work and answers its request id. The files belong to the work then. */
  readonly start: (
    actor: Actor,
    params: Params,
    input: {
      readonly url: URL;
      readonly body: Readonly<Record<string, unknown>>;
      readonly uploads: readonly UploadedFile[];
    },
  ) => { rq_id: string } | Promise<{ rq_id: string }>;
}

const tusHeaders = { 'Tus-Resumable': '1.0.0', 'Tus-Version': '1.0.0' };

/** `/api/tasks/12/data/` becomes `tasks-12-data`. Only digits and letters: it names a folder. */
function scopeOf(resource: UploadResource, params: Params): string {
  const path = resource.path.replace(/\{(\w+)\}/g, (_, name: string) => String(Math.trunc(Number(params[name]))));
  return path
    .split('/')
    .filter((part) => part !== '' && part !== 'api')
    .join('-');
}

export function uploadRoutes(resource: UploadResource, store: UploadStore): PlainRoute[] {
  const { path, tag } = resource;
  const file = `${path}{file_id}`;
  return [
    {
      method: 'POST',
      path,
      tag,
      summary: resource.summary,
      statuses: [200, 201, 202],
      parameters: [...(resource.parameters ?? []), ...stepHeaders],
      answer: (request, params) => receive(resource, store, request, params),
    },
    {
      method: 'PATCH',
      path: file,
      tag,
      summary: 'Append to an upload',
      statuses: [204],
      parameters: [{ name: 'Upload-Offset', in: 'header', description: 'Where the bytes belong', required: true }],
      answer: (request, params) => append(resource, store, request, params),
    },
    {
      // Routes for GET answer HEAD too.
      method: 'GET',
      path: file,
      tag,
      summary: 'Where an upload stands (HEAD only)',
      statuses: [200],
      answer: (request, params) => offset(resource, store, request, params),
    },
  ];
}

const stepHeaders: readonly PlainParameter[] = [
  { name: 'Upload-Start', in: 'header', description: 'Begins an upload in steps' },
  { name: 'Upload-Length', in: 'header', description: 'Creates a resumable upload of this many bytes' },
  { name: 'Upload-Metadata', in: 'header', description: 'filename and its value in base64' },
  { name: 'Upload-Multiple', in: 'header', description: 'Takes in the files of this form' },
  { name: 'Upload-Finish', in: 'header', description: 'Ends an upload in steps and starts the work' },
];

async function receive(
  resource: UploadResource,
  store: UploadStore,
  request: RequestContext,
  params: Params,
): Promise<Response> {
  const { headers } = request.raw;
  resource.authorize(request.actor, params, request.url);
  const scope = scopeOf(resource, params);
  if (headers.has('Upload-Start')) {
    for (const upload of await store.list(scope, request.actor.userId)) await store.remove(scope, upload.id);
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
      resource.target?.(params),
    );
    return jsonAnswer(started, 202);
  } catch (error) {
    // Files of a single request cannot be finished again; those of an upload in steps can.
    if (!isFinish) for (const upload of added) await store.remove(scope, upload.id);
    throw error;
  }
}

/** The files of an upload in steps that the finishing request means. */
async function finished(
  resource: UploadResource,
  store: UploadStore,
  { actor, url }: RequestContext,
  scope: string,
): Promise<Upload[]> {
  if (resource.uploadsKnownBy === 'name') return store.list(scope, actor.userId);
  return [await store.find(scope, url.searchParams.get('filename') ?? '', actor.userId)];
}

/** Streams the files of a form to disk and collects its fields; or reads a JSON body. */
async function takeIn(resource: UploadResource, store: UploadStore, { raw, actor }: RequestContext, scope: string) {
  const boundary = multipartBoundary(raw.headers.get('Content-Type'));
  if (boundary === undefined) {
    if (contentType(raw.headers).startsWith('multipart/')) throw unsupportedMediaType(raw.headers);
    return { body: jsonObject(await readJson(raw)), added: [] };
  }
  const fields: [string, string][] = [];
  const added: Upload[] = [];
  try {
    for await (const part of readMultipart(bodyOf(raw), boundary)) {
      if (part.filename === undefined) fields.push([part.name, await fieldText(part.body)]);
      else if (!resource.isFileField(part.name)) throw unexpectedFile(part.name);
      else added.push(await store.add(scope, actor.userId, part.filename, part.body));
    }
  } catch (error) {
    for (const upload of added) await store.remove(scope, upload.id);
    throw error;
  }
  return { body: formBody(fields), added };
}

const unexpectedFile = (field: string) =>
  invalidField(field, 'No file is expected here. Nothing of this request was taken in.');

const maxFieldBytes = 1024 * 1024;

async function fieldText(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > maxFieldBytes) throw problem('too-large', 'A field of the form is longer than 1 MB.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

async function create(
  resource: UploadResource,
  store: UploadStore,
  { raw, actor, url }: RequestContext,
  scope: string,
): Promise<Response> {
  const lengthText = raw.headers.get('Upload-Length') ?? '';
  if (!/^\d{1,15}$/.test(lengthText)) throw problem('invalid', 'Upload-Length must be a number of bytes.');
  const name = metadata(raw.headers.get('Upload-Metadata') ?? '').get('filename');
  if (!name) throw problem('invalid', 'Upload-Metadata must have a filename.');
  const upload = await store.create(scope, actor.userId, name, Number(lengthText));
  const location = `${url.origin}${url.pathname.replace(/\/$/, '')}/${upload.id}`;
  return emptyAnswer(
    201,
    new Headers({
      ...uploadHeaders(resource, upload),
      Location: location,
      'Tus-Max-Size': String(maxUploadBytes),
      'Tus-Extension': 'creation',
    }),
  );
}

async function append(
  resource: UploadResource,
  store: UploadStore,
  request: RequestContext,
  params: Params,
): Promise<Response> {
  const { raw, actor } = request;
  resource.authorize(actor, params, request.url);
  if (contentType(raw.headers) !== 'application/offset+octet-stream') throw unsupportedMediaType(raw.headers);
  const offsetText = raw.headers.get('Upload-Offset') ?? '';
  if (!/^\d{1,15}$/.test(offsetText)) throw problem('invalid', 'Upload-Offset must be a number of bytes.');
  const scope = scopeOf(resource, params);
  const upload = await store.find(scope, params['file_id'] ?? '', actor.userId);
  const declared = Number(raw.headers.get('Content-Length') ?? 0);
  if (Number(offsetText) === upload.offsetBytes && upload.offsetBytes + declared > upload.lengthBytes) {
    throw problem('too-large', 'There are more bytes than the upload has room for.');
  }
  const offsetBytes = await store.append(scope, upload, Number(offsetText), bodyOf(raw));
  return emptyAnswer(204, new Headers(uploadHeaders(resource, { ...upload, offsetBytes })));
}

async function offset(
  resource: UploadResource,
  store: UploadStore,
  { raw, actor, url }: RequestContext,
  params: Params,
): Promise<Response> {
  if (raw.method !== 'HEAD') throw problem('method-not-allowed', `Method "${raw.method}" not allowed.`);
  resource.authorize(actor, params, url);
  const upload = await store.find(scopeOf(resource, params), params['file_id'] ?? '', actor.userId);
  return emptyAnswer(
    200,
    new Headers({
      ...uploadHeaders(resource, upload),
      'Upload-Length': String(upload.lengthBytes),
      'Cache-Control': 'no-store',
    }),
  );
}

function uploadHeaders({ uploadsKnownBy }: UploadResource, upload: Upload): Record<string, string> {
  const name = uploadsKnownBy === 'id' ? upload.id : upload.name;
  return {
    ...tusHeaders,
    'Upload-Offset': String(upload.offsetBytes),
    // Headers carry ASCII only.
    'Upload-Filename': /^[\x20-\x7e]*$/.test(name) ? name : encodeURIComponent(name),
  };
}

/** `filename d29ybGQ=,is_private` */
function metadata(header: string): Map<string, string> {
  return new Map(
    header.split(',').map((pair) => {
      const [key = '', value = ''] = pair.trim().split(/\s+/, 2);
      return [key, Buffer.from(value, 'base64').toString('utf8')];
    }),
  );
}

function jsonObject(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  const message = 'Invalid data. Expected a dictionary.';
  throw new AppError('invalid', message, { non_field_errors: [message] });
}

const bodyOf = (raw: Request): AsyncIterable<Uint8Array> => raw.body ?? ReadableStream.from<Uint8Array>([]);

function problem(code: 'invalid' | 'too-large' | 'method-not-allowed', message: string): AppError {
  return new AppError(code, message, { detail: message });
}
