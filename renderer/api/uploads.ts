import type { z } from 'zod';
import type { addImagesSchema, dataRequestSchema } from '../../preload/contract/schema/resources.ts';
import { assetSchema } from '../../preload/contract/schema/review.ts';
import { uploadResumable } from '../../preload/contract/resumable-upload.ts';
import { ApiError } from './api-error.ts';
import { upload } from './client.ts';

/** A file to upload, with its path relative to the drop (`folder/a.jpg`). */
export interface NamedFile {
  readonly file: File;
  readonly path: string;
}

interface Progress {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
}

export const batchBytes = 24 * 1024 * 1024;
export const batchFiles = 200;
/** The browser reads the next batch while the service syncs the last one. */
const batchesAtOnce = 2;

const rqIdOf = (body: unknown): string => {
  const id: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'rq_id') : undefined;
  if (typeof id !== 'string') throw new Error('The service returned no background request id.');
  return id;
};

/** Groups small files into requests of at most `batchBytes` and `batchFiles`; a larger file is sent alone. */
export function batchesOf(files: readonly NamedFile[]): NamedFile[][] {
  const batches: NamedFile[][] = [];
  let batch: NamedFile[] = [];
  let size = 0;
  for (const item of files) {
    const full = batch.length > 0 && (size + item.file.size > batchBytes || batch.length >= batchFiles);
    if (full) {
      batches.push(batch);
      batch = [];
      size = 0;
    }
    batch.push(item);
    size += item.file.size;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

const uploadStep = (path: string, step: 'Upload-Start' | 'Upload-Finish', signal?: AbortSignal) =>
  upload({ method: 'POST', path, headers: { [step]: '' }, body: null, signal });

const uploadInPieces = (
  path: string,
  file: Blob,
  name: string,
  signal: AbortSignal | undefined,
  onSent: (bytes: number) => void,
  localPath = '',
): Promise<string> =>
  uploadResumable<Blob>({
    path,
    name,
    sizeBytes: file.size,
    localPath,
    piece: (start, end) => file.slice(start, end),
    send: (request) => upload({ ...request, signal }),
    isLost: (error) => error instanceof ApiError && (error.kind === 'unreachable' || error.kind === 'conflict'),
    onSent,
  });

/** Uploads a task's media. Returns the request that prepares them. */
export const uploadTaskData = (
  taskId: number,
  files: readonly NamedFile[],
  parameters: z.input<typeof dataRequestSchema>,
  progress: Progress = {},
): Promise<string> => uploadMedia(`/api/tasks/${taskId}/data/`, files, parameters, progress);

/** Uploads images for a task that has data. Returns the request that adds them. */
export const addTaskImages = (
  taskId: number,
  files: readonly NamedFile[],
  parameters: z.input<typeof addImagesSchema>,
  progress: Progress = {},
): Promise<string> => uploadMedia(`/api/limner/tasks/${taskId}/images/`, files, parameters, progress);

async function uploadMedia(...what: Parameters<typeof sendMedia>): Promise<string> {
  /** Closing the page would end the upload. */
  const askBeforeClosing = (event: BeforeUnloadEvent): void => event.preventDefault();
  window.addEventListener('beforeunload', askBeforeClosing);
  try {
    return await sendMedia(...what);
  } finally {
    window.removeEventListener('beforeunload', askBeforeClosing);
  }
}

/** Sends small files together, and large ones in pieces. */
async function sendMedia(
  path: string,
  files: readonly NamedFile[],
  parameters: z.input<typeof dataRequestSchema> | z.input<typeof addImagesSchema>,
  { signal, onProgress }: Progress,
): Promise<string> {
  const totalBytes = files.reduce((sum, item) => sum + item.file.size, 0);
  let sent = 0;
  /** Bytes of requests that have not ended. */
  const sending = new Map<object, number>();
  const report = (request: object, bytes: number): void => {
    sending.set(request, bytes);
    const running = [...sending.values()].reduce((sum, one) => sum + one, 0);
    onProgress?.(Math.min(sent + running, totalBytes), totalBytes);
  };
  const ended = (request: object, bytes: number): void => {
    sending.delete(request);
    sent += bytes;
  };
  await uploadStep(path, 'Upload-Start', signal);
  const large = files.filter((item) => item.file.size > batchBytes);
  const small = files.filter((item) => item.file.size <= batchBytes);
  const batches = batchesOf(small).values();
  const failed = new AbortController();
  const stopped = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]);
  const sendBatches = async (): Promise<void> => {
    for (const batch of batches) {
      const form = new FormData();
      batch.forEach((item, index) => form.append(`client_files[${index}]`, item.file, item.path));
      const onSent = (bytes: number): void => report(batch, bytes);
      await upload({ method: 'POST', path, headers: { 'Upload-Multiple': '' }, body: form, signal: stopped, onSent });
      ended(
        batch,
        batch.reduce((sum, item) => sum + item.file.size, 0),
      );
    }
  };
  try {
    await Promise.all(Array.from({ length: batchesAtOnce }, sendBatches));
  } catch (error) {
    failed.abort();
    throw error;
  }
  for (const item of large) {
    await uploadInPieces(path, item.file, item.path, signal, (bytes) => report(item, bytes));
    ended(item, item.file.size);
  }
  const predefined = parameters.sorting_method === 'predefined';
  const order = predefined ? { upload_file_order: files.map((item) => item.path) } : {};
  const finish = await upload({
    method: 'POST',
    path,
    headers: { 'Upload-Finish': '', 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...parameters, ...order }),
    signal,
  });
  return rqIdOf(finish.body);
}

