import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { parse } from 'yaml';

/** Folders of docs/ in the order of the sidebar, with their titles. Pages outside them stand in the last group. */
const sections: readonly (readonly [folder: string, title: string])[] = [
  ['guide', 'Guide'],
  ['reference', 'Reference'],
  ['compatibility', 'Compatibility with CVAT'],
  ['architecture', 'Architecture'],
  ['decisions', 'Decisions'],
  ['contributing', 'Contributing'],
  ['.', 'More'],
];

interface Page {
  /** Below docs/, with slashes. */
  readonly file: string;
  readonly title: string;
  /** Pages without an order follow those with one, by title. */
  readonly order: number;
}

export const frontMatter = /^---\n([\s\S]*?)\n---\n/;

function readPage(docs: string, file: string): Page {
  const text = readFileSync(join(docs, file), 'utf8');
  const data = (parse(frontMatter.exec(text)?.[1] ?? '') ?? {}) as { title?: string; order?: number };
  const heading = /^# (.+)$/m.exec(text)?.[1];
  return { file, title: data.title ?? heading ?? basename(file, '.md'), order: data.order ?? Infinity };
}

/** All pages of docs/, sorted as the sidebar shows them. */
export const docsPages = (docs: string): readonly Page[] =>
  readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md') && !file.startsWith('.'))
    .map((file) => readPage(docs, file))
    .sort((a, b) => sectionOf(a) - sectionOf(b) || compareOrder(a, b) || a.title.localeCompare(b.title, 'en'));

const sectionOf = ({ file }: Page): number =>
  sections.findIndex(([folder]) => folder === file.split('/', 1)[0] || folder === '.');

/** A folder's index comes first. */
const rank = ({ file, order }: Page): number => (basename(file) === 'index.md' ? -1 : order);
function compareOrder(a: Page, b: Page): number {
  const [left, right] = [rank(a), rank(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Address of a page below the site's base. */
const linkOf = (file: string): string => `/${file.replace(/\.md$/, '').replace(/(^|\/)index$/, '$1')}`;

const groups = (docs: string) => {
  const pages = docsPages(docs).filter(({ file }) => file !== 'index.md');
  return sections
    .map(([folder, title]) => ({
      folder,
      title,
      items: pages
        .filter(({ file }) => dirname(file) === folder || file.startsWith(`${folder}/`))
        .map((page) => ({ text: page.title, link: linkOf(page.file) })),
    }))
    .filter(({ items }) => items.length > 0);
};

/** The pages of a section beside each of them; beside other pages the first page of each section. */
export const sidebar = (docs: string): DefaultTheme.SidebarMulti => {
  const all = groups(docs);
  const starts = all.map(({ title, items: [first] }) => ({ text: title, link: first?.link ?? '/' }));
  return {
    ...Object.fromEntries(all.map(({ folder, title, items }) => [`/${folder}/`, [{ text: title, items }]])),
    '/': [{ text: 'Help', items: starts }],
  };
};

/** One entry for each section, which opens its first page. */
export const navigation = (docs: string): DefaultTheme.NavItem[] =>
  groups(docs)
    .filter(({ title }) => title !== 'More')
    .map(({ title, items: [first] }) => ({
      text: title.split(' ')[0] ?? title,
      link: first?.link ?? '/',
      activeMatch: `^/${first?.link.split('/')[1] ?? ''}/`,
    }));
