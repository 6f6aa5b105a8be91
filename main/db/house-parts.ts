import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/log.ts';
import type { WorkerPool } from '../platform/worker-pool.ts';
import type { Database } from './open.ts';

/** What every room may ask for, under the names that it has everywhere. */
export interface HouseParts {
  readonly database: Database;
  readonly databaseFile: string;
  /** Its root: media lie in its `data`. */
  readonly dataDirectory: string;
  readonly workers: WorkerPool;
  readonly clock: Clock;
  readonly log: Logger;
}