/** Prepares a task from local files and folders, used in place. Returns the background request. */
export async function prepareLocalPaths(
  taskId: number,
  paths: readonly string[],
  parameters: z.input<typeof dataRequestSchema>,
  signal?: AbortSignal,
): Promise<string> {
  const answer = await upload({
    method: 'POST',
    path: `/api/tasks/${taskId}/data/`,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...parameters, server_files: paths }),
    signal,
  });
  return rqIdOf(answer.body);
}

export async function uploadGuidePicture(guideId: number, file: File): Promise<string> {
  const body = new FormData();
  body.set('guide_id', String(guideId));
  body.set('file', file, file.name);
  const answer = await upload({ method: 'POST', path: '/api/assets', body });
  return `/api/assets/${assetSchema.parse(answer.body).uuid}`;
}

export interface ImportTarget {
  readonly kind: 'task' | 'job' | 'project';
  readonly id: number;
}

export interface ImportOptions {
  readonly format: string;
  readonly mode: 'append' | 'replace';
  readonly options?: Readonly<Record<string, unknown>>;
  /**
   * True only checks the file: the request's report tells the effects of an import. `inspect` reports only its labels
   * and images.
   */
  readonly dryRun: boolean | 'inspect';
}

export interface SentFile {
  readonly file: File;
  /** Starts the check or import after the upload and returns the background request. */
  readonly start: (options: ImportOptions, signal: AbortSignal) => Promise<string>;
  readonly detect: (signal: AbortSignal) => Promise<unknown>;
  /** Subscribes to the progress, 0 to 1, null after a failure; returns the unsubscribe function. */
  readonly watch: (tell: (fraction: number | null) => void) => () => void;
  /** Stops the upload and deletes the file in the service; resolves when done. */
  readonly forget: () => Promise<void>;
}

/**
 * Uploads an annotation file (or, for a project, a dataset) after `before` has resolved. The next use retries a failed
 * upload.
 */
