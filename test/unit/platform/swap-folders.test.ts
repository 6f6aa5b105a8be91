import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { finishSwap, stagedPart, swapParts } from '../../../main/platform/swap-folders.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const parts = ['db', 'data', 'formats'];
const aside = 'set-aside/2026-11-23T10-00-00';

function put(folder: string, name: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** `formats` is new: the old workbench has none. */
function withStagedParts(): string {
  const root = temporaryFolder();
  for (const part of parts) put(stagedPart(root, part), 'file', `new ${part}`);
  for (const part of ['db', 'data']) put(join(root, part), 'file', `old ${part}`);
  return root;
}

const contents = (root: string) =>
  parts.map((part) => (existsSync(join(root, part, 'file')) ? readFileSync(join(root, part, 'file'), 'utf8') : 'none'));
const allNew = ['new db', 'new data', 'new formats'];
const allOld = ['old db', 'old data', 'none'];

describe('replacing parts of a data directory', () => {
  test('replaces all of them, and keeps the old ones', async () => {
    const root = withStagedParts();
    await swapParts(root, parts, aside);
    expect(contents(root)).toEqual(allNew);
    expect(contents(join(root, aside))).toEqual(allOld);
    expect(readdirSync(root).sort()).toEqual(['data', 'db', 'formats', 'set-aside']);
  });

  test('deletes at the next start parts that were staged for a replacement that never began', async () => {
    const root = withStagedParts();
    await finishSwap(root);
    expect(contents(root)).toEqual(allOld);
    expect(existsSync(join(root, 'restore'))).toBe(false);
  });

  /** Renames in order. A crash may happen before any of them, and after the last. */
  const steps: readonly (readonly [string, string])[] = [
    ['db', `${aside}/db`],
    ['restore/new/db', 'db'],
    ['data', `${aside}/data`],
    ['restore/new/data', 'data'],
    ['restore/new/formats', 'formats'],
  ];
  const journal = (direction: string) => JSON.stringify({ direction, parts, absent: ['formats'], aside });

  const everyPlace = Array.from({ length: steps.length + 1 }, (_, done) => done);
  function crashedAfter(done: number, direction: string): string {
    const root = withStagedParts();
    mkdirSync(join(root, aside), { recursive: true });
    writeFileSync(join(root, 'restore', 'journal.json'), journal(direction));
    for (const [from, to] of steps.slice(0, done)) renameSync(join(root, from), join(root, to));
    for (const part of ['db', 'data']) mkdirSync(join(root, part), { recursive: true });
    return root;
  }

  test.each(everyPlace)(
    'a start after %i of the changes completes them; creating the missing folders first does no harm',
    async (done) => {
      const root = crashedAfter(done, 'forward');
      await finishSwap(root);
      expect(contents(root)).toEqual(allNew);
      expect(contents(join(root, aside))).toEqual(allOld);
      expect(existsSync(join(root, 'restore'))).toBe(false);
    },
  );

  test.each(everyPlace)('a replacement that was cancelled after %i of the changes is rolled back', async (done) => {
    const root = crashedAfter(done, 'back');
    await finishSwap(root);
    expect(contents(root)).toEqual(allOld);
    expect(existsSync(join(root, 'restore'))).toBe(false);
  });

  test('restores everything if a part cannot be installed', async () => {
    const root = withStagedParts();
    put(join(root, aside, 'data'), 'file', 'in the way');
    await expect(swapParts(root, parts, aside)).rejects.toThrow();
    expect(readFileSync(join(root, 'db', 'file'), 'utf8')).toBe('old db');
    expect(existsSync(join(root, 'restore'))).toBe(false);
  });
});
