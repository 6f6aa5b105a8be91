import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectRoundTrip } from '../formats/support/fixture-round-trip.ts';
import { fixtureSets } from './fixture-sets.ts';
import { sharedFixtures } from './shared-fixtures.ts';

describe('every fixture of another tool', () => {
  it.each(fixtureSets.map((set) => [set.importer, set.folder, set] as const))(
    '%s: %s is read completely, written and read again',
    async (_importer, _folder, set) => expectRoundTrip(sharedFixtures, set),
  );

  it('covers every folder of the fixtures that an importer can read', () => {
    const named = new Set(fixtureSets.map(({ folder }) => folder.split('/')[0]));
    const others = new Set([
      'README.md',
      // Answers of other programs and models, not datasets.
      'cocoeval',
      'electron22',
      'functions',
      'models',
      'onnx_forms',
      'sam2_video',
      'track_interpolation',
      'track_slices',
      'video_masks',
      // Deliberately odd or broken files, which are not round-tripped.
      'reported',
    ]);
    expect(readdirSync(sharedFixtures).filter((entry) => !named.has(entry) && !others.has(entry))).toEqual([]);
  });
});
