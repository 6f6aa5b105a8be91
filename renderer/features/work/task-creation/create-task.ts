import type { z } from 'zod';
import type { dataRequestSchema, taskWriteSchema } from '../../../../preload/contract/schema/resources.ts';
import { call } from '../../../api/client.ts';
import { cancelRequest, waitForRequest } from '../../../api/requests.ts';
import { prepareLocalPaths, uploadTaskData, type NamedFile } from '../../../api/uploads.ts';

export interface NewTask {
  readonly task: z.input<typeof taskWriteSchema>;
  readonly data: z.input<typeof dataRequestSchema>;
  readonly media: NewMedia;
}

/** Files to upload, or local paths that are used in place. */
export type NewMedia = { readonly files: readonly NamedFile[] } | { readonly paths: readonly string[] };

export interface SkippedFile {
  readonly file: string;
  readonly reason: string;
}

export interface CreatedTask {
  readonly taskId: number;
  readonly jobId: number | null;
  readonly skipped: readonly SkippedFile[];
  readonly skippedCount: number;
}

export type CreationStep =
  | { readonly kind: 'uploading'; readonly sentBytes: number; readonly totalBytes: number }
  /** `progress` 0 to 1; null if unknown. */
  | { readonly kind: 'preparing'; readonly progress: number | null };

interface CreationOptions {
  readonly signal: AbortSignal;
  readonly onStep: (step: CreationStep) => void;
}

/**
 * Creates a task, uploads its files, waits until its images are ready, and returns the address to open. On cancellation
 * or failure the unfinished task is deleted.
 */
export async function createTask({ task, data, media }: NewTask, options: CreationOptions): Promise<CreatedTask> {
  const created = await call('createTask', { body: task, signal: options.signal });
  try {
    return await fillTask(created.id, { data, media }, options);
  } catch (error) {
    await call('deleteTask', { params: { id: created.id } }).catch(() => undefined);
    throw error;
  }
}

/** The same for an existing task without images. On cancellation or failure the task stays unchanged. */
export async function fillTask(
  taskId: number,
  { data, media }: Omit<NewTask, 'task'>,
  { signal, onStep }: CreationOptions,
): Promise<CreatedTask> {
  let requestId: string | null = null;
  try {
    const onProgress = (sentBytes: number, totalBytes: number): void =>
      onStep({ kind: 'uploading', sentBytes, totalBytes });
    requestId =
      'paths' in media
        ? await prepareLocalPaths(taskId, media.paths, data, signal)
        : await uploadTaskData(taskId, media.files, data, { signal, onProgress });
    onStep({ kind: 'preparing', progress: null });
    const { message } = await waitForRequest(requestId, {
      signal,
      onProgress: (request) => onStep({ kind: 'preparing', progress: request.progress }),
    });
    const skipped = message === '' ? nothingSkipped : await skippedFiles(requestId);
    const jobs = await call('listJobs', { query: { task_id: String(taskId), sort: 'id', page_size: '1' } });
    return { taskId, jobId: jobs.results[0]?.id ?? null, ...skipped };
  } catch (error) {
    if (requestId !== null) await cancelRequest(requestId).catch(() => undefined);
    throw error;
  }
}

const nothingSkipped = { skipped: [], skippedCount: 0 };

const skippedFiles = async (requestId: string): Promise<Pick<CreatedTask, 'skipped' | 'skippedCount'>> => {
  try {
    const report = await call('getRequestReport', { params: { id: requestId } });
    return { skipped: report.invalid.map(({ file, reason }) => ({ file, reason })), skippedCount: report.invalidCount };
  } catch {
    return nothingSkipped;
  }
};
