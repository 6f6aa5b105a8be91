import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelFunction } from '../../preload/contract/schema/functions.ts';
import { breachesInBothThemes } from '../e2e/support/accessibility.ts';
import { openWorkbench, type Workbench } from '../e2e/support/workbench.ts';
import { signIn } from '../support/client.ts';
import { functionYaml, obedientHandler, until } from '../support/functions/docker-harness.ts';
import { cutSsh, startRemoteEngine } from '../support/functions/remote-engine.ts';

let remote: Awaited<ReturnType<typeof startRemoteEngine>>;
let workbench: Workbench;
beforeAll(async () => {
  remote = await startRemoteEngine();
  remote.docker('context', 'create', 'gpu-box', '--docker', `host=${remote.address}`);
  workbench = await openWorkbench({ width: 1280, height: 800 }, remote.env);
});
afterAll(async () => {
  await workbench?.close();
  await remote?.dispose();
});

const engine = (name: string) => workbench.page.getByTestId('engine').filter({ hasText: name });

test('Engines are shown with their GPUs, functions, latency and the reason if they cannot be reached', async () => {
  const client = await signIn(workbench.server);
  const json = {
    configuration: functionYaml({ name: 'detector-xl', spec: '  resources:\n    limits:\n      nvidia.com/gpu: 1' }),
    files: [{ path: 'main.js', content: btoa(obedientHandler) }],
    base_image: 'limner/base-node:latest',
    engine: 'gpu-box',
    gpu_memory_mib: 21_000,
  };
  await client.good('POST', '/api/models/functions', { json });
  const model = await until(async () => {
    const now = await client.good<ModelFunction>('GET', '/api/models/functions/detector-xl');
    return now.state === 'building' ? null : now;
  });
  expect(model).toMatchObject({ state: 'ready', message: '' });
  const address = { url: 'http://127.0.0.1:9', configuration: functionYaml({ name: 'elsewhere' }) };
  await client.good('POST', '/api/models/endpoints', { json: address });

  const { page } = workbench;
  await page.getByRole('link', { name: 'Models' }).click();
  await page.getByRole('button', { name: 'Engines' }).click();
  const there = engine('gpu-box');
  await there.getByText('SSH', { exact: true }).waitFor();
  await there.getByText(/20\.5 GiB of 48 GiB/).waitFor();
  await there.getByText(/^[\d.]+ ms$/).waitFor();
  await there.getByRole('link', { name: 'detector-xl' }).waitFor();
  await there.getByText('Containers have no network.').waitFor();
  await engine('default').getByText('Not found', { exact: true }).first().waitFor();
  await page
    .getByTestId('source')
    .getByText(/Nothing responds at 127\.0\.0\.1:9/)
    .waitFor();
  expect(await breachesInBothThemes(page)).toEqual([]);
});

test('an Engine that is lost says why, and a test shows when it is back', async () => {
  const { page } = workbench;
  await remote.sshd.stop();
  cutSsh(workbench.server.pid);
  const there = engine('gpu-box');
  await page.getByRole('button', { name: 'Test “gpu-box”' }).click();
  await there.getByText('Cannot be reached, 1 function waits').waitFor();
  await there.getByText(/Cannot reach the Docker Engine at ssh:.*refused/).waitFor();
  await there.getByText('Unhealthy', { exact: true }).waitFor();
  expect(await breachesInBothThemes(page)).toEqual([]);
  await remote.sshd.start();
  await page.getByRole('button', { name: 'Test “gpu-box”' }).click();
  await there
    .getByText(/of 48 GiB/)
    .first()
    .waitFor();
});

test('an Engine is added by its address and removed again', async () => {
  const { page } = workbench;
  await page.getByRole('button', { name: 'Add an Engine' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('lab');
  await dialog.getByRole('textbox', { name: 'Address' }).fill('tcp://127.0.0.1:2376');
  expect(await breachesInBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText(/has no TLS certificate of this computer/).waitFor();
  await dialog.getByRole('textbox', { name: 'Address' }).fill(remote.address);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await engine('lab')
    .getByText(/Docker Engine \d+/)
    .waitFor();
  await page.getByRole('button', { name: 'More for “lab”' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await engine('lab').waitFor({ state: 'detached' });
  expect(workbench.pageErrors).toEqual([]);
});
