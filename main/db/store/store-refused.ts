import { AppError } from '../../platform/errors.ts';
import type { StoreCopy } from './copies.ts';

export type StoreProblem = 'missing' | 'empty' | 'foreign' | 'damaged' | 'newer' | 'older';

/**
 * The store cannot be opened and is unchanged. The user decides: both shells offer the copies, and a new store if that
 * helps.
 */
export class StoreRefused extends AppError {
  readonly problem: StoreProblem;
  readonly dataDirectory: string;
  /** Newest first. */
  readonly copies: readonly StoreCopy[];

  constructor(
    problem: StoreProblem,
    message: string,
    place: { readonly dataDirectory: string; readonly copies: readonly StoreCopy[] },
    cause?: unknown,
  ) {
    super('conflict', message, undefined, { cause });
    this.name = 'StoreRefused';
    this.problem = problem;
    this.dataDirectory = place.dataDirectory;
    this.copies = place.copies;
  }
}
