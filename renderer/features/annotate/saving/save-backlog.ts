import { afterChoice, isClash, judged, onBasisOf } from './clash.ts';
import {
  type ClashChoice,
  type Edit,
  type SaveAction,
  type SaveBatch,
  type SavedIds,
  type SaveFailure,
  type UnsavedEdits,
} from './save-types.ts';

interface BacklogOptions {
  readonly newKey: () => string;
  /** Objects in one request at most. */
  readonly batchSize: number;
}

/** What has no answer yet: edits that wait, requests that were formed, and objects that were refused. */
export function createBacklog({ newKey, batchSize }: BacklogOptions) {
  const serverIds = new Map<string, number>();
  /** In the order of their first change; a later change of the same object keeps its place. */
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

  const batchOf = (action: SaveAction, edits: readonly Edit[]): SaveBatch => {
    const seen = edits[0]?.seen;
    return { key: newKey(), action, edits, ...(seen === undefined ? {} : { seen }) };
  };

  const formBatch = (): void => {
    const { action, edits, passed } = longestRun(pending.values(), actionOf, batchSize);
    for (const { localId } of passed) pending.delete(localId);
    if (action !== null) batches = [batchOf(action, edits.map(withServerId))];
  };

  /** One bad object must not hold up the others: halve until it stands alone, then set it aside. */
  const setAside = (batch: SaveBatch, why: SaveFailure): void => {
    if (batch.edits.length > 1) {
      const middle = Math.ceil(batch.edits.length / 2);
      const halves = [batch.edits.slice(0, middle), batch.edits.slice(middle)];
      batches.unshift(...halves.map((edits) => batchOf(batch.action, edits)));
      return;
    }
    for (const edit of batch.edits) {
      if (!pending.has(edit.localId)) refused.set(edit.localId, { ...edit, reason: why.message });
    }
  };

  return {
    serverIds,
    add(given: Edit) {
      const earlier = pending.get(given.localId) ?? refused.get(given.localId);
      const edit = earlier === undefined ? given : onBasisOf(given, earlier);
      if (isClash(edit)) {
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
        if (isClash(edit)) refused.set(edit.localId, edit);
        else pending.set(edit.localId, withoutReason(edit));
      }
      for (const edit of left.pending) pending.set(edit.localId, edit);
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
      for (const batch of batches.splice(0, 1)) setAside(batch, why);
    },
    /**
     * Somebody else changed objects that `next` wanted to change. Those that they did not touch go again; of the others
     * the newest edit waits for a choice.
     * @param now what the service has of them, by local id
     * @param seen the version that it is from
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
    clashes: () => [...refused.values()].filter(isClash),
    /**
     * What holds of an object that was changed here and elsewhere.
     * @param copyId what mine is called from now on, if both hold
     * @returns false: nothing waits for this choice
     */
    choose(localId: string, choice: ClashChoice, copyId: string): boolean {
      const clash = refused.get(localId);
      if (clash === undefined || !isClash(clash)) return false;
      refused.delete(localId);
      if (clash.theirs === null) serverIds.delete(localId);
      const left = afterChoice(clash, choice, copyId);
      if (left !== null) pending.set(left.localId, left);
      return true;
    },
    /** Refused objects wait for another attempt. */
    readmit() {
      for (const edit of refused.values()) {
        if (isClash(edit)) continue;
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
    /** The newest state of each object. */
    newest(): Edit[] {
      const edits = [...batches.flatMap((batch) => batch.edits), ...refused.values(), ...pending.values()];
      return [...new Map(edits.map((edit) => [edit.localId, withServerId(edit)])).values()];
    },
  };
}

/**
 * The longest run of waiting edits with the same action, made with the same knowledge: they become one request.
 * @returns with all that it went past, also those that there is nothing to send of
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

const withoutReason = ({ reason: _reason, ...edit }: Edit): Edit => edit;
