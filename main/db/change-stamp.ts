import type { Database } from './open.ts';

export interface ChangeStamp {
  /** Rows that this connection has ever written, in transactions that were rolled back too. */
  readonly own: number;
  /** Another number after every commit of another connection. */
  readonly foreign: number;
}

/** Two equal stamps: nothing that this connection can see was written in between. Costs some microseconds. */
export function createChangeStamp(database: Database) {
  const own = database.prepare('SELECT total_changes()').pluck();
  const foreign = database.prepare('PRAGMA data_version').pluck();
  const ownPart = (): ChangeStamp['own'] => Number(own.get());
  return { own: ownPart, whole: (): ChangeStamp => ({ own: ownPart(), foreign: Number(foreign.get()) }) };
}
