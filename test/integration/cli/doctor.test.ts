import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Store } from '../../../main/db/store.ts';
import { createSmallDisk, smallDiskProblem } from '../../system/disk-full/small-disk.ts';
import { signIn } from '../../support/client.ts';
import { makeImages } from '../../support/images.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { startWorkbench } from '../http/support.ts';
import { sharedFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { runHere } from './support/run-here.ts';
import { runLimner, type CommandOptions } from './support/run-limner.ts';

interface Finding {
  readonly area: string;
  readonly level: 'ok' | 'note' | 'warning' | 'fault';
  readonly message: string;
  readonly suggestion: string | null;
}

const shared = sharedFolder();
const sound = join(shared, 'sound');

const workbench = await startWorkbench(sound);
const taskId = (await workbench.owner.taskWithImages({ labels: [{ name: 'car' }] }, await makeImages(3))).id;
await workbench.halt();

function ownCopy(place = join(temporaryFolder(), 'data')): string {
  cpSync(sound, place, { recursive: true, preserveTimestamps: true });
  return place;
}

async function doctor(dataDir: string, options?: CommandOptions) {
  const args = ['doctor', '--json', '--data-dir', dataDir];
  const { exitCode, output, errorOutput } = await (options ? runLimner(args, options) : runHere(args));
  const { level, findings } = JSON.parse(output) as { level: Finding['level']; findings: Finding[] };
  const about = (area: string) => findings.filter((finding) => finding.area === area);
  return { exitCode, errorOutput, level, findings, about };
}

/** Every file below a folder with its size, time, permissions and bytes. */
const stateOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const found = statSync(join(folder, name));
      const { mtimeMs, mode, size } = found;
      const bytes = found.isFile() ? readFileSync(join(folder, name), 'base64') : '';
      return { name, mtimeMs, mode, size, bytes };
    });

const storeOf = (dataDir: string) => join(dataDir, 'db', 'limner.sqlite');
const isPosix = process.platform !== 'win32';

describe('limner doctor', () => {
  it('finds no problems in an intact data directory, and changes nothing in it', async () => {
    const dataDir = ownCopy();
    const before = stateOf(dataDir);
    const { exitCode, findings, about } = await doctor(dataDir);
    expect(findings.filter(({ level }) => level === 'fault')).toEqual([]);
    expect(exitCode).toBe(0);
    expect(about('store')[0]?.message).toMatch(/is intact: .* schema \d+, journal .* free page/);
    expect(about('media')).toEqual([
      { area: 'media', level: 'ok', message: '3 files of frames, none missing.', suggestion: null },
    ]);
    expect(stateOf(dataDir)).toEqual(before);
  });

  it('prints its findings as text, each with its fix', async () => {
    const dataDir = ownCopy();
    writeFileSync(join(dataDir, 'settings.json'), '{"formatsFolder": ');
    const { output } = await runLimner(['doctor', '--data-dir', dataDir]);
    expect(output).toMatch(/^warning +settings: .*settings\.json is ignored.*\n {9}Correct or delete the file/m);
  });

  it('reports a missing data directory, and does not create it', async () => {
    const dataDir = join(temporaryFolder(), 'not', 'yet');
    const { exitCode, about } = await doctor(dataDir);
    expect(exitCode).toBe(0);
    expect(about('data directory')).toMatchObject([{ level: 'note', suggestion: 'Run limner serve to create it.' }]);
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe('limner doctor beside a running instance', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ dataDir: join(shared, 'running') });
    const client = await signIn(server);
    await client.taskWithImages({ labels: [{ name: 'car' }] }, await makeImages(2));
  });
  afterAll(async () => void (await server.stop()));

  it('names it, checks that it answers, and reads its store', async () => {
    const { exitCode, about } = await doctor(server.dataDir);
    expect(exitCode).toBe(0);
    expect(about('instance')[0]?.message).toContain(`process ${server.pid}`);
    expect(about('port')).toMatchObject([{ level: 'ok', message: `${server.url} answers.` }]);
    expect(about('media')).toMatchObject([{ level: 'ok', message: '2 files of frames, none missing.' }]);
  });
});

