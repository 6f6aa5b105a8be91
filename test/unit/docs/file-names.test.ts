import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../support/node-executable.ts';

const filesBelow = (folder: string): string[] =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`);

/** Placeholders of a name that the reader chooses, such as `x-service.ts` and `NNNN-what-it-does.ts`. */
const isPlaceholder = (name: string): boolean => /^(x-|NNNN|my-)/.test(name);

test('every source file that a page names exists', () => {
  const sources = ['main', 'renderer', 'preload', 'test', 'scripts', 'resources'].flatMap(filesBelow);
  const existing = new Set(sources.flatMap((path) => [path, basename(path)]));
  const pages = filesBelow('docs').filter((path) => path.endsWith('.md'));
  const named = pages.flatMap((page) =>
    [...readFileSync(join(projectRoot, page), 'utf8').matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name = '']) => ({
      page,
      name,
    })),
  );
  expect(named.length).toBeGreaterThan(50);
  const isKnown = (name: string): boolean => existing.has(name) || sources.some((path) => path.endsWith(`/${name}`));
  expect(named.filter(({ name }) => !isPlaceholder(basename(name)) && !isKnown(name))).toEqual([]);
});
