import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { electron22, prepareElectron22 } from '../support/electron-22/prepare.ts';
import { nodeExecutable, projectRoot } from '../support/node-executable.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

/**
 * The shell packed by electron-builder with the rules in electron-builder.yml. The service, which Electron 22 cannot
 * run, is not in the package. test/system/packaging.test.ts packs all of the program, without Electron.
 */

const run = promisify(execFile);
const folder = sharedFolder();
const program = join(folder, 'packed', 'linux-unpacked');
const { env: serviceEnv } = await prepareElectron22();

type Rules = Record<string, unknown> & { readonly electronFuses: Record<string, boolean> };

function writeRules(): string {
  const rules = parse(readFileSync(join(projectRoot, 'electron-builder.yml'), 'utf8')) as Rules;
  // Electron 22 does not have this fuse.
  const { grantFileProtocolExtraPrivileges: _newer, ...electronFuses } = rules.electronFuses;
  const file = join(folder, 'electron-builder.json');
  const directories = { output: join(folder, 'packed'), buildResources: join(projectRoot, 'resources') };
  const linux = { ...(rules['linux'] as object), target: 'dir', icon: join(projectRoot, 'resources', 'icons') };
  const electron = { electronDist: join(folder, 'electron'), electronVersion: electron22.version };
  writeFileSync(file, JSON.stringify({ ...rules, ...electron, electronFuses, directories, linux, files: ['**/*'] }));
  return file;
}

beforeAll(async () => {
  const [app, electron] = [join(folder, 'app'), join(folder, 'electron')];
  cpSync(electron22.folder, electron, { recursive: true });
  renameSync(join(electron, 'fiftyone'), join(electron, 'electron'));
  renameSync(join(electron, 'resources', 'app'), app);
  // Belongs to another program.
  rmSync(join(electron, 'resources', 'app-update.yml'), { force: true });
  for (const name of ['AppRun', 'fiftyone.desktop', 'fiftyone.png', 'usr'])
    rmSync(join(electron, name), { recursive: true });
  const builder = join(projectRoot, 'node_modules', 'electron-builder', 'cli.js');
  await run(nodeExecutable(), [builder, '--linux', 'dir', '--x64', `--projectDir=${app}`, `--config=${writeRules()}`]);
});

describe('the packed program', () => {
  it('has the fuses of the configuration in its executable', async () => {
    const wire = await getCurrentFuseWire(join(program, 'limner'));
    const isOn = (fuse: FuseV1Options): boolean => Number(wire[fuse]) === '1'.charCodeAt(0);
    expect([
      isOn(FuseV1Options.OnlyLoadAppFromAsar),
      isOn(FuseV1Options.EnableCookieEncryption),
      isOn(FuseV1Options.EnableNodeCliInspectArguments),
      isOn(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
    ]).toEqual([true, true, false, false]);
  });

  it('creates, draws and exports a task for a user who starts it for the first time', async () => {
    const home = join(folder, 'home');
    mkdirSync(home);
    const { DISPLAY = '', XAUTHORITY = '', PATH = '' } = process.env;
    const env = { HOME: home, PATH, DISPLAY, XAUTHORITY, ...serviceEnv };
    // Chromium's sandbox does not start as root. In this namespace root is a user without rights.
    const asUser = process.getuid?.() === 0 ? ['unshare', '--map-user=1000', '--map-group=1000'] : ['env'];
    const [command = '', ...args] = [...asUser, join(program, 'limner'), '--self-test'];
    const { stdout } = await run(command, args, { env });
    expect(stdout).toMatch(/Self-test passed: a window, a task, a box, an export of \d+ bytes\./);
    expect(existsSync(join(home, '.local', 'share', 'limner'))).toBe(false);
  });

  it('loads nothing but its archive', async () => {
    const app = join(program, 'resources', 'app');
    mkdirSync(app);
    writeFileSync(join(app, 'package.json'), JSON.stringify({ main: 'replaced.js' }));
    writeFileSync(join(app, 'replaced.js'), "process.stdout.write('replaced');process.exit(0)");
    const archive = join(program, 'resources', 'app.asar');
    renameSync(archive, `${archive}.moved`);
    const outcome = await run(join(program, 'limner'), ['--no-sandbox'], { timeout: 20_000 }).catch(
      (error: { readonly stdout?: string }) => error,
    );
    renameSync(`${archive}.moved`, archive);
    rmSync(app, { recursive: true });
    expect(outcome.stdout).not.toContain('replaced');
  });
});
