import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineConfig, type HeadConfig } from 'vitepress';
import { anchorOf } from './anchor.ts';
import { externalScripts } from './external-scripts.ts';
import { navigation, sidebar } from './pages.ts';

const docs = resolve(import.meta.dirname, '..');
/** The service serves the site here (main/http/pages.ts). */
const base = '/help/';
const scripts = externalScripts(base);

interface IndexedPage {
  readonly title: string;
  /** Address below the base, without an anchor. */
  readonly path: string;
  readonly headings: readonly { readonly title: string; readonly anchor: string }[];
}
/** For the program's palette, which searches titles and headings. Local search has its own index. */
const index = new Map<string, IndexedPage>();

/** The program shows the site inside its own window, which has the theme switch and the name. */
const embedded = `if (self !== top) document.documentElement.classList.add('embedded');`;
const head: HeadConfig[] = [
  ['link', { rel: 'icon', href: '/favicon.svg' }],
  ['script', { id: 'embedded' }, embedded],
];

export default defineConfig({
  title: 'Limner',
  description: 'Help for Limner, the offline annotation program for images and video.',
  lang: 'en',
  base,
  head,
  outDir: resolve(docs, '../out/docs'),
  cacheDir: resolve(docs, '../.cache/vitepress'),
  cleanUrls: false,
  // The link checker of the tests reports dead links with their pages and anchors.
  ignoreDeadLinks: true,
  metaChunk: true,
  markdown: {
    anchor: { slugify: anchorOf },
    headers: { level: [2, 3], slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  vite: { logLevel: 'warn', build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    siteTitle: 'Limner Help',
    nav: navigation(docs),
    sidebar: sidebar(docs),
    outline: { level: [2, 3], label: 'On this page' },
    search: { provider: 'local' },
    docFooter: { prev: 'Previous', next: 'Next' },
    externalLinkIcon: true,
  },
  transformPageData(page) {
    const path = page.relativePath.replace(/\.md$/, '.html');
    const headings = page.headers.flatMap(({ title, slug, children }) => [
      { title, anchor: slug },
      ...children.map((child) => ({ title: child.title, anchor: child.slug })),
    ]);
    index.set(path, { title: page.title, path, headings });
  },
  transformHtml: (html) => scripts.move(html),
  buildEnd({ outDir }) {
    scripts.write(outDir);
    const pages = [...index.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    writeFileSync(join(outDir, 'pages.json'), JSON.stringify(pages));
  },
});
