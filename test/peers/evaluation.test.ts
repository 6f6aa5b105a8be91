import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../main/formats/io/open-source.ts';
import { collectFacts } from '../../main/evaluation/measures/facts.ts';
import { curvesOfFacts, matchFacts } from '../../main/evaluation/measures/match-facts.ts';
import { countsAt } from '../../main/evaluation/measures/one-threshold.ts';
import { readCocoSet, type CocoFile } from '../../main/evaluation/measures/read-coco.ts';
import { expectMeasures } from '../support/expect-measures.ts';
import { sharedFixtures } from './shared-fixtures.ts';

const folder = join(sharedFixtures, 'cocoeval');
const scenes = readdirSync(folder).filter((name) => name.startsWith('scene-'));

describe('scenes that pycocotools has evaluated', () => {
  it('exist', () => expect(scenes.length).toBeGreaterThanOrEqual(40));

  it.each(scenes)('%s: every number', async (scene) => {
    await expectMeasures(join(folder, scene));
  });
});

interface Scene {
  readonly scene: string;
  readonly kind: 'bbox' | 'segm' | 'keypoints';
  readonly flags: readonly string[];
}
interface Expected {
  readonly matches?: {
    /** Image, category, and for each result: its id, the ground truth's id or 0, and the ignore flag. */
    readonly rows: readonly (readonly [number, number, readonly (readonly [number, number, number])[]])[];
  };
}

const read = (...path: readonly string[]): unknown => JSON.parse(readFileSync(join(folder, ...path), 'utf8'));
// pycocotools uses only the best results of an image; here all are counted.
const firstScenes = (read('index.json') as Scene[])
  .slice(0, 15)
  .filter(({ flags }) => !flags.includes('manyDetections'));

async function openCocoFile(path: string): Promise<CocoFile> {
  const source = await openSource({ path, name: path });
  return { source, path: source.entries[0]?.path ?? '' };
}

it('has scenes of all kinds', () => {
  expect(new Set(firstScenes.map(({ kind }) => kind)).size).toBe(3);
});

it.each(firstScenes)(
  '$scene: true and false positives of each label are those that pycocotools matched',
  async (given) => {
    const rows = (read(given.scene, 'expected.json') as Expected).matches?.rows ?? [];
    const [truth, results] = await Promise.all(
      ['truth.json', 'results.json'].map((name) => openCocoFile(join(folder, given.scene, name))),
    );
    const set = await readCocoSet(truth!, results!, { kind: given.kind });
    await Promise.all([truth!.source.close(), results!.source.close()]);
    const facts = collectFacts(set, []);
    const curves = curvesOfFacts(facts, matchFacts(facts, 0.5));
    expect(rows.length).toBeGreaterThan(0);
    for (const [category, { id }] of set.categories.entries()) {
      const counted = rows
        .filter(([, of]) => of === id)
        .flatMap(([, , found]) => found)
        .filter(([, , isIgnored]) => isIgnored === 0);
      const hits = counted.filter(([, match]) => match !== 0).length;
      expect(countsAt(curves, 0, category)).toMatchObject({ hits, extra: counted.length - hits });
    }
  },
);
