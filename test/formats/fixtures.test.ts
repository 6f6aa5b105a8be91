import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createFormatRegistry } from '../../main/formats/registry.ts';
import { expectRoundTrip } from './support/fixture-round-trip.ts';
import { ownFixtureSets } from './support/fixture-sets.ts';
import { formatFixtures } from './support/format-fixtures.ts';

describe('a dataset of another program', () => {
  const sets = ownFixtureSets.map((set) => [set.importer, set.folder, set] as const);

  it.each(sets)('%s: %s is read completely, written and read again', async (_importer, _folder, set) =>
    expectRoundTrip(formatFixtures, set),
  );

  it('exists for every importer, and every folder is used', () => {
    const importers = createFormatRegistry().importers.map(({ display_name }) => display_name);
    expect(new Set(ownFixtureSets.map(({ importer }) => importer))).toEqual(new Set(importers));
    expect(readdirSync(formatFixtures).toSorted()).toEqual(
      ownFixtureSets.map(({ folder }) => folder.replace(/\/.*/, '')).toSorted(),
    );
  });
});
