import { afterChoice, isConflict, judged, onBasisOf } from './conflict.ts';
import {
  type ConflictChoice,
  type Edit,
  type SaveAction,
  type SaveBatch,
  type SavedIds,
  type SaveFailure,
  type UnsavedEdits,
} from './save-types.ts';

interface BacklogOptions {
  readonly newKey: () => string;
  /** Maximum number of objects per request. */
  readonly batchSize: number;
}

export function createBacklog({ newKey, batchSize }: BacklogOptions) {
  const serverIds = new Map<string, number>();
  /** In the order of the first change; later changes of an object keep its position. */
  let pending = new Map<string, Edit>();
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

  const formBatch = (): void => {
    const { action, edits, passed } = longestRun(pending.values(), actionOf, batchSize);
    for (const { localId } of passed) pending.delete(localId);
    if (action !== null) batches = [batchOf(newKey(), action, edits.map(withServerId))];
  };

  /** An invalid object must not block the others: halves the batch until the object is alone, then sets it aside. */
  const quarantine = (batch: SaveBatch, why: SaveFailure): void => {
    if (batch.edits.length > 1) {
      const middle = Math.ceil(batch.edits.length / 2);
      const halves = [batch.edits.slice(0, middle), batch.edits.slice(middle)];
      batches.unshift(...halves.map((edits) => batchOf(newKey(), batch.action, edits)));
      return;
    }
    for (const edit of batch.edits) {
      const newer = pending.get(edit.localId);
      if (newer === undefined) refused.set(edit.localId, { ...edit, reason: why.message });
      // The service refused the state before the newer edit, so that edit starts from the last stored one.
      else pending.set(edit.localId, onBasisOf(newer, edit));
    }
  };

  return {
    serverIds,
    add(given: Edit) {
      const earlier = pending.get(given.localId) ?? refused.get(given.localId);
      const edit = earlier === undefined ? given : onBasisOf(given, earlier);
      if (isConflict(edit)) {
        refused.set(edit.localId, edit);
        return;
      }
      refused.delete(edit.localId);
      const wasThere = serverIds.has(edit.localId) || onItsWay(edit.localId);
      if (edit.deleted && !wasThere) pending.delete(edit.localId);
      else pending.set(edit.localId, edit);
    },
    adopt(left: UnsavedEdits) {
      const all = [...left.batches.flatMap((batch) => batch.edits), ...left.refused, ...left.pending];
      for (const edit of all) if (edit.serverId !== undefined) serverIds.set(edit.localId, edit.serverId);
      batches.push(...left.batches);
      for (const edit of left.refused) {
        if (isConflict(edit)) refused.set(edit.localId, edit);
        else pending.set(edit.localId, withoutReason(edit));
      }
      for (const edit of left.pending) pending.set(edit.localId, edit);
    },
    /** The next request: one that is already built, or a new one. */
    next(): SaveBatch | undefined {
      if (batches.length === 0) formBatch();
      return batches[0];
    },
    /** Handles the success of the request from `next`. */
    accept(answer: SavedIds) {
      const batch = batches.shift();
      const at = { shapes: 0, tags: 0, tracks: 0 };
      for (const edit of batch?.edits ?? []) {
        if (batch?.action === 'delete') serverIds.delete(edit.localId);
        const id = batch?.action === 'create' ? answer[edit.collection][at[edit.collection]++] : undefined;
        if (id !== undefined) serverIds.set(edit.localId, id);
      }
    },
    /** Handles the final rejection of the request from `next`. */
    refuse(why: SaveFailure) {
      for (const batch of batches.splice(0, 1)) quarantine(batch, why);
    },
    /**
     * Handles remote changes of objects that `next` wanted to change. Edits of untouched objects are sent again; for
     * the others, the newest edit becomes a conflict.
     * @param now state in the service by local id
     * @param seen version of that state
     */
    reconsider(now: ReadonlyMap<string, Edit['body']>, seen: string) {
      const again = new Map<string, Edit>();
      for (const edit of batches.shift()?.edits ?? []) {
        const { localId } = edit;
        const newest = pending.get(localId);
        pending.delete(localId);
        const verdict = judged(newest === undefined ? edit : onBasisOf(newest, edit), now.get(localId), seen);
        if (verdict.kind === 'again') again.set(localId, verdict.edit);
        else if (verdict.kind === 'clash') refused.set(localId, verdict.edit);
        else if (!now.has(localId)) serverIds.delete(localId);
      }
      pending = new Map([...again, ...pending]);
    },
    conflicts: () => [...refused.values()].filter(isConflict),
    /**
     * Resolves a conflict.
     * @param copyId id of the local version if both are kept
     * @returns false if the object has no conflict
     */
    choose(localId: string, choice: ConflictChoice, copyId: string): boolean {
      const conflict = refused.get(localId);
      if (conflict === undefined || !isConflict(conflict)) return false;
      refused.delete(localId);
      if (conflict.theirs === null) serverIds.delete(localId);
      const left = afterChoice(conflict, choice, copyId);
      if (left !== null) pending.set(left.localId, left);
      return true;
    },
    readmit() {
      for (const edit of refused.values()) {
        if (isConflict(edit)) continue;
        refused.delete(edit.localId);
        pending.set(edit.localId, withoutReason(edit));
      }
    },
    waiting: () => batches.length > 0 || pending.size > 0,
    count: () => pending.size + refused.size + batches.reduce((sum, batch) => sum + batch.edits.length, 0),
    refusedCount: () => refused.size,
    contents: () => ({
      batches,
      pending: [...pending.values()].map(withServerId),
      refused: [...refused.values()].map(withServerId),
    }),
    newest(): Edit[] {
      const edits = [...batches.flatMap((batch) => batch.edits), ...refused.values(), ...pending.values()];
      return [...new Map(edits.map((edit) => [edit.localId, withServerId(edit)])).values()];
    },
  };
}

/**
 * The longest run of waiting edits with the same action and the same known version, which becomes one request.
 * @returns all consumed edits, including those without anything to send
 */
function longestRun(waiting: Iterable<Edit>, actionOf: (edit: Edit) => SaveAction | null, most: number) {
  let action: SaveAction | null = null;
  const edits: Edit[] = [];
  const passed: Edit[] = [];
  for (const edit of waiting) {
    const its = actionOf(edit);
    const fits = edits.length < most && its === action && edit.seen === edits[0]?.seen;
    if (its !== null && action !== null && !fits) break;
    passed.push(edit);
    if (its === null) continue;
    action = its;
    edits.push(edit);
  }
  return { action, edits, passed };
}

const batchOf = (key: string, action: SaveAction, edits: readonly Edit[]): SaveBatch => {
  const seen = edits[0]?.seen;
  return { key, action, edits, ...(seen === undefined ? {} : { seen }) };
};

const withoutReason = ({ reason: _reason, ...edit }: Edit): Edit => edit;
