import type { ObjectRecord, RecordChange } from './types.ts';

export const added = (after: ObjectRecord): RecordChange => ({ clientId: after.clientId, before: null, after });
export const removed = (before: ObjectRecord): RecordChange => ({ clientId: before.clientId, before, after: null });
/** Null deletes the record. */
export const changed = (before: ObjectRecord, after: ObjectRecord | null): RecordChange => ({
  clientId: before.clientId,
  before,
  after,
});
