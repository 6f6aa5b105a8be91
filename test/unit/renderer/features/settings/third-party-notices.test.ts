import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseNotices } from '../../../../../renderer/features/settings/third-party-notices.ts';

const file = readFileSync(new URL('../../../../../THIRD-PARTY-NOTICES', import.meta.url), 'utf8');

describe('third-party notices', () => {
  test('are cut into all packages of the file, each with its licence and text', () => {
    const notices = parseNotices(file);
    expect(notices.length).toBe(file.match(/^Licence: /gm)?.length);
    expect(notices.length).toBeGreaterThan(50);
    expect(notices.filter(({ text }) => text === '').map(({ name }) => name)).toEqual([]);
    expect(notices.find(({ name }) => name.startsWith('zod '))?.license).toBe('MIT');
  });
});
