import { create } from 'zustand';
import type { z } from 'zod';
import { text, useText } from '../../../i18n/index.ts';
import { Button, Group, Modal, QuietButton, ScrollArea, Stack, Table, Text } from '../../../ui/kit.ts';
import type { FoundFile } from '../../../shared/files/found-files.ts';
import { sendImages } from '../../../shared/files/sent-images.ts';
import { notify } from '../../../ui/notify.ts';
import { Problem } from '../../../ui/page.tsx';
import { RunningView } from '../../../shared/dataset/run-dialog.tsx';
import { formatBytes } from '../../../shared/format-text.ts';
import { acceptDamaged } from '../../../../preload/contract/media-names.ts';
import { messageOf } from '../../../api/api-error.ts';
import { wasCancelled, call } from '../../../api/client.ts';
import type { dataRequestSchema, taskWriteSchema } from '../../../../preload/contract/schema/resources.ts';
import { cancelRequest, waitForRequest } from '../../../api/requests.ts';
import { prepareLocalPaths, uploadTaskData, type NamedFile } from '../../../api/uploads.ts';

const Running = ({ step }: { readonly step: CreationStep }) => {
  const t = useText();
  const cancel = useCreation((store) => store.cancel);
  if (step.kind === 'preparing')
    return <RunningView text={t('newTask.preparing')} progress={step.progress} onCancel={cancel} />;
  const { sentBytes: sent, totalBytes: total } = step;
  return (
    <RunningView
      text={t('newTask.uploading', { sent: formatBytes(sent), total: formatBytes(total) })}
      name={t('newTask.preparing')}
      progress={sent / Math.max(1, total)}
      onCancel={cancel}
    />
  );
};

interface SkippedListProps {
  readonly files: readonly SkippedFile[];
  readonly count: number;
}

