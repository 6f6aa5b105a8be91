import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectMeasures } from '../support/expect-measures.ts';
import { sharedFixtures } from './shared-fixtures.ts';

const folder = join(sharedFixtures, 'cocoeval');
const scenes = readdirSync(folder).filter((name) => name.startsWith('scene-'));

describe('scenes that pycocotools has measured', () => {
  it('are there', () => expect(scenes.length).toBeGreaterThanOrEqual(40));

  it.each(scenes)('%s: every number', async (scene) => {
    await expectMeasures(join(folder, scene));
  });
});
