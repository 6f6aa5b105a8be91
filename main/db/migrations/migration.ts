import type { Store } from '../store.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly up: (database: Store) => void;
}
