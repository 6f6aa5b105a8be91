import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeImages, writeImages } from '../support/images.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { useServer } from '../support/use-server.ts';
import { accountSignature, startAzurite, startMoto } from './bucket-servers.ts';
import { checkNames, type CheckResults } from './python-checks.ts';
import { preparePython } from './python.ts';

const folder = sharedFolder();
const imageFolder = join(folder, 'images');
await writeImages(imageFolder, await makeImages(5, { width: 64, height: 48 }));
const moto = await startMoto();
const azurite = await startAzurite(join(folder, 'azurite'));
afterAll(() => Promise.all([moto.stop(), azurite.stop()]));
const server = await useServer();

const fill = await preparePython('requirements-buckets.txt');
const keys = await fill<Record<'good' | 'other', object>>('fill_bucket.py', [moto.url, imageFolder]);
const signature = accountSignature('rwlcd');
await fillAzure();
const place = JSON.stringify({ url: moto.url, keys, azure: { url: azurite.url, signature } });

async function fillAzure(): Promise<void> {
  const headers = { 'x-ms-version': '2019-12-12', 'x-ms-blob-type': 'BlockBlob' };
  const put = async (path: string, body: Uint8Array<ArrayBuffer>): Promise<void> => {
    const answer = await fetch(`${azurite.url}/${path}${path.includes('?') ? '&' : '?'}${signature}`, {
      method: 'PUT',
      headers,
      body,
    });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  };
  await put('archive?restype=container', new Uint8Array());
  for (const name of readdirSync(imageFolder))
    await put(`archive/a%20b/${name}`, new Uint8Array(readFileSync(join(imageFolder, name))));
}

describe.each([
  { release: '2.73', requirements: 'requirements.txt' },
  { release: '2.80', requirements: 'requirements-2.80.txt' },
] as const)('cvat-sdk $release, unmodified: use_buckets.py', ({ release, requirements }) => {
  let results: CheckResults = {};
  beforeAll(async () => {
    const python = await preparePython(requirements);
    const work = join(folder, release);
    mkdirSync(work, { recursive: true });
    results = await python<CheckResults>('use_buckets.py', [
      server.url,
      server.user,
      server.password,
      imageFolder,
      work,
      place,
    ]);
  }, 300_000);

  test.each(checkNames('use_buckets.py'))('%s', (name) => {
    expect(results).toHaveProperty(name);
    expect(results[name]).toBeNull();
  });

  test('the service logged no warnings and no key', () => {
    expect(server.errorOutput()).not.toMatch(/A request failed|unexpected/i);
    for (const { secret_key: secret } of Object.values(keys) as { secret_key: string }[])
      expect(server.errorOutput()).not.toContain(secret);
  });
});
