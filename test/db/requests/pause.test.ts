import { expect, test } from 'vitest';
import { temporaryStore } from '../../support/new-store.ts';
import { createClock } from '../../../main/platform/clock.ts';
import { createSilentLogger } from '../../../main/platform/log.ts';
import { createRequestQueue, type RequestRunner } from '../../../main/background-requests/request-queue.ts';
import { createRequestRepository } from '../../../main/background-requests/request-repository.ts';
import { createRequestUploads } from '../../../main/background-requests/request-uploads.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const request = {
  type: 'export:events',
  target: 'events',
  subresource: '',
  owner_id: null,
  organization_id: null,
  project_id: null,
  task_id: null,
  job_id: null,
  format: null,
  parameters: '{}',
  created_date: createClock()(),
  origin: '',
} as const;

test('a request that waits for an external user blocks only requests of its kind on its task', async () => {
  const folder = temporaryFolder();
  const database = temporaryStore();
  database.exec("INSERT INTO task (id, name, segment_size, created_date, updated_date) VALUES (7, 'yard', 0, '', '')");
  const begun: string[] = [];
  const log = createSilentLogger();
  const queue = createRequestQueue({
    requests: createRequestRepository(database),
    uploads: createRequestUploads(folder, log),
    clock: createClock(),
    log,
  });
  const runner: RequestRunner = ({ id }, { signal }) => {
    begun.push(id);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  };
  queue.register('export:events', runner, ({ id }) => !id.startsWith('elsewhere'));
  for (const id of ['elsewhere', 'elsewhere, too', 'here', 'here, too']) {
    queue.enqueue({ ...request, id, task_id: 7 });
  }
  expect(begun).toEqual(['elsewhere', 'here']);
  await queue.stop();
});

test('a pause requeues running requests, starts nothing, and starts everything again at its end', async () => {
  const folder = temporaryFolder();
  const database = temporaryStore();
  const requests = createRequestRepository(database);
  const begun: string[] = [];
  let mayEnd = false;
  const log = createSilentLogger();
  const queue = createRequestQueue({
    requests,
    uploads: createRequestUploads(folder, log),
    clock: createClock(),
    log,
  });
  queue.register('export:events', ({ id }, { signal }) => {
    begun.push(id);
    if (mayEnd) return Promise.resolve({});
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  });
  const put = (id: string) => queue.enqueue({ ...request, id });
  put('one');
  put('two');
  put('three');
  expect(begun).toEqual(['one', 'two']);
  expect(await queue.pause()).toBe(2);
  put('four');
  expect(begun).toEqual(['one', 'two']);
  const statuses = () => ['one', 'two', 'three', 'four'].map((id) => requests.get(id)?.status);
  expect(statuses()).toEqual(['queued', 'queued', 'queued', 'queued']);
  mayEnd = true;
  queue.resume();
  await expect.poll(statuses).toEqual(['finished', 'finished', 'finished', 'finished']);
  await queue.stop();
});
