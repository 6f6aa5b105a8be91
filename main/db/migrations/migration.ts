import type { Database } from '../open.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly up: (database: Database) => void;
}
