import { createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCall, parseBody, type Call } from '../../preload/contract/client.ts';
import type { BodyInputOf, OutputOf } from '../../preload/contract/operation.ts';
import type { Operations } from '../../preload/contract/operations/index.ts';
import { uploadResumable } from '../../preload/contract/resumable-upload.ts';
import type { LabeledData, LabeledDataInput } from '../../preload/contract/schema/annotations.ts';
import type { LabelWrite } from '../../preload/contract/schema/labels.ts';
import type { DataMeta, Request, Task } from '../../preload/contract/schema/resources.ts';
import { imageForm, type NamedImage } from './images.ts';

export type Target = 'tasks' | 'jobs' | 'projects';
export type AnnotationAction = 'create' | 'update' | 'delete';

export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(`${status}: ${typeof body === 'string' ? body : JSON.stringify(body)}`);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: BodyInit;
  readonly signal?: AbortSignal;
}

type TaskBody = BodyInputOf<Operations['createTask']>;
export interface NewTask extends Partial<Omit<TaskBody, 'labels'>> {
  readonly labels?: readonly LabelWrite[];
}
export type ImportReport = OutputOf<Operations['getRequestReport']>;

export interface ImportUpload {
  readonly resource: string;
  readonly format: string;
  readonly filename: string;
}

export interface ImportFile {
  readonly path: string;
  /** Name sent to the service; by default that of the file. */
  readonly name?: string;
  /** Sends a local path instead of the bytes, like programs on the same computer. */
  readonly isHandedOver?: boolean;
}

export interface TestClient extends ReturnType<typeof createClient> {}

const pollMs = 20;

/**
 * A client of the service API that follows the steps of cvat-sdk. `authorization` is the complete header; null sends
 * none. Types come from the contract. Use `call` to see the raw answer.
 */
