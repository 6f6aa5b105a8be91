import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'electron-vite';
import { build, type Plugin } from 'vite';
import { thirdPartyNotices } from './scripts/third-party-notices.ts';

const here = import.meta.dirname;
/** For debuggers and stack traces. The installers leave them out (electron-builder.yml). */
const sourcemap = 'hidden';

/**
 * The service serves the renderer at the root, and pages such as /tasks/5 must find their assets. electron-vite presets
 * a relative base for file:// windows, so this sets the absolute one after it.
 */
const absoluteBase = {
  name: 'limner:absolute-base',
  enforce: 'post' as const,
  config: () => ({ base: '/' }),
};

/** Licences of bundled packages, for the page that shows them and as a file for the installers. */
const notices = {
  name: 'limner:third-party-notices',
  resolveId: (id: string) => (id === 'virtual:third-party-notices' ? `\0${id}` : undefined),
  load(id: string) {
    if (id !== '\0virtual:third-party-notices') return undefined;
    const text = thirdPartyNotices(here);
    mkdirSync(resolve(here, 'out'), { recursive: true });
    writeFileSync(resolve(here, 'out/THIRD-PARTY-NOTICES'), text);
    return `export const notices = ${JSON.stringify(text)};`;
  },
};

/**
 * Small libraries that every start needs are bundled and tree-shaken, because reading their many files takes 50 ms, a
 * seventh of a start. All others are loaded from node_modules.
 */
const builtIn = ['zod', 'hono', '@hono/node-server', 'commander', 'yaml', 'saxes'];

/**
 * Worker threads and plug-in processes share no module with the program, so they are built separately. In a common
 * build every module shared by one of the forty worker tasks and the program becomes a file. Reading these took a fifth
 * of a start.
 */
const threads = {
  name: 'limner:threads',
  async closeBundle() {
    for (const entry of ['worker', 'plugin-host']) await buildApart(entry);
  },
};

const buildApart = (entry: string) =>
  build({
    configFile: false,
    root: here,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: builtIn },
    build: {
      ssr: resolve(here, `main/${entry}.ts`),
      target: 'node24',
      outDir: resolve(here, 'out/main'),
      emptyOutDir: false,
      sourcemap,
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' } },
    },
  });

/** The first page that users see. */
const firstPage = resolve(here, 'renderer/features/work/tasks/tasks-page.tsx');

/** The browser loads the scripts of the first page while it runs the common ones, and not only afterwards. */
const preloadFirstPage: Plugin = {
  name: 'limner:preload-first-page',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const injectTo = 'head' as const;
      const page = chunks.find(({ facadeModuleId }) => facadeModuleId === firstPage);
      if (page === undefined) throw new Error(`No chunk starts with ${firstPage}.`);
      const needed = new Set([page]);
      for (const { imports } of needed) {
        for (const chunk of chunks) if (imports.includes(chunk.fileName)) needed.add(chunk);
      }
      return [...needed]
        .map(({ fileName }) => `/${fileName}`)
        .filter((href) => !html.includes(`"${href}"`))
        .map((href) => ({ tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href }, injectTo }));
    },
  },
};

/** A shared chunk is named after all pages that share it, which is too long for a file name. */
const shortName = (name = ''): string => name.replace(/\.\w+$/, '').replace(/~.*/, '');

/** Parts to build: all, or those that scripts/lib/build.mjs passes because their sources changed. */
const wanted = process.env['LIMNER_BUILD_PARTS']?.split(',') ?? ['main', 'preload', 'renderer'];

const parts: Required<Pick<UserConfig, 'main' | 'preload' | 'renderer'>> = {
  main: {
    plugins: [threads],
    build: {
      externalizeDeps: { exclude: builtIn },
      outDir: resolve(here, 'out/main'),
      sourcemap,
      rolldownOptions: {
        input: {
          cli: resolve(here, 'main/cli.ts'),
          desktop: resolve(here, 'main/shell/desktop.ts'),
        },
        output: { entryFileNames: '[name].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: resolve(here, 'out/preload'),
      rolldownOptions: {
        input: { index: resolve(here, 'preload/index.ts') },
        // A sandboxed window loads its preload script only as CommonJS.
        output: { format: 'cjs', entryFileNames: '[name].js' },
      },
    },
  },
  renderer: {
    root: resolve(here, 'renderer'),
    publicDir: resolve(here, 'renderer/public'),
    plugins: [react(), absoluteBase, notices, preloadFirstPage],
    build: {
      outDir: resolve(here, 'out/renderer'),
      emptyOutDir: true,
      minify: true,
      sourcemap,
      // The page's policy allows no inline scripts, and images only from the service.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 2000,
      rolldownOptions: {
        input: resolve(here, 'renderer/index.html'),
        output: {
          // Shared chunks import each other in circles. Without this, a chunk may run before its imports are ready.
          strictExecutionOrder: true,
          // One file for modules that every page needs, and a few for shared ones. By default each shared icon is a
          // file, and a start requests more than a hundred.
          codeSplitting: {
            groups: [
              { name: 'start', tags: ['$initial'] },
              { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 40_000 },
            ],
          },
          chunkFileNames: ({ name }) => `assets/${shortName(name)}-[hash].js`,
          assetFileNames: ({ names }) => `assets/${shortName(names[0])}-[hash][extname]`,
        },
      },
    },
  },
};

export default defineConfig(Object.fromEntries(Object.entries(parts).filter(([part]) => wanted.includes(part))));
