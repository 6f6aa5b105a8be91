import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..', '..');
const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');

it('has only worker tasks that something runs', () => {
  const tasks = [...read('main/worker.ts').matchAll(/^ {2}(\w+): (?:async )?\(\) => /gm)].map(([, name = '']) => name);
  const sources = globSync('main/**/*.ts', { cwd: root }).filter((file) => file !== 'main/worker.ts');
  const source = sources.map(read).join('\n');
  expect(tasks.length).toBeGreaterThan(30);
  expect(tasks.filter((name) => !source.includes(`'${name}'`))).toEqual([]);
});
