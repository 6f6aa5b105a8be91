import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectRoundTrip } from '../formats/support/fixture-round-trip.ts';
import { fixtureSets } from './fixture-sets.ts';
import { sharedFixtures } from './shared-fixtures.ts';

describe('every fixture of another tool', () => {
  it.each(fixtureSets.map((set) => [set.importer, set.folder, set] as const))(
    '%s: %s is read whole, written and read again',
    async (_importer, _folder, set) => expectRoundTrip(sharedFixtures, set),
  );

  it('leaves out no folder of the fixtures that an importer could read', () => {
    const named = new Set(fixtureSets.map(({ folder }) => folder.split('/')[0]));
    const others = new Set(['functions', 'track_interpolation', 'track_slices', 'cocoeval', 'README.md']);
    expect(readdirSync(sharedFixtures).filter((entry) => !named.has(entry) && !others.has(entry))).toEqual([]);
  });
});