export function sendOnce(target: ImportTarget, file: File, before: Promise<void>): SentFile {
  const path = `/api/${target.kind}s/${target.id}/${target.kind === 'project' ? 'dataset' : 'annotations'}/`;
  const running = new AbortController();
  const watchers = new Set<(fraction: number | null) => void>();
  let fraction: number | null = 0;
  const tellAll = (next: number | null): void => {
    fraction = next;
    for (const tell of watchers) tell(next);
  };
  const onSent = (bytes: number): void => tellAll(file.size === 0 ? 1 : Math.min(1, bytes / file.size));
  async function send(): Promise<string> {
    onSent(0);
    await before;
    await uploadStep(path, 'Upload-Start', running.signal);
    // Only the desktop app knows the path; a local file needs no copy.
    const name = await uploadInPieces(path, file, file.name, running.signal, onSent, window.desktop?.pathForFile(file));
    onSent(file.size);
    return name;
  }
  let sending: Promise<string> | null = null;
  const sent = (): Promise<string> => {
    sending ??= send().catch((error: unknown) => {
      sending = null;
      tellAll(null);
      throw error;
    });
    return sending;
  };
  sent().catch(() => undefined);

  /** Repeats the upload once if another window has replaced it by its own. */
  async function use<Result>(ask: (name: string) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    for (let again = false; ; again = true) {
      try {
        return await ask(await unlessAborted(sent(), signal));
      } catch (error) {
        if (again || !(error instanceof ApiError) || error.status !== 404) throw error;
        sending = null;
      }
    }
  }

  return {
    file,
    start: ({ format, mode, options, dryRun }, signal) =>
      use(async (filename) => {
        const query = new URLSearchParams({
          format,
          filename,
          import_mode: mode,
          ...(options === undefined ? {} : { options: JSON.stringify(options) }),
          ...(dryRun === false ? {} : { dry_run: String(dryRun) }),
        });
        return rqIdOf((await uploadStep(`${path}?${query}`, 'Upload-Finish', signal)).body);
      }, signal),
    detect: (signal) =>
      use(async (name) => {
        const query = new URLSearchParams({ upload: path + name });
        return (await upload({ method: 'POST', path: `/api/limner/detect?${query}`, body: null, signal })).body;
      }, signal),
    watch(tell) {
      watchers.add(tell);
      tell(fraction);
      return () => void watchers.delete(tell);
    },
    async forget() {
      running.abort();
      await uploadStep(path, 'Upload-Start').catch(() => undefined);
    },
  };
}

/** Rejects early if the caller aborts; the operation itself continues. */
const unlessAborted = <Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      const stop = (): void => reject(new DOMException('This was cancelled.', 'AbortError'));
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
    }),
  ]);

export const uploadWorkBackup = (kind: 'task' | 'project', file: File, progress: Progress): Promise<string> => {
  const query = new URLSearchParams({ filename: file.name });
  return uploadForImport({ path: `/api/${kind}s/backup/`, field: `${kind}_file`, query }, file, progress);
};

interface ImportPlace {
  readonly path: string;
  readonly field: string;
  readonly query: URLSearchParams;
}

async function uploadForImport(
  { path, field, query }: ImportPlace,
  file: File,
  { signal, onProgress }: Progress,
): Promise<string> {
  const onSent = (bytes: number): void => onProgress?.(Math.min(bytes, file.size), file.size);
  if (file.size <= batchBytes) {
    const form = new FormData();
    form.set(field, file, file.name);
    return rqIdOf((await upload({ method: 'POST', path: `${path}?${query}`, body: form, signal, onSent })).body);
  }
  await uploadStep(`${path}?${query}`, 'Upload-Start', signal);
  // Only the desktop app knows the path; a local file needs no copy.
  const localPath = window.desktop?.pathForFile(file);
  query.set('filename', await uploadInPieces(path, file, file.name, signal, onSent, localPath));
  return rqIdOf((await uploadStep(`${path}?${query}`, 'Upload-Finish', signal)).body);
}

export const uploadPredictions = (
  taskId: number,
  file: File,
  { name, format }: { readonly name: string; readonly format: string },
  progress: Progress = {},
): Promise<string> => {
  const query = new URLSearchParams({ format, name, filename: file.name });
  return uploadForImport(
    { path: `/api/limner/tasks/${taskId}/predictions/file/`, field: 'annotation_file', query },
    file,
    progress,
  );
};
