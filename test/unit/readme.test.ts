import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { anchorOf } from '../../docs/.vitepress/anchor.ts';
import en from '../../renderer/i18n/en.json' with { type: 'json' };
import { projectRoot } from '../support/node-executable.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('docs/**/*.md', { cwd: projectRoot, exclude: (path) => /node_modules/.test(String(path)) }),
];
const textOf = (page: string): string => readFileSync(join(projectRoot, page), 'utf8');

test('every file and folder that the documents name exists', () => {
  const named = pages.flatMap((page) =>
    [...textOf(page).matchAll(/`((?:test|main|renderer|preload|scripts|resources)\/[\w./-]+)`/g)].map(
      ([, path = '']) => ({ page, path }),
    ),
  );
  expect(named.length).toBeGreaterThan(150);
  const missing = named.filter(({ path }) => !existsSync(join(projectRoot, path)));
  expect(missing.map(({ page, path }) => `${page}: ${path}`)).toEqual([]);
});

test('every file and heading that the documents link to exists', () => {
  const headings = (page: string): string[] =>
    [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchorOf(title));
  const broken = pages.flatMap((page) =>
    [...textOf(page).matchAll(/(?:\]\(|src(?:set)?=")(?!https?:|mailto:)([^)"#]*)(?:#([^)"]*))?[)"]/g)].flatMap(
      ([, path = '', anchor]) => {
        const target = path === '' ? page : join(dirname(page), path);
        // The site has the pages of docs/ and the images that they show.
        const isOutside = page.startsWith('docs') && !target.startsWith('docs') && !/\.(png|webp|svg)$/.test(target);
        if (isOutside) return [`${page}: ${path} is not part of the site`];
        if (!existsSync(join(projectRoot, target))) return [`${page}: ${path}`];
        return anchor === undefined || headings(target).includes(anchor) ? [] : [`${page}: ${path}#${anchor}`];
      },
    ),
  );
  expect(broken).toEqual([]);
});

test('bold words in the guide are texts of the screens', () => {
  const texts = new Set<string>(['⋯']);
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.add(value);
    else Object.values(value as object).forEach(collect);
  };
  collect(en);
  const unknown = pages
    .filter((page) => page.startsWith(join('docs', 'guide')))
    .flatMap((page) =>
      [...textOf(page).matchAll(/\*\*(.+?)\*\*/g)]
        .flatMap(([, bold = '']) => bold.split(' › '))
        .filter((text) => !texts.has(text))
        .map((text) => `${page}: ${text}`),
    );
  expect(unknown).toEqual([]);
});

test('the README has at most 8 KB, and CONTRIBUTING 4', () => {
  expect(Buffer.byteLength(textOf('README.md'))).toBeLessThanOrEqual(8192);
  expect(Buffer.byteLength(textOf('CONTRIBUTING.md'))).toBeLessThanOrEqual(4096);
});
