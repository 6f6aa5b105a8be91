import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeImages, writeImages } from '../support/images.ts';
import { useServer } from '../support/use-server.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { checkNames, type CheckResults } from './python-checks.ts';
import { preparePython } from './python.ts';

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
const runs = releases.flatMap(({ quality, ...release }) =>
  [...scripts, quality].map((script) => ({ ...release, script })),
);
describe.each(runs)('cvat-sdk $release, unmodified: $script', ({ release, requirements, script }) => {
  let results: CheckResults = {};
  beforeAll(async () => {
    const python = await preparePython(requirements);
    const work = join(folder, release, script);
    mkdirSync(work, { recursive: true });
    results = await python<CheckResults>(script, [
      server.url,
      server.user,
      server.password,
      join(folder, 'images'),
      work,
    ]);
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
