import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelEngine, ModelFunction } from '../../../preload/contract/schema/functions.ts';
import { signIn, type TestClient } from '../../support/client.ts';
import { functionYaml, obedientHandler, until } from '../../support/functions/docker-harness.ts';
import { makeCertificates, startRemoteEngine } from '../../support/functions/remote-engine.ts';
import { startServer, type RunningServer } from '../../support/server.ts';

const certificates = mkdtempSync(join(tmpdir(), 'limner-engine-tls-'));
const pem = (file: string) => readFileSync(join(certificates, file), 'utf8');
let remote: Awaited<ReturnType<typeof startRemoteEngine>>;
let server: RunningServer;
let client: TestClient;
let address = '';
beforeAll(async () => {
  makeCertificates(certificates);
  const port = await freePort();
  address = `tcp://127.0.0.1:${port}`;
  remote = await startRemoteEngine({ tls: { folder: certificates, port } });
  const files = ['ca', 'cert', 'key'].map((name) => `${name}=${join(certificates, `${name}.pem`)}`);
  remote.docker('context', 'create', 'lab-tls', '--docker', `host=${address},${files.join(',')}`);
  server = await startServer({ env: remote.env });
  client = await signIn(server);
});
afterAll(async () => {
  await server?.stop();
  await remote?.dispose();
  rmSync(certificates, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

const testEngine = (name: string) => client.good<ModelEngine>('POST', `/api/models/engines/${name}/test`);

test('a function is deployed and called over TLS with the certificates of a Docker context', async () => {
  expect(await testEngine('lab-tls')).toMatchObject({ state: 'connected', transport: 'tls', address, gpus: [] });
  const json = {
    configuration: functionYaml({ name: 'over-tls' }),
    files: [{ path: 'main.js', content: btoa(obedientHandler) }],
    base_image: 'limner/base-node:latest',
    engine: 'lab-tls',
  };
  await client.good('POST', '/api/models/functions', { json });
  const model = await until(async () => {
    const now = await client.good<ModelFunction>('GET', '/api/models/functions/over-tls');
    return now.state === 'building' ? null : now;
  });
  expect(model).toMatchObject({ state: 'ready', message: '' });
  const answer = await client.call('POST', '/api/models/functions/over-tls/invoke', { json: { do: 'whoami' } });
  expect(answer).toMatchObject({ status: 200, body: { uid: 65_534 } });
  await client.call('DELETE', '/api/models/functions/over-tls');
});

test('an own entry keeps its certificates sealed, and a server of another authority is refused', async () => {
  const tls = { ca: pem('ca.pem'), cert: pem('cert.pem'), key: pem('key.pem') };
  const added = await client.good('POST', '/api/models/engines', { json: { name: 'own-tls', address, ...tls } });
  expect(JSON.stringify(added)).not.toContain('PRIVATE KEY');
  expect(await testEngine('own-tls')).toMatchObject({ state: 'connected' });
  const other = join(certificates, 'other');
  makeCertificates(other);
  const json = { name: 'wrong-tls', address, ...tls, ca: readFileSync(join(other, 'ca.pem'), 'utf8') };
  await client.good('POST', '/api/models/engines', { json });
  const refused = await testEngine('wrong-tls');
  expect(refused.state).toBe('failed');
  expect(refused.message).toMatch(/certificate/);
  for (const name of ['own-tls', 'wrong-tls']) await client.call('DELETE', `/api/models/engines/${name}`);
});

test('contexts that are links, too large, or under another id are not read', async () => {
  const meta = join(remote.folder, 'docker', 'contexts', 'meta');
  const [id = ''] = execFileSync('ls', [meta], { encoding: 'utf8' }).split('\n');
  cpSync(join(meta, id), join(meta, '0'.repeat(64)), { recursive: true });
  execFileSync('mkdir', [join(meta, '1'.repeat(64)), join(meta, '2'.repeat(64))]);
  symlinkSync('/etc/passwd', join(meta, '1'.repeat(64), 'meta.json'));
  writeFileSync(join(meta, '2'.repeat(64), 'meta.json'), `"${'a'.repeat(2 ** 20 + 1)}"`);
  const engines = await client.good<ModelEngine[]>('GET', '/api/models/engines');
  expect(engines.map(({ name }) => name)).toEqual(['default', 'lab-tls']);
});
