import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { startInstance, type InstanceOptions } from '../../../main/cli/instance.ts';
import { Store } from '../../../main/db/store.ts';
import { storeFile } from '../../../main/db/store/store-files.ts';
import { createSilentLogger } from '../../../main/platform/log.ts';
import { dataDirectoryPaths } from '../../../main/platform/paths.ts';
import { programEntry, projectRoot } from '../../support/node-executable.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const optionsOf = (dataDirectory: string): InstanceOptions => ({
  application: {
    root: projectRoot,
    version: '0.0.0',
    workerUrl: pathToFileURL(programEntry('worker')),
    pages: { renderer: join(dataDirectory, 'no-renderer'), help: join(dataDirectory, 'no-help') },
  },
  dataDirectory,
  port: 0,
  dashboardPort: 0,
  password: null,
  log: createSilentLogger(),
});

/** Requests the address as soon as the instance gives it. */
function openedEarly() {
  const answers: Promise<Response>[] = [];
  const openEarly = (launchUrl: string) => {
    answers.push(fetch(launchUrl, { redirect: 'manual' }));
    return Promise.resolve(true);
  };
  return { answers, openEarly };
}

test('signs in the user of an address that was opened before the service was loaded', async () => {
  const { answers, openEarly } = openedEarly();
  const instance = await startInstance({ ...optionsOf(temporaryFolder()), openEarly });
  try {
    expect(answers).toHaveLength(1);
    const cookies = (await answers[0]!).headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    const self = await fetch(`${instance.url}/api/users/self`, { headers: { cookie: cookies.join('; ') } });
    expect(await self.json()).toMatchObject({ username: 'admin' });
  } finally {
    await instance.stop();
  }
});

test('tells a browser that was opened early why the service does not start', async () => {
  const dataDirectory = temporaryFolder();
  await (await startInstance(optionsOf(dataDirectory))).stop();
  const store = new Store(storeFile(dataDirectoryPaths(dataDirectory)));
  store.pragma('user_version = 9999');
  store.close();
  const { answers, openEarly } = openedEarly();
  await expect(startInstance({ ...optionsOf(dataDirectory), openEarly })).rejects.toThrow('newer Limner');
  expect(answers).toHaveLength(1);
  const answer = await answers[0]!;
  expect(answer.status).toBe(503);
  expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'self'");
  expect(await answer.text()).toMatch(/^Cannot start Limner\. This data directory was written by a newer Limner/);
});
