import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeImage } from '../../support/images.ts';
import { nodeExecutable, projectRoot } from '../../support/node-executable.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const largestPackageBytes = 60_000_000;
const python = process.env['PYTHON'] ?? 'python3';

const folder = sharedFolder();
const photos = join(folder, 'photos');

/** Settings of this machine for reaching the registries. */
const isForRegistries = (name: string): boolean => /^(PIP_(?!CACHE)|SSL_|NODE_EXTRA_|(https?|no)_proxy$)/i.test(name);

/** Environment of a user without any caches or settings. */
function emptyEnvironment(name: string, path: readonly string[]): NodeJS.ProcessEnv {
  const home = join(folder, name, 'home');
  mkdirSync(home, { recursive: true });
  const kept = Object.entries(process.env).filter(([variable]) => isForRegistries(variable));
  return { ...Object.fromEntries(kept), HOME: home, PATH: path.join(':') };
}

/** Commands of a machine that has nothing but Python, and a web browser: `open-address.py`. */
function emptyMachine(): string {
  const commands = join(folder, 'commands');
  mkdirSync(commands);
  const browser = join(commands, 'xdg-open');
  const script = readFileSync(join(import.meta.dirname, 'open-address.py'), 'utf8');
  writeFileSync(browser, `#!${realPython}\n${script}`);
  chmodSync(browser, 0o755);
  return commands;
}

let realPython = '';
let commands = '';
beforeAll(async () => {
  const { stdout } = await run(python, ['-c', 'import sys; print(sys.executable)']);
  realPython = stdout.trim();
  commands = emptyMachine();
  mkdirSync(photos);
  for (const name of ['a', 'b'])
    writeFileSync(
      join(photos, `${name}.jpg`),
      await makeImage({ width: 320, height: 240, text: name, format: 'jpeg' }),
    );
});

interface Opened {
  readonly address: string;
  readonly page: string;
  readonly frame: { readonly status: number; readonly type: string; readonly bytes: number };
  /** The sample project that ships with Limner. */
  readonly sample: { readonly status: string; readonly message: string; readonly frames: number };
}

/**
 * Starts the installed program without a network, and returns what the browser found. Ends the program as Ctrl+C does.
 */
async function openPhotos(command: readonly string[], env: NodeJS.ProcessEnv): Promise<Opened> {
  const result = join(env['HOME'] ?? '', 'opened.json');
  const child = spawn(
    '/usr/bin/unshare',
    ['-rn', realPython, join(import.meta.dirname, 'with-loopback.py'), ...command, photos, '--port', '0'],
    { env: { ...env, OPENED: result }, cwd: env['HOME'], stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const ended = once(child, 'exit');
  await expect.poll(() => existsSync(result) || child.exitCode !== null).toBe(true);
  child.kill('SIGINT');
  await ended;
  expect(existsSync(result), output).toBe(true);
  return JSON.parse(readFileSync(result, 'utf8')) as Opened;
}

const firstFrame: Omit<Opened, 'address'> = {
  page: '/tasks/1/jobs/1',
  frame: { status: 200, type: 'image/jpeg', bytes: expect.any(Number) as number },
  // 12 images and a video of 60 frames.
  sample: { status: 'finished', message: expect.any(String) as string, frames: 72 },
};

describe('the package for pip', () => {
  let wheel = '';
  let python3 = '';
  let env: NodeJS.ProcessEnv = {};
  beforeAll(async () => {
    const { stdout } = await run(nodeExecutable(), [join(projectRoot, 'scripts', 'package.mjs'), 'wheel', folder], {
      cwd: projectRoot,
    });
    wheel = stdout.trim();
    const environment = join(folder, 'pip', 'environment');
    env = emptyEnvironment('pip', [join(environment, 'bin'), commands]);
    await run(realPython, ['-m', 'venv', environment], { env });
    python3 = join(environment, 'bin', 'python3');
    await run(python3, ['-m', 'pip', 'install', '--quiet', wheel], { env });
  });

  it('has at most 60 MB and contains no native modules of other platforms', async () => {
    expect(statSync(wheel).size).toBeLessThan(largestPackageBytes);
    const { stdout } = await run(realPython, ['-m', 'zipfile', '--list', wheel], { maxBuffer: 64 * 1024 * 1024 });
    const native = [...stdout.matchAll(/^(\S+\.(?:node|so[.\d]*|dll|dylib|exe))\s/gm)].map(([, name = '']) => name);
    expect(native.length).toBeGreaterThanOrEqual(5);
    const site = (await run(python3, ['-c', 'import limner; print(limner.__path__[0])'], { env })).stdout.trim();
    for (const name of native) {
      const header = readFileSync(join(site, '..', name)).subarray(0, 20);
      // Machine type of an ELF file: 62 is x86-64, 183 is AArch64.
      expect([header.toString('latin1', 1, 4), header.readUInt16LE(18)], name).toEqual([
        'ELF',
        process.arch === 'x64' ? 62 : 183,
      ]);
    }
  });

  it('opens the images of a folder and the sample project in the browser, without a network', async () => {
    const opened = await openPhotos([join(python3, '..', 'limner')], env);
    expect(opened).toMatchObject(firstFrame);
    expect(opened.frame.bytes).toBeGreaterThan(1000);
  });

  it('runs as a module of Python, with the options of the command line', async () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
    const { stdout } = await run(python3, ['-m', 'limner', '--version'], { env });
    expect(stdout.trim()).toBe(version);
  });

  it('leaves nothing beside the data when it is removed', async () => {
    await run(python3, ['-m', 'pip', 'uninstall', '--yes', '--quiet', 'limner'], { env });
    const { stdout } = await run(python3, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'], { env });
    expect(readdirSync(stdout.trim()).filter((name) => name.startsWith('limner'))).toEqual([]);
  });
});

describe('the package for npm', () => {
  const prefix = join(folder, 'npm', 'prefix');
  let archive = '';
  let env: NodeJS.ProcessEnv = {};
  beforeAll(async () => {
    const bin = join(folder, 'npm', 'bin');
    mkdirSync(bin, { recursive: true });
    symlinkSync(nodeExecutable(), join(bin, 'node'));
    const { stdout: npm } = await run('sh', ['-c', 'command -v npm']);
    symlinkSync(npm.trim(), join(bin, 'npm'));
    env = emptyEnvironment('npm', [bin, commands]);
    const { stdout } = await run(nodeExecutable(), [join(projectRoot, 'scripts', 'package.mjs'), 'npm', folder], {
      cwd: projectRoot,
    });
    archive = stdout.trim();
    // The plain command, without a network: nothing may be downloaded.
    await run(
      '/usr/bin/unshare',
      ['-rn', 'npm', 'install', '--global', '--no-audit', '--no-fund', `--prefix=${prefix}`, archive],
      { env: { ...env, PATH: `${env['PATH']}:/usr/bin:/bin` } },
    );
  });

  it('has at most 60 MB', () => {
    expect(statSync(archive).size).toBeLessThan(largestPackageBytes);
  });

  it('contains the built program and no sources', () => {
    const installed = join(prefix, 'lib', 'node_modules', 'limner');
    expect(readdirSync(installed).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'node_modules',
      'out',
      'package.json',
      'resources',
      'scripts',
    ]);
    expect(readdirSync(join(installed, 'node_modules'))).not.toContain('electron');
  });

  it('opens the images of a folder and the sample project in the browser, without a network', async () => {
    const opened = await openPhotos([join(prefix, 'bin', 'limner')], env);
    expect(opened).toMatchObject(firstFrame);
    expect(opened.frame.bytes).toBeGreaterThan(1000);
  });
});
