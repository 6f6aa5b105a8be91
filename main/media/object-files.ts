import { createHash, randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';
import { AppError, type ErrorCode } from '../platform/errors.ts';
import type { MediaLocation, StoredObject } from './media-location.ts';

/** Path of an object in the cache of this computer, fetched if it is not there. */
export type FetchObject = (object: StoredObject) => Promise<string>;

interface Asked {
  readonly ask: string;
  readonly object: StoredObject;
}
interface Answered {
  readonly answer: string;
  readonly path?: string;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
}

/** Providers by data directory: a process may run several services. */
const providers = new Map<string, FetchObject>();
const channelName = (root: string): string => `limner-objects ${root}`;

/**
 * Sets the provider of a data directory's objects for all threads. Only the main thread has the credentials of buckets;
 * worker threads ask it. Returns a function that ends this.
 */
export function provideObjects(root: string, fetchObject: FetchObject): () => void {
  providers.set(root, fetchObject);
  const channel = new BroadcastChannel(channelName(root));
  channel.unref();
  const take = (event: Event): void => {
    const { ask, object } = (event as Event & { readonly data: Partial<Asked> }).data;
    if (ask === undefined || object === undefined) return;
    const send = (answer: Answered): void => channel.postMessage(answer);
    fetchObject(object).then(
      (path) => send({ answer: ask, path }),
      (error: unknown) => send({ answer: ask, error: plainError(error) }),
    );
  };
  channel.addEventListener('message', take);
  return () => {
    providers.delete(root);
    channel.close();
  };
}

const plainError = (error: unknown): NonNullable<Answered['error']> =>
  error instanceof AppError
    ? { code: error.code, message: error.message }
    : { code: 'internal', message: error instanceof Error ? error.message : String(error) };

/** Path of an object's file. @throws AppError with a sentence about the frame */
export function objectFile({ directory }: Pick<MediaLocation, 'directory'>, object: StoredObject): Promise<string> {
  // The media of a task are in `data/<id>` of the data directory.
  const root = dirname(dirname(directory));
  const provider = providers.get(root);
  if (provider) return provider(object);
  if (!isMainThread) return askMainThread(root, object);
  throw new AppError(
    'unavailable',
    `Cannot read ${object.key}: it is in a bucket, which only the running program reaches. Start Limner.`,
  );
}

function askMainThread(root: string, object: StoredObject): Promise<string> {
  const channel = new BroadcastChannel(channelName(root));
  const ask = randomUUID();
  return new Promise<string>((resolve, reject) => {
    const take = (event: Event): void => {
      const { answer, path, error } = (event as Event & { readonly data: Partial<Answered> }).data;
      if (answer !== ask) return;
      if (path !== undefined) resolve(path);
      else reject(new AppError(error?.code ?? 'internal', error?.message ?? 'There was no answer.'));
    };
    channel.addEventListener('message', take);
    channel.postMessage({ ask, object } satisfies Asked);
  }).finally(() => channel.close());
}

/** Size and, in place of the time, a number that differs for each tag. */
export function objectStamp({ sizeBytes, etag }: StoredObject): { sizeBytes: number; modifiedMs: number } {
  const digest = createHash('sha256').update(etag).digest('hex');
  return { sizeBytes, modifiedMs: Number.parseInt(digest.slice(0, 12), 16) };
}
