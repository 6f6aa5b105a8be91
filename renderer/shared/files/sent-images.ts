import type { z } from 'zod';
import { create } from 'zustand';
import type { unsentImagesSchema } from '../../../preload/contract/schema/resources.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { call, upload, wasCancelled } from '../../api/client.ts';
import { batchBytes, batchFiles } from '../../api/uploads.ts';
import { text } from '../../i18n/index.ts';
import { type FoundFile, openFound } from './found-files.ts';

/** Images of a task that this window sends. */
export interface SendingImages {
  readonly total: number;
  readonly unsent: number;
  /** Why sending ended before all images were sent; null while it runs. */
  readonly problem: string | null;
}

interface Sender {
  /** By the names of the frames. */
  readonly files: ReadonlyMap<string, FoundFile>;
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
export function imageInWindow(taskId: number, name: string): Promise<File> | undefined {
  const found = senders.get(taskId)?.files.get(name);
  return found && openFound(found);
}

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
export async function sendImages(taskId: number, found: readonly FoundFile[]): Promise<number> {
  const files = new Map(found.map((one) => [one.path, one]));
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

async function startSending(taskId: number, files: ReadonlyMap<string, FoundFile>): Promise<number> {
  const left = new Map<number, FoundFile>();
  let [total, unsent] = [0, 0];
  // In parts, so that other requests, which show the first image, are answered in between.
  for (let from: number | null = 0; from !== null;) {
    const part: z.infer<typeof unsentImagesSchema> = await call('listUnsentImages', {
      params: { id: taskId },
      query: { from },
    });
    for (const [index, frame] of part.frames.entries()) {
      const found = files.get(part.names[index] ?? '');
      if (found !== undefined) left.set(frame, found);
    }
    total = part.total;
    unsent += part.frames.length;
    from = part.next;
  }
  const count = left.size;
  if (count > 0) void run(taskId, { files, left, total, absent: unsent - count });
  return count;
}

type Image = readonly [frame: number, found: FoundFile];

interface Work {
  readonly files: ReadonlyMap<string, FoundFile>;
  readonly left: Map<number, FoundFile>;
  readonly total: number;
  /** Unsent images without a file in this window. */
  readonly absent: number;
}

/** Files that are opened together: fewer wait for each other, more are opened in vain before large files. */
const openedAtOnce = 25;

function isReadable(found: FoundFile): Promise<boolean> {
  const reading = openFound(found).then((file) => file.slice(0, 1).arrayBuffer());
  return reading.then(
    () => true,
    () => false,
  );
}

async function run(taskId: number, { files, left, total, absent }: Work): Promise<void> {
  const order = [...left.keys()];
  const ended = new AbortController();
  /** Frames that are not left, because a request takes them. */
  const sending = new Map<number, Promise<void>>();
  const unreadable: string[] = [];
  let next = 0;
  let problem: string | null = null;
  const tell = (): void =>
    show(taskId, { total, unsent: left.size + sending.size + absent + unreadable.length, problem });

  const drop = ([frame, { path }]: Image): void => {
    sending.delete(frame);
    unreadable.push(path);
  };
  const putBack = ([frame, found]: Image): void => {
    sending.delete(frame);
    left.set(frame, found);
  };

  /** From the wanted frame to the end, then from the start. */
  function* inOrder(): Generator<Image> {
    while (left.size > 0 && !left.has(order[next] ?? 0)) next = (next + 1) % order.length;
    for (let step = 0; step < order.length; step += 1) {
      const frame = order[(next + step) % order.length] ?? 0;
      const found = left.get(frame);
      if (found !== undefined) yield [frame, found];
    }
  }

  /** Opens some of these images, as many as a request takes. Returns no image only if there are none. */
  async function openSome(images: () => Generator<Image>, whenSent: Promise<void>): Promise<Map<Image, File>> {
    const batch = new Map<Image, File>();
    for (let bytes = 0; batch.size < batchFiles && bytes < batchBytes;) {
      const some: Image[] = [];
      for (const image of images()) {
        some.push(image);
        left.delete(image[0]);
        sending.set(image[0], whenSent);
        if (some.length >= openedAtOnce) break;
      }
      if (some.length === 0) break;
      const opened = await Promise.all(some.map(([, found]) => openFound(found).catch(() => null)));
      for (const [index, image] of some.entries()) {
        const file = opened[index] ?? null;
        bytes += file?.size ?? 0;
        if (file === null) drop(image);
        // A larger file is sent alone.
        else if (bytes <= batchBytes || batch.size === 0) batch.set(image, file);
        else putBack(image);
      }
    }
    return batch;
  }

  async function post(batch: ReadonlyMap<Image, File>): Promise<void> {
    const form = new FormData();
    for (const [[frame], file] of batch) form.append(`images[${frame}]`, file, file.name);
    const path = `/api/limner/tasks/${taskId}/unsent-images/files`;
    await upload({ method: 'POST', path, body: form, signal: ended.signal });
  }

  /** Sends some of these images. Returns false if there are none. */
  async function sendSome(images: () => Generator<Image>): Promise<boolean> {
    const { promise: whenSent, resolve } = Promise.withResolvers<void>();
    const batch = await openSome(images, whenSent);
    try {
      if (batch.size > 0) await post(batch);
      for (const [frame] of batch.keys()) sending.delete(frame);
      return batch.size > 0;
    } catch (error) {
      // A file that was changed or removed fails like a lost connection.
      for (const image of batch.keys()) {
        if (await isReadable(image[1])) putBack(image);
        else drop(image);
      }
      throw error;
    } finally {
      resolve();
      tell();
    }
  }

  /** Sends until none of these images is left. */
  async function sendAll(images: () => Generator<Image>): Promise<void> {
    for (let waitMs = firstRetryMs; !ended.signal.aborted;) {
      try {
        if (!(await sendSome(images))) return;
        waitMs = firstRetryMs;
      } catch (error) {
        if (!(error instanceof ApiError) || error.kind !== 'unreachable') throw error;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        waitMs = Math.min(longestRetryMs, waitMs * 2);
      }
    }
  }

  senders.set(taskId, {
    files,
    want(frame) {
      const place = order.findIndex((one) => one >= frame);
      next = Math.max(0, place);
    },
    async send(frame) {
      const one = function* (): Generator<Image> {
        const found = left.get(frame);
        if (found !== undefined) yield [frame, found];
      };
      while (!ended.signal.aborted && (left.has(frame) || sending.has(frame))) {
        await sending.get(frame);
        await sendAll(one);
      }
    },
  });
  tell();
  try {
    await Promise.all(Array.from({ length: lanes }, () => sendAll(inOrder)));
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
