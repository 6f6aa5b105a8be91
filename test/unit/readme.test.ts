import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../support/node-executable.ts';

const pages = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(projectRoot, 'docs')).map((name) => `docs/${name}`)];
const textOf = (page: string): string => readFileSync(join(projectRoot, page), 'utf8');

test('every test that the documents name is there', () => {
  const named = pages.flatMap((page) => [...textOf(page).matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = '']) => path));
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
});

test('every file and heading that the documents link to is there', () => {
  const headings = (page: string): string[] =>
    [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    );
  const broken = pages.flatMap((page) =>
    [...textOf(page).matchAll(/(?:\]\(|src(?:set)?=")(?!https?:|mailto:)([^)"#]*)(?:#([^)"]*))?[)"]/g)].flatMap(
      ([, path = '', anchor]) => {
        const target = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(projectRoot, target))) return [`${page}: ${path}`];
        return anchor === undefined || headings(target).includes(anchor) ? [] : [`${page}: ${path}#${anchor}`];
      },
    ),
  );
  expect(broken).toEqual([]);
});

test('the README can be read in a few minutes: it has at most 8 KB', () => {
  expect(Buffer.byteLength(textOf('README.md'))).toBeLessThanOrEqual(8192);
});