const SkippedList = ({ files, count }: SkippedListProps) => {
  const t = useText();
  return (
    <Stack gap="sm">
      <Text fz="sm">{t('newTask.skippedText', { count })}</Text>
      <ScrollArea.Autosize mah={320}>
        <Table fz="sm" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('newTask.file')}</Table.Th>
              <Table.Th>{t('newTask.reason')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {files.map((item, index) => (
              <Table.Tr key={`${index} ${item.file}`}>
                <Table.Td>{item.file}</Table.Td>
                <Table.Td>{item.reason}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      {count > files.length && <Text fz="sm">{t('report.moreInvalid', { count: count - files.length })}</Text>}
    </Stack>
  );
};

export function CreationDialog() {
  const t = useText();
  const state = useCreation((store) => store.state);
  const dismiss = useCreation((store) => store.dismiss);
  if (state.phase === 'idle') return null;
  const running = state.phase === 'running';
  const close = state.phase === 'damaged' ? () => state.decide(false) : dismiss;
  const title = {
    damaged: t('newTask.damaged'),
    running: t(state.phase === 'running' && !state.isNew ? 'newTask.filling' : 'newTask.creating', {
      name: state.name,
    }),
    failed: t(state.phase === 'failed' && !state.isNew ? 'newTask.fillFailed' : 'newTask.failed'),
    done: t('newTask.skippedTitle'),
  };
  return (
    <Modal
      opened
      onClose={running ? () => undefined : close}
      withCloseButton={!running}
      closeOnEscape={!running}
      title={title[state.phase]}
      size={running ? 'md' : 'lg'}
    >
      {running && <Running step={state.step} />}
      {state.phase === 'failed' && (
        <Stack gap="sm">
          <Problem title={state.name} message={`${state.message} ${t('newTask.failedKept')}`} />
          <Group justify="flex-end">
            <Button onClick={dismiss}>{t('common.close')}</Button>
          </Group>
        </Stack>
      )}
      {state.phase === 'damaged' && (
        <Stack gap="sm">
          <Problem title={state.name} message={state.message} />
          <Group justify="flex-end" gap="sm">
            <QuietButton onClick={close}>{t('common.cancel')}</QuietButton>
            <Button onClick={() => state.decide(true)}>{t('newTask.takeDamaged')}</Button>
          </Group>
        </Stack>
      )}
      {state.phase === 'done' && (
        <Stack gap="md">
          <SkippedList files={state.created.skipped} count={state.created.skippedCount} />
          <Group justify="flex-end">
            <Button onClick={dismiss}>{t('common.close')}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

type CreationState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'running'; readonly name: string; readonly step: CreationStep; readonly isNew: boolean }
  | { readonly phase: 'failed'; readonly name: string; readonly message: string; readonly isNew: boolean }
  /** Some files are truncated or damaged; `decide` accepts or rejects their readable part. */
  | {
      readonly phase: 'damaged';
      readonly name: string;
      readonly message: string;
      readonly isNew: boolean;
      readonly decide: (take: boolean) => void;
    }
  | { readonly phase: 'done'; readonly name: string; readonly created: CreatedTask };

interface CreationStore {
  readonly state: CreationState;
  /** Last upload of this window per task, for a retry. */
  readonly brought: ReadonlyMap<number, Omit<NewTask, 'task'>>;
  start(task: NewTask): Promise<CreatedTask | null>;
  fill(task: { readonly id: number; readonly name: string }, what: Omit<NewTask, 'task'>): Promise<CreatedTask | null>;
  cancel(): void;
  dismiss(): void;
}

export const useCreation = create<CreationStore>((set, get) => {
  let abort: AbortController | null = null;
  const run = async (
    of: { readonly name: string; readonly isNew: boolean },
    what: Omit<NewTask, 'task'>,
    work: (what: Omit<NewTask, 'task'>, options: Parameters<typeof createTask>[1]) => Promise<CreatedTask>,
  ): Promise<CreatedTask | null> => {
    if (get().state.phase === 'running' || get().state.phase === 'damaged') return null;
    abort = new AbortController();
    const show = (state: CreationState): void => set({ state });
    const onStep = (step: CreationStep): void => show({ phase: 'running', ...of, step });
    onStep({ kind: 'uploading', sentBytes: 0, totalBytes: 0 });
    try {
      const created = await work(what, { signal: abort.signal, onStep });
      show(created.skippedCount > 0 ? { phase: 'done', name: of.name, created } : { phase: 'idle' });
      return created;
    } catch (error) {
      const message = messageOf(error);
      if (!wasCancelled(error) && message.includes(acceptDamaged) && what.data.accept_damaged !== true) {
        const takes = await new Promise<boolean>((decide) => show({ phase: 'damaged', ...of, message, decide }));
        show({ phase: 'idle' });
        return takes ? run(of, { ...what, data: { ...what.data, accept_damaged: true } }, work) : null;
      }
      show(wasCancelled(error) ? { phase: 'idle' } : { phase: 'failed', ...of, message });
      return null;
    }
  };
  return {
    state: { phase: 'idle' },
    brought: new Map(),
    start: ({ task, ...rest }) =>
      run({ name: task.name, isNew: true }, rest, (what, options) => createTask({ task, ...what }, options)),
    fill({ id, name }, rest) {
      set({ brought: new Map(get().brought).set(id, rest) });
      return run({ name, isNew: false }, rest, (what, options) => fillTask(id, what, options));
    },
    cancel: () => abort?.abort(),
    dismiss: () => set({ state: { phase: 'idle' } }),
  };
});

export interface NewTask {
  readonly task: z.input<typeof taskWriteSchema>;
  readonly data: z.input<typeof dataRequestSchema>;
  readonly media: NewMedia;
}

/** Files to upload; or local paths, or objects of a bucket, that are used in place. */
export type NewMedia =
  | { readonly files: readonly NamedFile[] }
  /** Opens the task by the names of its images, and sends these afterwards. */
  | { readonly byNames: readonly FoundFile[] }
  | { readonly paths: readonly string[]; readonly cloudStorageId?: number; readonly pattern?: string };

const inBucket = ({ cloudStorageId, pattern }: Extract<NewMedia, { readonly paths: unknown }>) =>
  cloudStorageId === undefined
    ? {}
    : { cloud_storage_id: cloudStorageId, ...(pattern === undefined ? {} : { filename_pattern: pattern }) };

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
async function fillTask(
  taskId: number,
  { data, media }: Omit<NewTask, 'task'>,
  { signal, onStep }: CreationOptions,
): Promise<CreatedTask> {
  let requestId: string | null = null;
  try {
    if ('byNames' in media) return await openByNames(taskId, media.byNames, data, signal);
    const onProgress = (sentBytes: number, totalBytes: number): void =>
      onStep({ kind: 'uploading', sentBytes, totalBytes });
    requestId =
      'paths' in media
        ? await prepareLocalPaths(taskId, media.paths, { ...data, ...inBucket(media), open_early: true }, signal)
        : await uploadTaskData(taskId, media.files, data, { signal, onProgress });
    onStep({ kind: 'preparing', progress: null });
    if ('paths' in media) {
      const jobId = await openedEarly(taskId, requestId, signal);
      if (jobId !== null) {
        void tellSkipped(requestId);
        return { taskId, jobId, ...nothingSkipped };
      }
    }
    const { message } = await waitForRequest(requestId, {
      signal,
      onProgress: (request) => onStep({ kind: 'preparing', progress: request.progress }),
    });
    const skipped = message === '' ? nothingSkipped : await skippedFiles(requestId);
    return { taskId, jobId: await firstJob(taskId), ...skipped };
  } catch (error) {
    if (requestId !== null) await cancelRequest(requestId).catch(() => undefined);
    throw error;
  }
}

async function openByNames(
  taskId: number,
  files: readonly FoundFile[],
  { image_quality }: NewTask['data'],
  signal: AbortSignal,
): Promise<CreatedTask> {
  const names = files.map(({ path }) => path);
  const body = { names, ...(image_quality === undefined ? {} : { image_quality: Number(image_quality) }) };
  const opened = await call('openTaskByNames', { params: { id: taskId }, body, signal });
  void sendImages(taskId, files).catch((error: unknown) => notify.failure(text('sending.stopped'), messageOf(error)));
  void tellSkipped(opened.rq_id);
  return { taskId, jobId: opened.job_id, ...nothingSkipped };
}

const firstJob = async (taskId: number): Promise<number | null> => {
  const jobs = await call('listJobs', { query: { task_id: String(taskId), sort: 'id', page_size: '1' } });
  return jobs.results[0]?.id ?? null;
};

const listedPollMs = 25;

/** The first job of a folder that opens before its images are read; null if the request ends without one. */
async function openedEarly(taskId: number, requestId: string, signal: AbortSignal): Promise<number | null> {
  for (let waitMs = listedPollMs; ; waitMs = Math.min(100, waitMs * 1.3)) {
    signal.throwIfAborted();
    const [jobId, { status }] = await Promise.all([
      firstJob(taskId),
      call('getRequest', { params: { id: requestId } }),
    ]);
    if (status === 'finished' || status === 'failed') return null;
    if (jobId !== null) return jobId;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** Reports files that are not images after the task has opened. */
async function tellSkipped(requestId: string): Promise<void> {
  try {
    const { message } = await waitForRequest(requestId);
    if (message !== '') notify.hint('skipped', message);
  } catch (error) {
    notify.failure(text('newTask.readingFailed'), messageOf(error));
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
