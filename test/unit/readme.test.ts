import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../support/node-executable.ts';

test('every test that the README names is there', () => {
  const text = readFileSync(join(projectRoot, 'README.md'), 'utf8');
  const named = [...text.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
});
