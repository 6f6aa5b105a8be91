import { expect, test } from 'vitest';
import { requireVersion } from '../../../main/backup/restore-backup.ts';
import { newestSchema, oldestSchema } from '../../../main/db/store/migrate.ts';

const refusal = (version: string, schema: number): string => {
  try {
    requireVersion({ version, schema }, '1.2.3');
    return '';
  } catch (error) {
    return String(error);
  }
};

test('a backup of a newer build of the same version is refused by its schema', () => {
  const newer = newestSchema + 1;
  expect(refusal('1.2.3', newer)).toContain(
    `a database of schema ${newer}; this build of Limner 1.2.3 reads schemas up to ${newestSchema}`,
  );
  expect(refusal('1.2.3', newer)).not.toContain('Install Limner 1.2.3');
});

test('a backup from before the first release is refused by its schema', () => {
  expect(refusal('1.2.3', oldestSchema - 1)).toContain(`reads schemas from ${oldestSchema} on`);
  expect(refusal('1.2.3', oldestSchema)).toBe('');
});

test('a backup of another version is refused by its version, and one of this build is accepted', () => {
  expect(refusal('1.3.0', newestSchema)).toContain('created by Limner 1.3.0');
  expect(refusal('1.2.3', newestSchema)).toBe('');
});
