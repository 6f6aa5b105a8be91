import { createListeners } from '../../../../canvas/emitter.ts';
import { createBacklog } from './save-backlog.ts';
import {
  SaveError,
  type Edit,
  type ConflictChoice,
  type SaveBatch,
  type SaveFailure,
  type SaveJournal,
  type SaveStatus,
  type SaveTransport,
  type UnsavedEdits,
} from './save-types.ts';

interface SaveQueueOptions {
  readonly transport: SaveTransport;
  readonly journal: SaveJournal;
  readonly newKey: () => string;
  /** Runs `task` after a delay and returns a cancel function. */
  readonly later: (task: () => void, delayMs: number) => () => void;
}

/**
 * Debounce interval from an edit to its request, milliseconds: simultaneous edits form one request, and all are on disk
 * within 300 ms.
 */
const beatMs = 60;
const batchSize = 500;
const firstRetryMs = 500;
const longestRetryMs = 8_000;

const failureOf = (error: unknown): SaveFailure =>
  error instanceof SaveError ? error.failure : { kind: 'server', message: String(error), stopped: false };

/**
 * Sends every edit to the service in order, one request at a time. An object that changes again before its turn is sent
 * once, in its latest state. An unanswered request is repeated with the same key, so that the service executes it once.
 * Rejected edits are set aside and reported; all unanswered edits are in the journal.
 */
export function createSaveQueue({ transport, journal, newKey, later }: SaveQueueOptions) {
  const backlog = createBacklog({ newKey, batchSize });
  const listeners = createListeners<[status: SaveStatus]>();
  const saved = createListeners<[edits: readonly Edit[]]>();
  const waiters: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  let sending = false;
  let failures = 0;
  let failure: SaveFailure | null = null;
  let cancelTimer: (() => void) | null = null;
  let closed = false;
  let seen: string | null = null;
  /** A creation without an answer, which the service may have executed. */
  let uncertain: SaveBatch | null = null;

  const status = (): SaveStatus => {
    const unsaved = backlog.count();
    const conflicts = backlog.conflicts();
    const held = backlog.refusedCount();
    const state = failure !== null || held > 0 ? 'failed' : unsaved > 0 ? 'saving' : 'saved';
    return { state, unsaved, refused: held - conflicts.length, conflicts, failure };
  };

  const settleWaiters = (): void => {
    if (backlog.waiting() && failure?.stopped !== true) return;
    const saved = status().state === 'saved';
    for (const waiter of waiters.splice(0)) {
      if (saved) waiter.resolve();
      else waiter.reject(new SaveError(failure ?? { kind: 'refused', message: '', stopped: true }));
    }
  };

  const changed = (): void => {
    journal.write(backlog.contents());
    listeners.tell(status());
    settleWaiters();
  };

  /** Not during a request, because its end checks for new edits. */
  const schedule = (delayMs: number): void => {
    cancelTimer?.();
    cancelTimer = closed || sending ? null : later(() => void sendNext(), delayMs);
  };

  const send = async (batch: SaveBatch): Promise<void> => {
    uncertain = batch.action === 'create' ? batch : null;
    try {
      backlog.accept(await transport.send(batch));
      saved.tell(batch.edits);
      uncertain = null;
      failure = null;
      failures = 0;
    } catch (error) {
      // Reading the service's state may fail too; that failure is handled like others.
      await failed(batch, failureOf(error)).catch((again: unknown) => failed(batch, failureOf(again)));
    }
  };
  const failed = async (batch: SaveBatch, why: SaveFailure): Promise<void> => {
    const isAnswer = why.kind === 'refused' || why.kind === 'stale';
    failure = isAnswer ? null : why;
    failures += isAnswer ? 0 : 1;
    if (why.kind !== 'unreachable') uncertain = null;
    if (why.kind === 'refused') backlog.refuse(why);
    if (why.kind === 'stale') backlog.reconsider(await transport.readNow(batch.edits), why.version ?? '');
  };

  const sendNext = async (): Promise<void> => {
    cancelTimer?.();
    cancelTimer = null;
    if (closed) return;
    const batch = backlog.next();
    if (batch === undefined) return changed();
    sending = true;
    changed();
    await send(batch);
    sending = false;
    changed();
    if (failure === null && backlog.waiting()) schedule(0);
    else if (failure?.stopped === false) schedule(Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1)));
  };

  const sendSoon = (): void => {
    if (backlog.waiting()) schedule(0);
  };

  return {
    /** Registers the server id of a local id, for every loaded object. */
    know: (localId: string, serverId: number) => void backlog.serverIds.set(localId, serverId),
    serverIdOf: (localId: string) => backlog.serverIds.get(localId),
    push(edits: readonly Edit[]) {
      for (const edit of edits) backlog.add(seen === null ? edit : { ...edit, seen });
      changed();
      if (cancelTimer === null && failure === null && backlog.waiting()) schedule(beatMs);
    },
    adopt(left: UnsavedEdits) {
      backlog.adopt(left);
      changed();
      sendSoon();
    },
    /** Unanswered edits, latest state of each object. */
    unsaved: backlog.newest,
    /** Marks the version of the job up to which all remote changes are known; new edits are based on it. */
    saw(version: string) {
      seen = version;
    },
    /** Resolves a conflict of `status().clashes`; false if it no longer exists. */
    choose(localId: string, choice: ConflictChoice, copyId: string): boolean {
      const isChosen = backlog.choose(localId, choice, copyId);
      changed();
      sendSoon();
      return isChosen;
    },
    /** Edits of objects that the service may already have under unknown ids. */
    uncertain: (): readonly Edit[] => uncertain?.edits ?? [],
    /** Sends at once without the debounce interval, including rejected edits. */
    retry() {
      backlog.readmit();
      sendSoon();
    },
    /** Resolves when everything is saved; rejects with the failure when sending has stopped. */
    whenSaved: () =>
      new Promise<void>((resolve, reject) => {
        waiters.push({ resolve, reject });
        settleWaiters();
        if (waiters.length > 0) sendSoon();
      }),
    status,
    subscribe: listeners.subscribe,
    /** Tells the edits of each successful request, also those of objects that have changed again since. */
    onSaved: saved.subscribe,
    close() {
      closed = true;
      cancelTimer?.();
      listeners.clear();
      saved.clear();
    },
  };
}

export type SaveQueue = ReturnType<typeof createSaveQueue>;
