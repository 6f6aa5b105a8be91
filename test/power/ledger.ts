import type Database from 'better-sqlite3';
import type { UploadStore } from '../../main/http/uploads/upload-store.ts';
import type { Remains } from './disk-model.ts';

export interface AfterCut {
  readonly remains: Remains;
  readonly store: Database.Database;
  readonly uploads: UploadStore;
  readonly folder: string;
}

/** Problems, one sentence each; empty when the promise holds. */
export type Check = (state: AfterCut) => readonly string[] | Promise<readonly string[]>;

interface Promised {
  readonly what: string;
  readonly check: Check;
  readonly from: number;
  until: number;
}

export type Ledger = ReturnType<typeof createLedger>;

/** Records the server's answers, and what each of them promises from that moment on. */
export function createLedger(position: () => number) {
  const promises: Promised[] = [];
  return {
    promises: promises as readonly Promised[],
    /** Call when the answer has arrived. Call `end` before a request after which the promise need not hold. */
    answered(what: string, check: Check): { end: () => void } {
      const promise: Promised = { what, check, from: position(), until: Infinity };
      promises.push(promise);
      return { end: () => (promise.until = position()) };
    },
  };
}

/** Latest position in the log at which the answer can have been sent. */
export function madeAt(promise: { readonly from: number }, sent: readonly number[]): number {
  let [low, high] = [0, sent.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sent[middle] ?? 0) <= promise.from) low = middle + 1;
    else high = middle;
  }
  return sent[low - 1] ?? promise.from;
}
