import type { SaveAction, SaveFailure, SaveJournal, SaveTransport, UnsavedEdits } from './save-types.ts';
import { SaveError, type Edit, type SaveBatch, type SavedIds, type SaveStatus } from './save-types.ts';

export interface SaveQueueOptions {
  readonly transport: SaveTransport;
  readonly journal: SaveJournal;
  readonly newKey: () => string;
  /** Runs `task` after a while and answers how to call it off. */
  readonly later: (task: () => void, delayMs: number) => () => void;
  /** Told of ids that the service gave or took back (null: the object is no longer there). */
  readonly onServerId?: (localId: string, serverId: number | null) => void;
}

export interface SaveQueue {
  /** Which service object stands for a local one; told for everything that was loaded. */
  know(localId: string, serverId: number): void;
  serverIdOf(localId: string): number | undefined;
  /** Takes edits in the order in which they were made. */
  push(edits: readonly Edit[]): void;
  /** Takes over what an earlier session could not send. */
  adopt(edits: UnsavedEdits): void;
  /** The edits that have not been answered yet, newest state of each object. */
  unsaved(): readonly Edit[];
  /** Sends at once instead of at the next beat, and again what was refused. */
  retry(): void;
  /** Fulfils when nothing is left to send; rejects with the failure when sending has stopped. */
  whenSaved(): Promise<void>;
  status(): SaveStatus;
  subscribe(listener: (status: SaveStatus) => void): () => void;
  close(): void;
}

/** From an edit to its request: edits of one moment go together, and the disk has them well within 300 ms. */
const beatMs = 60;
const batchSize = 500;
const firstRetryMs = 500;
const longestRetryMs = 8_000;

/**
 * Sends every edit to the service in the order it was made, one request at a time. An object that changes again before
 * its turn is sent once, as it is then. A request that got no answer goes again with the same key, so that the service
 * does nothing twice. What was refused is set aside, told, and kept; everything unanswered is in the journal.
 */
