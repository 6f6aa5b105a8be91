import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/log.ts';
import type { WorkerPool } from '../platform/worker-pool.ts';
import type { Store } from './store.ts';

/** Dependencies available to every module, under the same names everywhere. */
export interface BaseDependencies {
  readonly database: Store;
  readonly databaseFile: string;
  /** Root of the data directory: media are in its `data`. */
  readonly dataDirectory: string;
  readonly workers: WorkerPool;
  readonly clock: Clock;
  readonly log: Logger;
}
