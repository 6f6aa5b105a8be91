import type Database from 'better-sqlite3';
import type { UploadStore } from '../../main/http/uploads/upload-store.ts';
import type { Remains } from './disk-model.ts';

/** A data directory after a power cut. */
export interface AfterCut {
  /** Every file, by its path in the data directory. */
  readonly remains: Remains;
  /** The store, as SQLite recovered it. */
  readonly store: Database.Database;
  /** The program's own view of open uploads. */
  readonly uploads: UploadStore;
  /** Where the folder that `store` and `uploads` read lies. */
  readonly folder: string;
}

/** What is wrong, one sentence for each thing; nothing when the promise holds. */
export type Check = (state: AfterCut) => readonly string[] | Promise<readonly string[]>;

interface Promised {
  readonly what: string;
  readonly check: Check;
  /** Positions in the log of the disk. */
  readonly from: number;
  until: number;
}

export type Ledger = ReturnType<typeof createLedger>;

/** What the server answered, and what must therefore be there from that moment on. */
export function createLedger(position: () => number) {
  const promises: Promised[] = [];
  return {
    promises: promises as readonly Promised[],
    /** Call when the answer has arrived. `end`: before the request is sent after which it need not hold. */
    answered(what: string, check: Check): { end: () => void } {
      const promise: Promised = { what, check, from: position(), until: Infinity };
      promises.push(promise);
      return { end: () => (promise.until = position()) };
    },
  };
}

/** Positions at which answers can have left at the latest. */
export function madeAt(promise: { readonly from: number }, sent: readonly number[]): number {
  let [low, high] = [0, sent.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sent[middle] ?? 0) <= promise.from) low = middle + 1;
    else high = middle;
  }
  return sent[low - 1] ?? promise.from;
}
