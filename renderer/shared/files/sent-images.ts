import { create } from 'zustand';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { call, upload, wasCancelled } from '../../api/client.ts';
import { batchBytes, batchFiles, type NamedFile } from '../../api/uploads.ts';
import { text } from '../../i18n/index.ts';

/** Images of a task that this window sends. */
export interface SendingImages {
  readonly total: number;
  readonly unsent: number;
  /** Why sending ended before all images were sent; null while it runs. */
  readonly problem: string | null;
}

interface Sender {
  /** By the names of the frames. */
  readonly files: ReadonlyMap<string, File>;
  send(frame: number): Promise<void>;
  want(frame: number): void;
}

const senders = new Map<number, Sender>();

/** State of the sending by task; a task whose images are all sent has none. */
export const useSentImages = create<{ readonly tasks: ReadonlyMap<number, SendingImages> }>(() => ({
  tasks: new Map(),
}));

function show(taskId: number, state: SendingImages | null): void {
  const tasks = new Map(useSentImages.getState().tasks);
  if (state === null) tasks.delete(taskId);
  else tasks.set(taskId, state);
  useSentImages.setState({ tasks });
  // Closing the page ends the sending.
  const isSending = [...tasks.values()].some(({ problem }) => problem === null);
  window.removeEventListener('beforeunload', askBeforeClosing);
  if (isSending) window.addEventListener('beforeunload', askBeforeClosing);
}

const askBeforeClosing = (event: BeforeUnloadEvent): void => event.preventDefault();

/** The file of a frame that this window sends or has sent. */
export const imageInWindow = (taskId: number, name: string): File | undefined => senders.get(taskId)?.files.get(name);

/** Sends the image of a frame before all others; resolves when the service has it. */
export const sendImageNow = (taskId: number, frame: number): Promise<void> =>
  senders.get(taskId)?.send(frame) ?? Promise.resolve();

/** Continues with the images around this frame. */
export const sendImagesFrom = (taskId: number, frame: number): void => senders.get(taskId)?.want(frame);

/** The browser reads the next batch while the service syncs the last one. */
const lanes = 2;
const firstRetryMs = 500;
const longestRetryMs = 10_000;

/** Sends the images of a task that were not sent. Returns how many of them are among the files. */
export async function sendImages(taskId: number, found: readonly NamedFile[]): Promise<number> {
  const files = new Map(found.map(({ path, file }) => [path, file]));
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  // The page of the job may ask for its first image before the list of the images is here.
  const early: Sender = {
    files,
    want: () => undefined,
    send: async (frame) => {
      await started;
      const sender = senders.get(taskId);
      if (sender !== early) await sender?.send(frame);
    },
  };
  if (!senders.has(taskId)) senders.set(taskId, early);
  try {
    return await startSending(taskId, files);
  } finally {
    if (senders.get(taskId) === early) senders.delete(taskId);
    start();
  }
}

async function startSending(taskId: number, files: ReadonlyMap<string, File>): Promise<number> {
  const { total, frames, names } = await call('listUnsentImages', { params: { id: taskId } });
  const left = new Map<number, NamedFile>();
  for (const [index, frame] of frames.entries()) {
    const path = names[index] ?? '';
    const file = files.get(path);
    if (file !== undefined) left.set(frame, { path, file });
  }
  if (left.size > 0) void run(taskId, { files, left, total, absent: frames.length - left.size });
  return left.size;
}

/** Small files share a request; a larger file is sent alone. */
function oneBatch(images: Iterable<readonly [number, NamedFile]>): Map<number, NamedFile> {
  const batch = new Map<number, NamedFile>();
  let bytes = 0;
  for (const [frame, image] of images) {
    bytes += image.file.size;
    if (batch.size > 0 && bytes > batchBytes) break;
    batch.set(frame, image);
    if (batch.size >= batchFiles) break;
  }
  return batch;
}

