import type { Edit, SaveAction, SaveBatch, SavedIds, SaveFailure, UnsavedEdits } from './save-types.ts';

interface BacklogOptions {
  readonly newKey: () => string;
  /** Objects in one request at most. */
  readonly batchSize: number;
}

/** What has no answer yet: edits that wait, requests that were formed, and objects that were refused. */
export function createBacklog({ newKey, batchSize }: BacklogOptions) {
  const serverIds = new Map<string, number>();
  /** In the order of their first change; a later change of the same object keeps its place. */
  const pending = new Map<string, Edit>();
  const refused = new Map<string, Edit>();
  let batches: SaveBatch[] = [];

  const withServerId = (edit: Edit): Edit => {
    const serverId = serverIds.get(edit.localId);
    return serverId === undefined ? edit : { ...edit, serverId };
  };
  const onItsWay = (localId: string): boolean =>
    batches.some((batch) => batch.edits.some((edit) => edit.localId === localId));

  const actionOf = (edit: Edit): SaveAction | null => {
    const known = serverIds.has(edit.localId);
    if (edit.deleted) return known ? 'delete' : null;
    return known ? 'update' : 'create';
  };

  /** The longest run of waiting edits with the same action becomes one request. */
  const formBatch = (): void => {
    let action: SaveAction | null = null;
    const edits: Edit[] = [];
    for (const edit of pending.values()) {
      const its = actionOf(edit);
      if (its !== null && ((action !== null && its !== action) || edits.length >= batchSize)) break;
      pending.delete(edit.localId);
      if (its === null) continue;
      action = its;
      edits.push(withServerId(edit));
    }
    if (action !== null) batches = [{ key: newKey(), action, edits }];
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

  return {
    serverIds,
    add(edit: Edit) {
      refused.delete(edit.localId);
      const neverThere = edit.deleted && !serverIds.has(edit.localId) && !onItsWay(edit.localId);
      if (neverThere) pending.delete(edit.localId);
      else pending.set(edit.localId, edit);
    },
    adopt(left: UnsavedEdits) {
      const all = [...left.batches.flatMap((batch) => batch.edits), ...left.refused, ...left.pending];
      for (const edit of all) if (edit.serverId !== undefined) serverIds.set(edit.localId, edit.serverId);
      batches.push(...left.batches);
      for (const edit of [...left.refused, ...left.pending]) pending.set(edit.localId, withoutReason(edit));
    },
    /** The request to send now: one that was formed already, or a new one. */
    next(): SaveBatch | undefined {
      if (batches.length === 0) formBatch();
      return batches[0];
    },
    /** The service did what `next` asked for. */
    accept(answer: SavedIds) {
      const batch = batches.shift();
      const at = { shapes: 0, tags: 0, tracks: 0 };
      for (const edit of batch?.edits ?? []) {
        if (batch?.action === 'delete') serverIds.delete(edit.localId);
        const id = batch?.action === 'create' ? answer[edit.collection][at[edit.collection]++] : undefined;
        if (id !== undefined) serverIds.set(edit.localId, id);
      }
    },
    /** The service will never do what `next` asked for. */
    refuse(why: SaveFailure) {
      const batch = batches.shift();
      if (batch !== undefined) setAside(batch, why);
    },
    /** Refused objects wait for another attempt. */
    readmit() {
      for (const edit of refused.values()) pending.set(edit.localId, withoutReason(edit));
      refused.clear();
    },
    waiting: () => batches.length > 0 || pending.size > 0,
    count: () => pending.size + refused.size + batches.reduce((sum, batch) => sum + batch.edits.length, 0),
    refusedCount: () => refused.size,
    contents: () => ({
      batches,
      pending: [...pending.values()].map(withServerId),
      refused: [...refused.values()].map(withServerId),
    }),
    /** The newest state of each object. */
    newest(): Edit[] {
      const edits = [...batches.flatMap((batch) => batch.edits), ...refused.values(), ...pending.values()];
      return [...new Map(edits.map((edit) => [edit.localId, edit])).values()];
    },
  };
}

const withoutReason = ({ reason: _reason, ...edit }: Edit): Edit => edit;