export function createSaveQueue(options: SaveQueueOptions): SaveQueue {
  const { transport, journal, newKey, later } = options;
  const serverIds = new Map<string, number>();
  /** In the order of their first change; a later change of the same object keeps its place. */
  const pending = new Map<string, Edit>();
  const refused = new Map<string, Edit>();
  /** Formed batches; the first is on its way or waits for its next attempt. */
  let batches: SaveBatch[] = [];
  let sending = false;
  let failures = 0;
  let failure: SaveFailure | null = null;
  let cancelTimer: (() => void) | null = null;
  let closed = false;
  let waiters: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  const listeners = new Set<(status: SaveStatus) => void>();

  const inBatches = (localId: string): Edit | undefined =>
    batches.flatMap((batch) => batch.edits).find((edit) => edit.localId === localId);

  const status = (): SaveStatus => {
    const unsaved = pending.size + refused.size + batches.reduce((sum, batch) => sum + batch.edits.length, 0);
    const state = failure !== null || refused.size > 0 ? 'failed' : unsaved > 0 ? 'saving' : 'saved';
    return { state, unsaved, refused: refused.size, failure };
  };

  const settleWaiters = (): void => {
    const now = status();
    const working = (batches.length > 0 || pending.size > 0) && now.failure?.stopped !== true;
    if (working) return;
    const settled = waiters;
    waiters = [];
    for (const waiter of settled) {
      if (now.state === 'saved') waiter.resolve();
      else waiter.reject(new SaveError(now.failure ?? { kind: 'refused', message: '', stopped: true }));
    }
  };

  const withServerId = (edit: Edit): Edit => {
    const serverId = serverIds.get(edit.localId);
    return serverId === undefined ? edit : { ...edit, serverId };
  };

  const changed = (): void => {
    const waiting = [...pending.values()].map(withServerId);
    journal.write({ batches, pending: waiting, refused: [...refused.values()].map(withServerId) });
    const now = status();
    for (const listener of listeners) listener(now);
    settleWaiters();
  };

  const actionOf = (edit: Edit): SaveAction | null => {
    const known = serverIds.has(edit.localId);
    if (edit.deleted) return known ? 'delete' : null;
    return known ? 'update' : 'create';
  };

  /** The longest run of pending edits with the same action becomes one request. */
  const formBatch = (): SaveBatch | null => {
    let action: SaveAction | null = null;
    const edits: Edit[] = [];
    for (const edit of pending.values()) {
      const its = actionOf(edit);
      if (its !== null && action !== null && its !== action) break;
      if (its !== null && edits.length >= batchSize) break;
      pending.delete(edit.localId);
      if (its === null) continue;
      action = its;
      edits.push(withServerId(edit));
    }
    return action === null ? null : { key: newKey(), action, edits };
  };

  const accept = (batch: SaveBatch, answer: SavedIds): void => {
    const next = { shapes: 0, tags: 0 };
    for (const edit of batch.edits) {
      if (batch.action === 'delete') {
        serverIds.delete(edit.localId);
        options.onServerId?.(edit.localId, null);
      } else if (batch.action === 'create') {
        const id = answer[edit.collection][next[edit.collection]++];
        if (id === undefined) continue;
        serverIds.set(edit.localId, id);
        options.onServerId?.(edit.localId, id);
      }
    }
  };

  /** One bad object must not hold up the others: halve until it stands alone, then set it aside. */
  const setAside = (batch: SaveBatch, why: SaveFailure): void => {
    if (batch.edits.length > 1) {
      const middle = Math.ceil(batch.edits.length / 2);
      const halves = [batch.edits.slice(0, middle), batch.edits.slice(middle)];
      batches.unshift(...halves.map((edits) => ({ key: newKey(), action: batch.action, edits })));
      return;
    }
    for (const edit of batch.edits) {
      if (!pending.has(edit.localId)) refused.set(edit.localId, { ...edit, reason: why.message });
    }
  };

  const schedule = (delayMs: number): void => {
    cancelTimer?.();
    cancelTimer = closed ? null : later(() => void sendNext(), delayMs);
  };

  const sendNext = async (): Promise<void> => {
    cancelTimer?.();
    cancelTimer = null;
    if (sending || closed) return;
    if (batches.length === 0) {
      const formed = formBatch();
      if (formed !== null) batches = [formed];
    }
    const batch = batches[0];
    if (batch === undefined) return changed();
    sending = true;
    changed();
    try {
      const answer = await transport.send(batch);
      batches = batches.slice(1);
      accept(batch, answer);
      failure = null;
      failures = 0;
    } catch (error) {
      const why: SaveFailure =
        error instanceof SaveError ? error.failure : { kind: 'server', message: String(error), stopped: false };
      if (why.kind === 'refused') {
        batches = batches.slice(1);
        setAside(batch, why);
        failure = null;
      } else {
        failure = why;
        failures += 1;
      }
    }
    sending = false;
    changed();
    if (failure === null) {
      if (batches.length > 0 || pending.size > 0) schedule(0);
    } else if (!failure.stopped) {
      schedule(Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1)));
    }
  };

  const add = (edit: Edit): void => {
    refused.delete(edit.localId);
    const onItsWay = inBatches(edit.localId) !== undefined;
    if (edit.deleted && !serverIds.has(edit.localId) && !onItsWay) pending.delete(edit.localId);
    else pending.set(edit.localId, edit);
  };

  return {
    know: (localId, serverId) => void serverIds.set(localId, serverId),
    serverIdOf: (localId) => serverIds.get(localId),
    push(edits) {
      for (const edit of edits) add(edit);
      changed();
      if (!sending && cancelTimer === null && failure === null && pending.size > 0) schedule(beatMs);
    },
    adopt(left) {
      for (const edit of [...left.batches.flatMap((batch) => batch.edits), ...left.refused, ...left.pending]) {
        if (edit.serverId !== undefined) serverIds.set(edit.localId, edit.serverId);
      }
      batches.push(...left.batches);
      for (const { reason: _, ...edit } of left.refused) pending.set(edit.localId, edit);
      for (const edit of left.pending) pending.set(edit.localId, edit);
      changed();
      if (!sending && status().unsaved > 0) schedule(0);
    },
    unsaved() {
      const newest = new Map<string, Edit>();
      for (const edit of batches.flatMap((batch) => batch.edits)) newest.set(edit.localId, edit);
      for (const edit of refused.values()) newest.set(edit.localId, edit);
      for (const edit of pending.values()) newest.set(edit.localId, edit);
      return [...newest.values()];
    },
    retry() {
      for (const { reason: _, ...edit } of refused.values()) pending.set(edit.localId, edit);
      refused.clear();
      if (!sending && status().unsaved > 0) schedule(0);
    },
    whenSaved: () =>
      new Promise((resolve, reject) => {
        waiters.push({ resolve, reject });
        settleWaiters();
        if (waiters.length > 0 && !sending) schedule(0);
      }),
    status,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      closed = true;
      cancelTimer?.();
      listeners.clear();
    },
  };
}
