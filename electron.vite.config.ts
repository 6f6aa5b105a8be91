import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'electron-vite';
import { build } from 'vite';
import { thirdPartyNotices } from './scripts/third-party-notices.ts';

const here = import.meta.dirname;
/** For debuggers and stack traces. Installers leave them out (electron-builder.yml). */
const sourcemap = 'hidden';

/**
 * The service serves the screens at the root, and addresses such as /tasks/5 must find their assets. electron-vite
 * presets a relative base for file:// windows, so the absolute one is set after it.
 */
const absoluteBase = {
  name: 'limner:absolute-base',
  enforce: 'post' as const,
  config: () => ({ base: '/' }),
};

/** The licences of what the program carries: for the screen that shows them, and as a file for the installers. */
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
 * Small libraries that every start needs become part of the output, without what of them is not used: reading their many
 * files takes 50 ms, a seventh of a start. All others are loaded as they are installed.
 */
const builtIn = ['zod', 'hono', '@hono/node-server', 'commander', 'yaml', 'saxes'];

/**
 * Threads and processes of plug-ins share no module with who starts them. Built apart, they cost the program nothing:
 * in one build with it whatever one of their forty jobs has in common with the program is a file of its own, and a start
 * read more than a hundred, which took a fifth of it.
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

/** A shared piece is called by all screens that share it: too long for a file. */
const shortName = (name = ''): string => name.replace(/\.\w+$/, '').replace(/~.*/, '');

/** Parts to build: all of them, or those that scripts/lib/build.mjs names since only their sources changed. */
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
        // A sandboxed window loads its preload script as CommonJS only.
        output: { format: 'cjs', entryFileNames: '[name].js' },
      },
    },
  },
  renderer: {
    root: resolve(here, 'renderer'),
    publicDir: resolve(here, 'renderer/public'),
    plugins: [react(), absoluteBase, notices],
    build: {
      outDir: resolve(here, 'out/renderer'),
      emptyOutDir: true,
      minify: true,
      sourcemap,
      // The policy of the page allows no inline scripts and images only from the service itself.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 2000,
      rolldownOptions: {
        input: resolve(here, 'renderer/index.html'),
        output: {
          // Chunks that several screens share import each other in circles: without it, what one of them needs at its
          // start may not be there yet.
          strictExecutionOrder: true,
          // What every screen needs comes as one file, and what some share as a few: left to itself each shared icon is a
          // file of its own, and a start asks for more than a hundred.
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
