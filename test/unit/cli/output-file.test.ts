import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { outputFile } from '../../../main/cli/output-file.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const folder = sharedFolder();

it('writes into a folder that exists, and to any other path itself', () => {
  mkdirSync(join(folder, 'backups'));
  expect(outputFile(join(folder, 'backups'), 'a.zip')).toBe(join(folder, 'backups', 'a.zip'));
  expect(outputFile(join(folder, 'backups/'), 'a.zip')).toBe(join(folder, 'backups', 'a.zip'));
  expect(outputFile(join(folder, 'b.zip'), 'a.zip')).toBe(join(folder, 'b.zip'));
});

it('refuses a path that ends like a folder and does not exist', () => {
  expect(() => outputFile(`${join(folder, 'missing')}/`, 'a.zip')).toThrow('the folder does not exist');
});
