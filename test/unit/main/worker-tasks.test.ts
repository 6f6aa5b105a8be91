import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..', '..');
const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');
const named = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name).toSorted();

const tasks = named(read('main/worker.ts'), /^export const (\w+)/gm);
const sources = globSync('main/**/*.ts', { cwd: root }).filter((file) => file !== 'main/worker.ts');
const source = sources.map(read).join('\n');

// The compiler does not check these names, because a thread gets them as text.
it('runs only worker tasks that the worker exports', () => {
  const called = named(source, /\b(?:workers\.run|work\.thread)(?:<[^'()]*>)?\(\s*'(\w+)'/g);
  expect(called.length).toBeGreaterThan(30);
  expect(called.filter((name) => !tasks.includes(name))).toEqual([]);
});

it('exports only worker tasks that something runs', () => {
  expect(tasks.filter((name) => !source.includes(`'${name}'`))).toEqual([]);
});
