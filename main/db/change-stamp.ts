import type { Database } from './open.ts';

export interface ChangeStamp {
  /** Rows written by this connection, including rolled-back transactions. */
  readonly own: number;
  /** Changes with every commit of another connection. */
  readonly foreign: number;
}

/** Equal stamps mean that no visible data was written in between. Costs some microseconds. */
export function createChangeStamp(database: Database) {
  const own = database.prepare('SELECT total_changes()').pluck();
  const foreign = database.prepare('PRAGMA data_version').pluck();
  const ownPart = (): ChangeStamp['own'] => Number(own.get());
  return { own: ownPart, whole: (): ChangeStamp => ({ own: ownPart(), foreign: Number(foreign.get()) }) };
}
