import type { Store } from './store.ts';

export interface ChangeStamp {
  /** Rows written by this connection, including rolled-back transactions. */
  readonly own: number;
  /** Changes with every commit of another connection. */
  readonly foreign: number;
}

/** Equal stamps mean that no visible data was written in between. Costs some microseconds. */
export function createChangeStamp(database: Store) {
  const own = database.query('SELECT total_changes()').pluck();
  const foreign = database.query('PRAGMA data_version').pluck();
  const ownPart = (): ChangeStamp['own'] => Number(own.get());
  return { own: ownPart, whole: (): ChangeStamp => ({ own: ownPart(), foreign: Number(foreign.get()) }) };
}