export function createClient(baseUrl: string, authorization: string | null) {
  async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const url = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const headers = new Headers(options.headers);
    if (authorization !== null) headers.set('Authorization', authorization);
    if (options.json !== undefined) headers.set('Content-Type', 'application/json');
    const body = options.json === undefined ? options.body : JSON.stringify(options.json);
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parseBody(text) };
  }

  /**
   * The body of a successful answer. The types come from the contract, which the service checks its answers against.
   */
  async function good<Output>(method: string, path: string, options: CallOptions = {}): Promise<Output> {
    const { status, body } = await call(method, path, options);
    if (status < 200 || status > 299) throw new ApiError(status, body);
    return body as Output;
  }

  async function raw(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (authorization !== null) headers.set('Authorization', authorization);
    const response = await fetch(new URL(path, baseUrl), { ...init, headers });
    if (!response.ok) throw new ApiError(response.status, parseBody(await response.text()));
    return response;
  }

  const perform: Call<object> = createCall<object>(({ target, ...request }) => raw(target, request));

  const dataPath = (taskId: number) => `/api/tasks/${taskId}/data/`;

  const client = {
    baseUrl,
    authorization,
    call,
    perform,
    good,
    /** The same credentials at another address, for example after a restart. */
    at: (url: string): TestClient => createClient(url, authorization),

    createProject: (name: string, labels: readonly LabelWrite[]) =>
      perform('createProject', { body: { name, labels: [...labels] } }),
    createTask: ({ labels, ...task }: NewTask = {}) =>
      perform('createTask', { body: { name: 'a task', ...task, ...(labels ? { labels: [...labels] } : {}) } }),
    task: (id: number) => perform('getTask', { params: { id } }),
    jobs: async (taskId: number) =>
      (await perform('listJobs', { query: { task_id: String(taskId), page_size: 'all', sort: 'id' } })).results,
    labels: async (taskId: number) =>
      (await perform('listLabels', { query: { task_id: String(taskId), page_size: 'all' } })).results,
    meta: (target: 'tasks' | 'jobs', id: number) => good<DataMeta>('GET', `/api/${target}/${id}/data/meta`),

    /** Sends Upload-Start, Upload-Multiple and Upload-Finish; returns the id of the background request. */
    async uploadImages(taskId: number, images: readonly NamedImage[], data: object = {}): Promise<string> {
      await good('POST', dataPath(taskId), { headers: { 'Upload-Start': '' } });
      const form = imageForm(images, { image_quality: '70' });
      await good('POST', dataPath(taskId), { headers: { 'Upload-Multiple': '' }, body: form });
      const started = await good<{ rq_id: string }>('POST', dataPath(taskId), {
        headers: { 'Upload-Finish': '' },
        json: { image_quality: 70, ...data },
      });
      return started.rq_id;
    },

    async useServerFiles(taskId: number, paths: readonly string[], data: object = {}): Promise<string> {
      const json = { image_quality: 70, server_files: paths, ...data };
      return (await good<{ rq_id: string }>('POST', dataPath(taskId), { json })).rq_id;
    },

    async taskWithImages(task: NewTask, images: readonly NamedImage[], data: object = {}): Promise<Task> {
      const { id } = await client.createTask(task);
      await client.finished(await client.uploadImages(id, images, data));
      return client.task(id);
    },

    request: (id: string) => perform('getRequest', { params: { id } }),
    report: (id: string) => perform('getRequestReport', { params: { id } }),
    async ended(id: string, everyMs = pollMs): Promise<Request> {
      for (;;) {
        const request = await client.request(id);
        if (request.status === 'finished' || request.status === 'failed') return request;
        await sleep(everyMs);
      }
    },
    /** Waits until a request has finished; throws its message if it failed. */
    async finished(id: string, everyMs = pollMs): Promise<Request> {
      const request = await client.ended(id, everyMs);
      if (request.status === 'failed') throw new Error(`The request ${id} failed: ${request.message}`);
      return request;
    },

    annotations: (target: 'tasks' | 'jobs', id: number, frame?: number) =>
      good<LabeledData>('GET', `/api/${target}/${id}/annotations/`, { query: { frame } }),
    changeAnnotations: (
      target: 'tasks' | 'jobs',
      id: number,
      action: AnnotationAction,
      data: LabeledDataInput,
      headers: Readonly<Record<string, string>> = {},
    ) => good<LabeledData>('PATCH', `/api/${target}/${id}/annotations/`, { query: { action }, json: data, headers }),
    replaceAnnotations: (target: 'tasks' | 'jobs', id: number, data: LabeledDataInput) =>
      good<LabeledData>('PUT', `/api/${target}/${id}/annotations/`, { json: data }),
    clearAnnotations: (target: 'tasks' | 'jobs', id: number) => good('DELETE', `/api/${target}/${id}/annotations/`),

    async startExport(target: Target, id: number, format: string, saveImages = false, filename?: string) {
      const query = { format, save_images: saveImages, filename };
      return (await good<{ rq_id: string }>('POST', `/api/${target}/${id}/dataset/export`, { query })).rq_id;
    },
    async exportDataset(target: Target, id: number, format: string, file: string, saveImages = false): Promise<void> {
      const request = await client.finished(await client.startExport(target, id, format, saveImages));
      await client.download(request.result_url ?? '', file);
    },
    async download(url: string, file: string): Promise<void> {
      const response = await raw(url);
      if (response.body) await pipeline(response.body, createWriteStream(file));
    },
    bytes: async (path: string): Promise<Buffer> => Buffer.from(await (await raw(path)).arrayBuffer()),

    /** Uploads a file by TUS; `finishImport` starts its import. */
    async uploadForImport(target: 'tasks' | 'jobs', id: number, format: string, file: ImportFile) {
      const resource = `/api/${target}/${id}/annotations/`;
      const filename = file.name ?? basename(file.path);
      await good('POST', resource, { query: { format, filename }, headers: { 'Upload-Start': '' } });
      return { resource, format, filename: await uploadInPieces(call, resource, file, filename) };
    },
    async finishImport(upload: ImportUpload, query: CallOptions['query'] = {}): Promise<string> {
      const { resource, format, filename } = upload;
      const started = await good<{ rq_id: string }>('POST', resource, {
        query: { format, filename, ...query },
        headers: { 'Upload-Finish': '' },
      });
      return started.rq_id;
    },
    async startImport(
      target: 'tasks' | 'jobs',
      id: number,
      format: string,
      file: ImportFile,
      query: CallOptions['query'] = {},
    ): Promise<string> {
      return client.finishImport(await client.uploadForImport(target, id, format, file), query);
    },
    async importAnnotations(
      target: 'tasks' | 'jobs',
      id: number,
      format: string,
      file: ImportFile,
      query: CallOptions['query'] = {},
    ): Promise<Request> {
      return client.finished(await client.startImport(target, id, format, file, query));
    },
  };
  return client;
}

/** A client with an access token, so that its requests need no password check. */
export async function signIn(server: {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}): Promise<TestClient> {
  const json = { username: server.user, password: server.password };
  const { key } = await createClient(server.url, null).good<{ key: string }>('POST', '/api/auth/login', { json });
  return createClient(server.url, `Token ${key}`);
}

async function uploadInPieces(
  send: (method: string, path: string, options: CallOptions) => Promise<Answer>,
  resource: string,
  { path, isHandedOver = false }: ImportFile,
  name: string,
): Promise<string> {
  const { size } = await stat(path);
  const handle = await open(path, 'r');
  try {
    return await uploadResumable<Uint8Array<ArrayBuffer>>({
      path: resource,
      name,
      sizeBytes: size,
      localPath: isHandedOver ? path : undefined,
      piece: async (start, end) => {
        const piece = new Uint8Array(end - start);
        return piece.subarray(0, (await handle.read(piece, 0, piece.length, start)).bytesRead);
      },
      send: async ({ method, path: target, headers, body }) => {
        const answer = await send(method, target, { headers, ...(body === null ? {} : { body }) });
        if (answer.status !== (method === 'POST' ? 201 : 204)) throw new ApiError(answer.status, answer.body);
        return { header: (key) => answer.headers.get(key) };
      },
      isLost: () => false,
    });
  } finally {
    await handle.close();
  }
}
