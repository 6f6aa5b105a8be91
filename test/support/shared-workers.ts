// Adds the tasks' types to the pool.
// oxlint-disable-next-line import/no-empty-named-blocks -- declares the tasks of the pool, imports no value
import type {} from '../../main/worker.ts';
import { pathToFileURL } from 'node:url';
import { createWorkerPool } from '../../main/platform/worker-pool.ts';
import { programEntry } from './node-executable.ts';

/** Worker threads shared by all services of a test process, so that each loads its modules only once. */
export const sharedWorkers = createWorkerPool(pathToFileURL(programEntry('worker')));