describe('limner doctor names a fault and the way out', () => {
  it('a damaged page of the store', async () => {
    const dataDir = ownCopy();
    const file = openSync(storeOf(dataDir), 'r+');
    const pageBytes = 4096;
    // The second page, because the first identifies the file.
    writeSync(file, Buffer.alloc(pageBytes, 0xff), 0, pageBytes, pageBytes);
    closeSync(file);
    const { exitCode, errorOutput, about } = await doctor(dataDir);
    expect(exitCode).toBe(1);
    expect(errorOutput).toMatch(/1 fault/);
    const [finding] = about('store');
    expect(finding).toMatchObject({ level: 'fault', message: expect.stringMatching(/is damaged: /) as unknown });
    expect(finding?.suggestion).toContain('limner serve --open-damaged');
  });

  it('a missing store', async () => {
    const dataDir = ownCopy();
    rmSync(storeOf(dataDir));
    const { exitCode, about } = await doctor(dataDir);
    expect(exitCode).toBe(1);
    expect(about('store')).toMatchObject([
      { level: 'fault', message: expect.stringContaining('is missing') as unknown },
    ]);
    expect(about('store')[0]?.suggestion).toContain('limner store reset');
  });

  it('a store of a newer version', async () => {
    const dataDir = ownCopy();
    const database = new Store(storeOf(dataDir));
    database.pragma('user_version = 9999');
    database.close();
    const { exitCode, about } = await doctor(dataDir);
    expect(exitCode).toBe(1);
    expect(about('store')[0]).toMatchObject({
      level: 'fault',
      message: expect.stringContaining('schema 9999') as unknown,
    });
    expect(about('store')[0]?.suggestion).toContain('Start the newer version');
  });

  it('a deleted file of a frame, and a folder without a task', async () => {
    const dataDir = ownCopy();
    const raw = join(dataDir, 'data', String(taskId), 'raw');
    const [name = ''] = readdirSync(raw);
    rmSync(join(raw, name));
    mkdirSync(join(dataDir, 'data', '4711'));
    const { exitCode, about } = await doctor(dataDir);
    expect(exitCode).toBe(1);
    const [missing, orphan] = about('media');
    expect(missing).toMatchObject({
      level: 'fault',
      suggestion: expect.stringContaining('Restore the files') as unknown,
    });
    expect(missing?.message).toContain(`${name} (task ${taskId}, frame `);
    expect(orphan).toMatchObject({ level: 'note', message: expect.stringContaining('4711') as unknown });
  });

  it.skipIf(!isPosix)('keys that others can read', async () => {
    const dataDir = ownCopy();
    const key = join(dataDir, 'keys', 'secrets.key');
    writeFileSync(key, Buffer.alloc(32, 7));
    chmodSync(key, 0o644);
    const { exitCode, about } = await doctor(dataDir);
    expect(exitCode).toBe(1);
    expect(about('keys')).toMatchObject([{ level: 'fault', message: expect.stringContaining('mode 644') as unknown }]);
    expect(about('keys')[0]?.suggestion).toContain(`chmod 600 "${key}"`);
  });

  it('a lock whose process was killed', async () => {
    const dataDir = ownCopy();
    const server = await startServer({ dataDir });
    await server.kill9();
    const { exitCode, about } = await doctor(dataDir);
    expect(about('instance')).toMatchObject([
      { level: 'note', suggestion: expect.stringContaining('replaces the lock') as unknown },
    ]);
    expect(about('instance')[0]?.message).toContain(`stale: process ${server.pid}`);
    expect(exitCode).toBe(0);
  });

  it('truncated settings', async () => {
    const dataDir = ownCopy();
    const file = join(dataDir, 'settings.json');
    writeFileSync(file, '{"formatsFolder": "/home');
    const { about } = await doctor(dataDir);
    expect(about('settings')).toMatchObject([
      { level: 'warning', suggestion: expect.stringContaining('Correct or delete') as unknown },
    ]);
    expect(readFileSync(file, 'utf8')).toBe('{"formatsFolder": "/home');
  });

  it('no ffmpeg on the PATH', async () => {
    const { about } = await doctor(sound, { env: { PATH: temporaryFolder() } });
    expect(about('ffmpeg')).toMatchObject([
      { level: 'warning', suggestion: expect.stringContaining('Install ffmpeg') as unknown },
    ]);
    expect(about('ffmpeg')[0]?.message).toContain('ffmpeg was not found');
  });

  it.skipIf(!isPosix)('no Docker Engine', async () => {
    const socket = join(temporaryFolder(), 'none.sock');
    const { about } = await doctor(sound, { env: { DOCKER_HOST: `unix://${socket}` } });
    expect(about('docker')).toMatchObject([
      { level: 'note', suggestion: expect.stringContaining('Install') as unknown },
    ]);
    expect(about('docker')[0]?.message).toContain(socket);
  });

  const noDisk = smallDiskProblem() !== null;

  it.skipIf(noDisk)('a full disk', async () => {
    const disk = createSmallDisk(48);
    onTestFinished(disk.unmount);
    const dataDir = ownCopy(join(disk.path, 'data'));
    disk.fill();
    const { exitCode, about } = await doctor(dataDir);
    expect(exitCode).toBe(1);
    expect(about('disk')).toMatchObject([
      { level: 'fault', suggestion: expect.stringContaining('Free some space') as unknown },
    ]);
    expect(about('disk')[0]?.message).toContain('is full');
    expect(about('media')).toMatchObject([{ level: 'ok' }]);
  });

  it.skipIf(noDisk)('a data directory that is read-only', async () => {
    const disk = createSmallDisk(48);
    onTestFinished(disk.unmount);
    const dataDir = ownCopy(join(disk.path, 'data'));
    execFileSync('mount', ['-o', 'remount,ro', disk.path]);
    const { exitCode, about } = await doctor(dataDir);
    expect(exitCode).toBe(1);
    expect(about('data directory')).toMatchObject([
      { level: 'fault', suggestion: expect.stringContaining('Mount it') as unknown },
    ]);
    expect(about('store')).toMatchObject([{ level: 'ok' }]);
    expect(about('media')).toMatchObject([{ level: 'ok' }]);
  });
});
