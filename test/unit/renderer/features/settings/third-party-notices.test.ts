import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseNotices } from '../../../../../renderer/features/settings/third-party-notices.ts';
import { thirdPartyNotices } from '../../../../../scripts/third-party-notices.ts';

const root = resolve(import.meta.dirname, '../../../../..');
const file = thirdPartyNotices(root);
const listed = readFileSync(resolve(root, 'resources/licences/packages.txt'), 'utf8').trim().split('\n');

describe('third-party notices', () => {
  test('are split into all packages of the file, each with its licence and text', () => {
    const notices = parseNotices(file);
    expect(notices.map(({ name, license }) => `${name}: ${license}`)).toEqual(listed);
    expect(notices.length).toBeGreaterThan(50);
    expect(notices.filter(({ text }) => text === '').map(({ name }) => name)).toEqual([]);
    expect(notices.find(({ name }) => name.startsWith('zod '))?.license).toBe('MIT');
  });

  test('contain the texts of the LGPL and of the GPL, which the packages of libvips lack', () => {
    expect(file).toContain('GNU LESSER GENERAL PUBLIC LICENSE');
    expect(file).toContain('GNU GENERAL PUBLIC LICENSE');
  });
});
