import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { projectRoot } from '../support/node-executable.ts';
import { expectMeasures } from '../support/expect-measures.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { prepareExecutable } from './python.ts';

const run = promisify(execFile);
const count = 200;
/** Creates scenes with crowds, ties and empty images, and evaluates them with pycocotools. */
const generator = resolve(projectRoot, '..', 'shared', 'fixtures', 'cocoeval', 'generate.py');

it(`pycocotools and Limner agree on every number of ${count} random scenes`, async () => {
  expect(existsSync(generator), `This test needs ${generator}.`).toBe(true);
  const python = await prepareExecutable('python');
  const folder = join(sharedFolder(), 'scenes');
  await run(python, [generator, folder, String(count), '50000'], { maxBuffer: 64 * 1024 * 1024 });
  const scenes = readdirSync(folder).filter((name) => name.startsWith('scene-'));
  expect(scenes).toHaveLength(count);
  for (const scene of scenes) await expectMeasures(join(folder, scene));
}, 300_000);