interface Work {
  readonly files: ReadonlyMap<string, File>;
  readonly left: Map<number, NamedFile>;
  readonly total: number;
  /** Unsent images without a file in this window. */
  readonly absent: number;
}

async function run(taskId: number, { files, left, total, absent }: Work): Promise<void> {
  const order = [...left.keys()];
  const ended = new AbortController();
  const sending = new Map<number, Promise<unknown>>();
  const unreadable: string[] = [];
  let running = 0;
  let next = 0;
  let problem: string | null = null;
  const tell = (): void => show(taskId, { total, unsent: left.size + running + absent + unreadable.length, problem });

  /** Sends a batch. Images that it did not send are left. */
  async function send(batch: ReadonlyMap<number, NamedFile>): Promise<void> {
    running += batch.size;
    try {
      const form = new FormData();
      for (const [frame, { file }] of batch) form.append(`images[${frame}]`, file, file.name);
      const path = `/api/limner/tasks/${taskId}/unsent-images/files`;
      const answer = upload({ method: 'POST', path, body: form, signal: ended.signal });
      for (const frame of batch.keys()) {
        left.delete(frame);
        sending.set(frame, answer);
      }
      await answer;
    } catch (error) {
      for (const [frame, image] of batch) left.set(frame, image);
      throw error;
    } finally {
      running -= batch.size;
      for (const frame of batch.keys()) sending.delete(frame);
      tell();
    }
  }

  /** A file that was changed or removed fails like a lost connection. */
  async function dropUnreadable(batch: ReadonlyMap<number, NamedFile>): Promise<void> {
    for (const [frame, { file, path }] of batch) {
      const isReadable = await file
        .slice(0, 1)
        .arrayBuffer()
        .then(
          () => true,
          () => false,
        );
      if (isReadable || !left.delete(frame)) continue;
      unreadable.push(path);
    }
  }
  async function sendUntilDone(batch: ReadonlyMap<number, NamedFile>): Promise<void> {
    for (let waitMs = firstRetryMs; ; waitMs = Math.min(longestRetryMs, waitMs * 2)) {
      const rest = new Map([...batch].filter(([frame]) => left.has(frame)));
      if (rest.size === 0) return;
      try {
        return await send(rest);
      } catch (error) {
        if (!(error instanceof ApiError) || error.kind !== 'unreachable') throw error;
        await dropUnreadable(rest);
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  }

  /** From the wanted frame to the end, then from the start. */
  function* inOrder(): Generator<readonly [number, NamedFile]> {
    while (next < order.length - 1 && !left.has(order[next] ?? 0)) next += 1;
    for (let step = 0; step < order.length; step += 1) {
      const frame = order[(next + step) % order.length] ?? 0;
      const image = left.get(frame);
      if (image !== undefined) yield [frame, image];
    }
  }

  async function lane(): Promise<void> {
    while (!ended.signal.aborted) {
      const batch = oneBatch(inOrder());
      if (batch.size === 0) return;
      await sendUntilDone(batch);
    }
  }

  senders.set(taskId, {
    files,
    want(frame) {
      const place = order.findIndex((one) => one >= frame);
      next = Math.max(0, place);
    },
    async send(frame) {
      await sending.get(frame);
      const image = left.get(frame);
      if (image !== undefined) await sendUntilDone(new Map([[frame, image]]));
    },
  });
  tell();
  try {
    await Promise.all(Array.from({ length: lanes }, lane));
    if (unreadable.length > 0) problem = text('sending.unreadable', { name: unreadable[0] ?? '' });
  } catch (error) {
    ended.abort();
    problem = wasCancelled(error) ? null : messageOf(error);
    // The task was deleted.
    if (error instanceof ApiError && error.kind === 'not-found') return show(taskId, null);
  }
  // From here on the service has all images, which a user may replace there.
  if (problem === null) senders.delete(taskId);
  if (problem === null) show(taskId, null);
  else tell();
}
