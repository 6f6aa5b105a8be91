import { createListeners } from '../../../canvas/emitter.ts';
import { createBacklog } from './save-backlog.ts';
import {
  SaveError,
  type Edit,
  type ClashChoice,
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
  /** Runs `task` after a while and answers how to call it off. */
  readonly later: (task: () => void, delayMs: number) => () => void;
}

/** From an edit to its request: edits of one moment go together, and the disk has them well within 300 ms. */
const beatMs = 60;
const batchSize = 500;
const firstRetryMs = 500;
const longestRetryMs = 8_000;

const failureOf = (error: unknown): SaveFailure =>
  error instanceof SaveError ? error.failure : { kind: 'server', message: String(error), stopped: false };

/**
 * Sends every edit to the service in the order it was made, one request at a time. An object that changes again before
 * its turn is sent once, as it is then. A request that got no answer goes again with the same key, so that the service
 * does nothing twice. What was refused is set aside, told, and kept; everything unanswered is in the journal.
 */
export function createSaveQueue({ transport, journal, newKey, later }: SaveQueueOptions) {
  const backlog = createBacklog({ newKey, batchSize });
  const listeners = createListeners<[status: SaveStatus]>();
  const waiters: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  let sending = false;
  let failures = 0;
  let failure: SaveFailure | null = null;
  let cancelTimer: (() => void) | null = null;
  let closed = false;
  let seen: string | null = null;
  /** A creation whose answer is out, or was lost: the service may have it already. */
  let uncertain: SaveBatch | null = null;

  const status = (): SaveStatus => {
    const unsaved = backlog.count();
    const clashes = backlog.clashes();
    const held = backlog.refusedCount();
    const state = failure !== null || held > 0 ? 'failed' : unsaved > 0 ? 'saving' : 'saved';
    return { state, unsaved, refused: held - clashes.length, clashes, failure };
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

  /** Not while a request is under way: its end looks after what came meanwhile. */
  const schedule = (delayMs: number): void => {
    cancelTimer?.();
    cancelTimer = closed || sending ? null : later(() => void sendNext(), delayMs);
  };

  const send = async (batch: SaveBatch): Promise<void> => {
    uncertain = batch.action === 'create' ? batch : null;
    try {
      backlog.accept(await transport.send(batch));
      uncertain = null;
      failure = null;
      failures = 0;
    } catch (error) {
      // What the service has now may not come either: that is a failure like others.
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
    /** Which service object stands for a local one; told for everything that was loaded. */
    know: (localId: string, serverId: number) => void backlog.serverIds.set(localId, serverId),
    serverIdOf: (localId: string) => backlog.serverIds.get(localId),
    /** Takes edits in the order in which they were made. */
    push(edits: readonly Edit[]) {
      for (const edit of edits) backlog.add(seen === null ? edit : { ...edit, seen });
      changed();
      if (cancelTimer === null && failure === null && backlog.waiting()) schedule(beatMs);
    },
    /** Takes over what an earlier session could not send. */
    adopt(left: UnsavedEdits) {
      backlog.adopt(left);
      changed();
      sendSoon();
    },
    /** The edits that have not been answered yet, newest state of each object. */
    unsaved: backlog.newest,
    /** Everything that others did up to this version of the job is known here: edits are made on it from now on. */
    saw(version: string) {
      seen = version;
    },
    /** Of an object that was changed here and elsewhere; see `status().clashes`. False: nothing waits for it any more. */
    choose(localId: string, choice: ClashChoice, copyId: string): boolean {
      const isChosen = backlog.choose(localId, choice, copyId);
      changed();
      sendSoon();
      return isChosen;
    },
    /** Edits of objects that the service may have already, under names that are not known here yet. */
    uncertain: (): readonly Edit[] => uncertain?.edits ?? [],
    /** Sends at once instead of at the next beat, and again what was refused. */
    retry() {
      backlog.readmit();
      sendSoon();
    },
    /** Fulfils when nothing is left to send; rejects with the failure when sending has stopped. */
    whenSaved: () =>
      new Promise<void>((resolve, reject) => {
        waiters.push({ resolve, reject });
        settleWaiters();
        if (waiters.length > 0) sendSoon();
      }),
    status,
    subscribe: listeners.subscribe,
    close() {
      closed = true;
      cancelTimer?.();
      listeners.clear();
    },
  };
}

export type SaveQueue = ReturnType<typeof createSaveQueue>;
