import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeImages, writeImages } from '../support/images.ts';
import { useServer } from '../support/use-server.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { checkNames, type CheckResults } from './python-checks.ts';
import { startForking, type ScriptRunner } from './python.ts';

const folder = sharedFolder();
await writeImages(join(folder, 'images'), await makeImages(5));
const server = await useServer();

const scripts = [
  'use_proxies.py',
  'use_typed.py',
  'use_datasets.py',
  'use_media.py',
  'use_pytorch.py',
  'use_fields.py',
  'use_effects.py',
];
/** Quality has another form in each release. */
const releases = [
  { release: '2.73', requirements: 'requirements.txt', quality: 'use_quality.py' },
  { release: '2.80', requirements: 'requirements-2.80.txt', quality: 'use_requirements.py' },
] as const;
/** Both releases use the same service. */
describe.each(releases)('cvat-sdk $release, unmodified', ({ release, requirements, quality }) => {
  let python: ScriptRunner;
  beforeAll(async () => {
    python = await startForking(requirements, ['cvat_sdk', 'cvat_sdk.auto_annotation']);
  });
  afterAll(() => python?.stop());

  describe.each([...scripts, quality])('%s', (script) => {
    let results: CheckResults = {};
    beforeAll(async () => {
      const work = join(folder, release, script);
      mkdirSync(work, { recursive: true });
      const args = [server.url, server.user, server.password, join(folder, 'images'), work];
      const { code, out, err } = await python.run(join(import.meta.dirname, script), args);
      if (code !== 0) throw new Error(err);
      results = JSON.parse(out.trim().split('\n').at(-1) ?? '') as CheckResults;
    }, 300_000);

    test.each(checkNames(script))('%s', (name) => {
      expect(results).toHaveProperty(name);
      expect(results[name]).toBeNull();
    });

    test('the service logged no warnings', () => {
      expect(server.isRunning()).toBe(true);
      expect(server.errorOutput()).not.toMatch(/A request failed|unexpected/i);
    });
  });
});
