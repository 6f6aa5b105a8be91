import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { navigation, sidebar } from '../../../docs/.vitepress/pages.ts';
import { externalScripts } from '../../../docs/.vitepress/external-scripts.ts';
import { searchIndex } from '../../../docs/.vitepress/search-index.ts';
import { environmentVariables } from '../../../main/platform/environment.ts';
import { findHelp, helpPageOf, screenPages } from '../../../renderer/shared/help/find-help.ts';
import { projectRoot } from '../../support/node-executable.ts';

const docs = join(projectRoot, 'docs');
const pages = searchIndex(docs);
const find = (text: string) => findHelp(pages, text.split(' '));

describe('Help about a screen', () => {
  test('is a page of the documentation for every screen that has one', () => {
    expect(screenPages.filter(([, page]) => !existsSync(join(docs, `${page}.md`)))).toEqual([]);
  });

  test('is listed for every part of the program, and more closely where a part has several screens', () => {
    const router = readFileSync(join(projectRoot, 'renderer/app/router.tsx'), 'utf8');
    const screens = [...router.matchAll(/inFrame\('(\/[^']+)'/g)].map(([, path = '']) => path);
    expect(screens.length).toBeGreaterThan(15);
    const without = screens.filter((path) => path !== '/help' && helpPageOf(path) === undefined);
    expect(without).toEqual([]);
    expect(helpPageOf('/tasks/5/jobs/7')).toBe('guide/workspace.html');
    expect(helpPageOf('/settings/backup')).toBe('guide/backup.html');
    expect(helpPageOf('/settings/users')).toBe('guide/administration.html');
    expect(helpPageOf('/help')).toBeUndefined();
  });
});

describe('the palette’s search of Help', () => {
  test('finds words in headings before words in text, and stays short', () => {
    expect(find('backup')[0]).toMatchObject({ page: 'guide/backup.html', title: 'Backup' });
    for (const { title, context } of find('rotated box')) expect(`${title} ${context}`).toMatch(/rotated box/i);
    expect(find('rotated box').length).toBeGreaterThan(0);
    expect(find('limner').length).toBeLessThanOrEqual(5);
    expect(find('no such words anywhere')).toEqual([]);
    expect(findHelp(pages, [])).toEqual([]);
  });

  test('links to the section that holds the words', () => {
    const found = find('install a plug-in');
    expect(found[0]).toMatchObject({
      page: 'guide/format-plug-ins.html#install-a-plug-in',
      title: 'Install a plug-in',
      context: expect.stringMatching(/^Format plug-ins: Put the file/),
    });
  });
});

test('the sidebar has every page once, in sections, and the navigation opens the first of each', () => {
  const { '/': starts, ...sections } = sidebar(docs);
  const linksOf = (entries: unknown) =>
    [...JSON.stringify(entries).matchAll(/"link":"([^"]*)"/g)].map(([, link = '']) => link);
  expect(linksOf(starts).every((link) => linksOf(sections).includes(link))).toBe(true);
  const links = linksOf(sections);
  const files = globSync('**/*.md', { cwd: docs }).filter((file) => file !== 'index.md');
  expect(links.length).toBe(files.length);
  expect(new Set(links).size).toBe(links.length);
  expect(navigation(docs).map((entry) => 'link' in entry && entry.link)).toContain('/guide/install');
});

test('inline scripts of built pages move into files, equal ones into one', () => {
  const scripts = externalScripts('/help/');
  const moved = scripts.move('<script id="a">one()</script><script type="module" src="/x.js"></script><p>text</p>');
  expect(moved).toMatch(
    /^<script id="a" src="\/help\/assets\/inline-[0-9a-f]{8}\.js"><\/script><script type="module" src="\/x\.js"><\/script><p>text<\/p>$/,
  );
  expect(scripts.move('<script id="a">one()</script>')).toBe(moved.slice(0, moved.indexOf('<script type')));
});

test('every environment variable that the program reads is described, and no other', () => {
  const read = new Set<string>();
  for (const file of globSync('main/**/*.ts', { cwd: projectRoot })) {
    if (file.endsWith('environment.ts')) continue;
    const text = readFileSync(join(projectRoot, file), 'utf8');
    // Variables that Limner sets for containers are not its own settings.
    if (/functions[\\/]engines[\\/]docker/.test(file)) continue;
    for (const [, name = ''] of text.matchAll(/\b(LIMNER_[A-Z_]*[A-Z])\b/g)) read.add(name);
  }
  expect([...read].sort()).toEqual(Object.keys(environmentVariables).sort());
});
