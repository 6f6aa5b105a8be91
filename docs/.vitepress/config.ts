import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineConfig, type HeadConfig } from 'vitepress';
import { anchorOf } from './anchor.ts';
import { externalScripts } from './external-scripts.ts';
import { navigation, sidebar } from './pages.ts';
import { searchIndex } from './search-index.ts';

const docs = resolve(import.meta.dirname, '..');
/** The service serves the site here (main/http/pages.ts). */
const base = '/help/';
const scripts = externalScripts(base);

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
  metaChunk: true,
  markdown: {
    anchor: { slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  vite: { logLevel: 'warn', build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    siteTitle: 'Limner Help',
    nav: navigation(docs),
    sidebar: sidebar(docs),
    outline: { level: [2, 3], label: 'On this page' },
    search: {
      provider: 'local',
      options: {
        miniSearch: { searchOptions: { combineWith: 'AND' } },
        // Each format lists all kinds of objects, which the table above them has: the lists would hide other pages.
        _render: (text, env, md) =>
          md.render(text.replaceAll(/^- (?:Imports|Exports|Carries) [^\n]*: [^\n]*$/gm, ''), env),
      },
    },
    docFooter: { prev: 'Previous', next: 'Next' },
    externalLinkIcon: true,
  },
  transformHtml: (html) => scripts.move(html),
  buildEnd({ outDir }) {
    scripts.write(outDir);
    writeFileSync(join(outDir, 'pages.json'), JSON.stringify(searchIndex(docs)));
  },
});
