import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../main/platform/errors.ts';
import { acquireInstanceLock, readInstanceHolder } from '../../../main/platform/instance-lock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const lockModule = new URL('../../../main/platform/instance-lock.ts', import.meta.url).href;

let directory: string;
let lockFile: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  directory = temporaryFolder();
  lockFile = join(directory, 'limner.lock');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that tries to take the lock, reports the result, and keeps running. */
async function contender(): Promise<{ child: ChildProcess; outcome: string }> {
  const script = `
    import { acquireInstanceLock } from ${JSON.stringify(lockModule)};
    try { acquireInstanceLock(${JSON.stringify(lockFile)}); console.log('taken'); }
    catch (error) { console.log('refused ' + error.message); }
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const outcome = await new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data))));
  return { child, outcome };
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await ended;
}

function refusal(): AppError {
  try {
    acquireInstanceLock(lockFile).release();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('The lock was given.');
}

describe('the lock of a data directory', () => {
  it('is held until it is released, and names the process and the address', () => {
    const lock = acquireInstanceLock(lockFile);
    lock.publish('http://127.0.0.1:8080');
    expect(readInstanceHolder(lockFile)).toMatchObject({ pid: process.pid, url: 'http://127.0.0.1:8080' });
    const error = refusal();
    expect(error.code).toBe('conflict');
    expect(error.message).toContain(`process ${process.pid} at http://127.0.0.1:8080`);
    lock.release();
    expect(readInstanceHolder(lockFile)).toBeNull();
    acquireInstanceLock(lockFile).release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is refused while another process has it, and free once that was killed', async () => {
    const { child, outcome } = await contender();
    expect(outcome).toContain('taken');
    expect(refusal().message).toContain(`process ${child.pid}`);
    await killed(child);
    const lock = acquireInstanceLock(lockFile);
    expect(readInstanceHolder(lockFile)?.pid).toBe(process.pid);
    lock.release();
  });

  it('is given to exactly one of several processes that find a stale one', async () => {
    const { child } = await contender();
    await killed(child);
    expect(existsSync(lockFile)).toBe(true);
    const outcomes = await Promise.all(Array.from({ length: 6 }, contender));
    expect(outcomes.filter(({ outcome }) => outcome.startsWith('taken'))).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome.startsWith('refused'))).toHaveLength(5);
  });

  it.skipIf(process.platform === 'win32')('is free when its process id now belongs to a later process', () => {
    acquireInstanceLock(lockFile);
    const holder = JSON.parse(readFileSync(lockFile, 'utf8')) as Record<string, unknown>;
    writeFileSync(lockFile, JSON.stringify({ ...holder, id: 'earlier', startTime: 'another boot:1' }));
    acquireInstanceLock(lockFile).release();
    expect(existsSync(lockFile)).toBe(false);
  });

  it('of another computer is never replaced, and the refusal says what to do', () => {
    writeFileSync(
      lockFile,
      JSON.stringify({ id: 'x', pid: 1, startTime: null, host: `not-${hostname()}`, since: '2026-01-01', url: null }),
    );
    expect(refusal().message).toContain(`on the computer not-${hostname()}`);
    expect(refusal().message).toContain(`delete ${lockFile}`);
  });

  it('that was truncated by a crash counts as stale', () => {
    writeFileSync(lockFile, '{"id":"x","pid":');
    acquireInstanceLock(lockFile).release();
    expect(existsSync(lockFile)).toBe(false);
  });

  it('released late does not free the lock of the next instance', () => {
    const first = acquireInstanceLock(lockFile);
    rmSync(lockFile);
    const second = acquireInstanceLock(lockFile);
    first.release();
    first.publish('http://127.0.0.1:1');
    expect(readInstanceHolder(lockFile)).toMatchObject({ pid: process.pid, url: null });
    second.release();
  });
});
