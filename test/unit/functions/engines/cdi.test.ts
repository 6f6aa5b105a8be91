import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { deviceRequests } from '../../../../main/functions/engines/docker/container-options.ts';
import { createEngine } from '../../../../main/functions/engines/docker/engine.ts';
import { probeGpu } from '../../../../main/functions/engines/docker/probe-gpu.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** A fake Engine of version 28 with NVIDIA's devices; Debian's is older and finds none. */
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function engineWith(info: object) {
  const made: unknown[] = [];
  const socket = join(temporaryFolder(), 'socket');
  server = createServer((request, response) => {
    const answer = (status: number, body?: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(body === undefined ? '' : JSON.stringify(body));
    };
    const place = (request.url ?? '').replace(/\?.*/, '');
    if (place === '/info') answer(200, { NCPU: 2, MemTotal: 2 ** 32, ...info });
    else if (place === '/version') answer(200, { Version: '28.3.0', Components: [{ Name: 'Engine' }] });
    else if (place === '/images/json') answer(200, [{ Id: 'an image', Size: 1 }]);
    else if (place === '/containers/create') {
      void json(request).then((body) => {
        made.push(body);
        answer(201, { Id: 'probe' });
      });
    } else answer(place === '/_ping' ? 200 : 204);
  });
  const listening = server;
  await new Promise<void>((resolve) => listening.listen(socket, resolve));
  const { docker, facts } = await createEngine({
    env: { DOCKER_HOST: `unix://${socket}` },
    platform: 'linux',
  }).connect();
  return { docker, facts, made };
}

const devices = (...names: string[]) => names.map((name) => ({ Source: 'cdi', ID: name }));
const cards = ['nvidia.com/gpu=0', 'nvidia.com/gpu=1', 'nvidia.com/gpu=GPU-a', 'nvidia.com/gpu=all'];

test('requests GPUs as devices if the Engine lists them', async () => {
  const { docker, facts, made } = await engineWith({ DiscoveredDevices: devices(...cards, 'vendor.com/net=eth0') });
  expect(facts).toMatchObject({ tellsOfGpu: true, cdiCards: cards });
  expect(await probeGpu(docker, facts)).toMatchObject({ works: true });
  expect(made).toEqual([
    expect.objectContaining({
      HostConfig: expect.objectContaining({
        DeviceRequests: [{ Driver: 'cdi', DeviceIDs: ['nvidia.com/gpu=all'] }],
      }),
    }),
  ]);
});

test('uses NVIDIA’s hook if its runtime is configured, or nothing is known of devices', async () => {
  const withRuntime = await engineWith({ Runtimes: { runc: {}, nvidia: {} }, DiscoveredDevices: devices(...cards) });
  expect(withRuntime.facts).toMatchObject({ tellsOfGpu: true, cdiCards: [] });
  server?.close();
  const older = await engineWith({ Runtimes: { runc: {} } });
  expect(older.facts).toMatchObject({ tellsOfGpu: false, cdiCards: [] });
});

test('identifies a GPU by its UUID, its slice or its index; one without a device is requested by NVIDIA’s hook', () => {
  const requested = (wanted: readonly string[] | number | null) => deviceRequests(wanted, cards);
  expect(requested(null)).toEqual([]);
  expect(requested(['GPU-a'])).toEqual([{ Driver: 'cdi', DeviceIDs: ['nvidia.com/gpu=GPU-a'] }]);
  expect(requested(['1', 'GPU-a'])).toEqual([
    { Driver: 'cdi', DeviceIDs: ['nvidia.com/gpu=1', 'nvidia.com/gpu=GPU-a'] },
  ]);
  expect(requested(2)).toEqual([{ Driver: 'cdi', DeviceIDs: ['nvidia.com/gpu=0', 'nvidia.com/gpu=1'] }]);
  const byHook = { Driver: 'nvidia', Capabilities: [['gpu']] };
  expect(requested(3)).toEqual([{ ...byHook, Count: 3 }]);
  expect(requested(['GPU-a', 'MIG-b'])).toEqual([{ ...byHook, DeviceIDs: ['GPU-a', 'MIG-b'] }]);
});
