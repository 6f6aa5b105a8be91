import { pathToFileURL } from 'node:url';
import { createWorkerPool } from '../../main/platform/worker-pool.ts';
import { programEntry } from './node-executable.ts';

/** The worker threads of all services that a process of tests starts: each loads its modules once, not with every file. */
export const sharedWorkers = createWorkerPool(pathToFileURL(programEntry('worker')));
