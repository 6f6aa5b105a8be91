import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Request } from '../../../preload/contract/schema/resources.ts';
import type { Actor } from '../../../main/users/access/actor.ts';
import { createServices, type ServicesDependencies } from '../../../main/composition/services.ts';
import { openNewStore } from '../../support/new-store.ts';
import type { StatementCounter } from '../../../main/db/store.ts';
import { createClock } from '../../../main/platform/clock.ts';
import { createSilentLogger } from '../../../main/platform/log.ts';
import { sharedWorkers } from '../../support/shared-workers.ts';

export type CoreHarness = ReturnType<typeof createCoreHarness>;

/** The services over a real store in a separate folder, with two users. */
export function createCoreHarness({
  counter,
  ...options
}: Pick<ServicesDependencies, 'functions'> & { readonly counter?: StatementCounter } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'limner-core-'));
  mkdirSync(join(folder, 'db'));
  const databaseFile = join(folder, 'db', 'limner.sqlite');
  const clock = createClock();
  let isPolling = false;
  const ownWork: StatementCounter = { count: (...numbers) => void (isPolling || counter?.count(...numbers)) };
  const database = openNewStore(databaseFile, { counter: counter && ownWork });
  const insertUser = database.query(
    `INSERT INTO user (username, password_hash, group_name, date_joined) VALUES (?, '!', ?, ?)`,
  );
  const user = (username: string, group: Actor['group']): Actor => ({
    userId: Number(insertUser.run(username, group, clock()).lastInsertRowid),
    username,
    group,
    organization: { kind: 'all' },
    readOnly: false,
    baseUrl: 'http://127.0.0.1:8080',
  });
  const core = createServices({
    database,
    databaseFile,
    dataDirectory: folder,
    workers: sharedWorkers,
    clock,
    log: createSilentLogger(),
    shareDirectory: () => null,
    ...options,
  });
  const admin = user('admin', 'admin');
  const annotator = user('annotator', 'user');

  return {
    folder,
    database,
    databaseFile,
    core,
    admin,
    annotator,
    /** Polls, which the counter leaves out: on a slow computer there are more polls. */
    async ended(rqId: string): Promise<Request> {
      for (;;) {
        isPolling = true;
        const request = core.requests.get(admin, rqId);
        isPolling = false;
        if (request.status === 'finished' || request.status === 'failed') return request;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async dispose(): Promise<void> {
      await core.stop();
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A harness for all tests of a file or a `describe`. */
export function useCoreHarness(...given: Parameters<typeof createCoreHarness>): CoreHarness {
  const harness = createCoreHarness(...given);
  afterAll(() => harness.dispose());
  return harness;
}
