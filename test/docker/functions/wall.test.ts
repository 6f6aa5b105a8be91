import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createLinks, linkFile } from '../../../main/functions/engines/docker/link.ts';
import { requireIsolation } from '../../../main/functions/engines/docker/isolation-check.ts';
import {
  createDockerHarness,
  functionYaml,
  nodeBase,
  obedientHandler,
  pythonBase,
  until,
} from '../../support/functions/docker-harness.ts';
import { nodeRuntime, pythonRuntime, startRuntime } from '../../support/functions/runtime-process.ts';

const pythonHandler = `
import json, os, socket
def handler(context, event):
    order = event.body
    if order.get("do") == "interfaces":
        return sorted(os.listdir("/sys/class/net"))
    try:
        socket.create_connection((order["host"], order["port"]), 2).close()
        return {"connected": True}
    except OSError as error:
        return {"connected": False, "code": str(error)}
`;

/** Every address of this computer at which a server on all interfaces can be reached. */
const addresses = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .filter(({ internal, scopeid }) => !internal && !scopeid)
  .map(({ address }) => address);

const harness = await createDockerHarness();
for (const language of ['node', 'python'] as const) {
  await harness.core.functions.service.buildBaseImage(harness.admin, { language });
}
const listener = createServer((socket) => socket.destroy());
await new Promise<void>((resolve) => listener.listen(0, resolve));
const bound = listener.address();
const port = typeof bound === 'object' && bound ? bound.port : 0;
afterAll(async () => {
  listener.close();
  await harness.dispose();
});

const languages = [
  { language: 'node', file: 'main.js', code: obedientHandler, runtime: 'nodejs', base: nodeBase },
  { language: 'python', file: 'main.py', code: pythonHandler, runtime: 'python:3', base: pythonBase },
] as const;

async function deploy(name: string, choice: (typeof languages)[number], spec = '', request: object = {}) {
  const directory = harness.folderWith({
    [choice.file]: choice.code,
    'function.yaml': functionYaml({ name, runtime: choice.runtime, spec }),
  });
  return harness.deploy({ directory, base_image: choice.base, ...request });
}
const connects = async (name: string, host: string, to: number) =>
  (await harness.call(name, { do: 'connect', host, port: to })).body as { connected: boolean };
const post = (to: number | null) =>
  fetch(`http://127.0.0.1:${to}/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ do: 'interfaces', image: '' }),
  });

describe.each(languages)('a function in $language', (choice) => {
  const name = `walled-${choice.language}`;

  test('reaches no program of this computer, no neighbour and nothing beyond', async () => {
    expect(addresses.length).toBeGreaterThan(0);
    expect(await deploy(name, choice)).toMatchObject({ state: 'ready' });
    const bridges = (await harness.docker.listNetworks()).flatMap(({ IPAM }) =>
      (IPAM?.Config ?? []).flatMap(({ Gateway }) => Gateway ?? []),
    );
    for (const host of [...addresses, ...bridges, 'host.docker.internal']) {
      expect([host, await connects(name, host, port)]).toEqual([host, expect.objectContaining({ connected: false })]);
    }
    expect(await connects(name, '8.8.8.8', 53)).toMatchObject({ connected: false });

    await deploy(`${name}-open`, choice, '  platform:\n    attributes:\n      network: limner-functions', {
      grants: ['network:limner-functions'],
    });
    const { NetworkSettings } = await (await harness.container(`${name}-open`)).inspect();
    const neighbour = NetworkSettings.Networks['limner-functions']?.IPAddress ?? '';
    expect(neighbour).toMatch(/^\d+\./);
    expect(await connects(name, neighbour, 8080)).toMatchObject({ connected: false });
    // The listener is running: a function with network access reaches it.
    const gateway = NetworkSettings.Networks['limner-functions']?.Gateway ?? '';
    expect(await connects(`${name}-open`, gateway, port)).toMatchObject({ connected: true });
  });

  test('still answers at its port, many calls in parallel', async () => {
    const { node_port: nodePort } = harness.function(name);
    const { HostConfig, NetworkSettings } = await (await harness.container(name)).inspect();
    expect(HostConfig.NetworkMode).toBe('none');
    expect(NetworkSettings.Ports).toEqual({});
    const answers = await Promise.all(Array.from({ length: 40 }, () => post(nodePort)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
    // The mounted socket folder is read-only.
    if (choice.language === 'node') {
      expect((await harness.call(name, { do: 'write', path: '/opt/limner/link/x' })).body).toMatchObject({
        written: false,
        code: 'EROFS',
      });
    }
  });
});

describe('the check from inside at deployment', () => {
  // A local process replaces a container without isolation, because this Engine has no network that permits access.
  test.each([
    ['Node.js', nodeRuntime, 'exports.handler = () => null;'],
    ['Python', pythonRuntime('python3'), 'def handler(context, event): pass'],
  ] as const)('detects that the computer is reachable: %s', async (_name, kind, code) => {
    const folder = harness.folderWith({});
    const links = createLinks(folder);
    const link = await links.open();
    const runtime = await startRuntime(kind, code, { env: { LIMNER_LINK: join(link.folder ?? '', linkFile) } }, false);
    await until(() => link.isAlive());
    await expect(requireIsolation('open', link.agent)).rejects.toThrow(
      /"open" was not deployed: its container could connect to this computer/,
    );
    await runtime.stop();
    links.closeAll();
  });
});

describe('images that Limner cannot isolate', () => {
  test('with their own server need a permission for deployment', async () => {
    const container = await harness.docker.createContainer({ Image: nodeBase, Cmd: ['node'] });
    await container.commit({
      repo: 'limner-test/serves-itself',
      tag: '1',
      changes: `CMD ["node", "-e", "require('http').createServer((q, a) => a.end('mine')).listen(8080)"]`,
    });
    await container.remove();
    const request = { configuration: functionYaml({ name: 'serves-itself' }), image: 'limner-test/serves-itself:1' };
    await expect(harness.deploy(request)).rejects.toThrow(
      /Access services of other programs.*its own server.*\[network:limner-functions\]/,
    );
    await harness.deploy({ ...request, grants: ['network:limner-functions'] });
    expect((await harness.call('serves-itself', {})).text).toBe('mine');
    await harness.docker.getImage('limner-test/serves-itself:1').remove({ force: true });
  });
});
