import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DiskState } from './fuse-server.ts';

/** A disk whose reads take time, stall or fail. */
export interface SlowDisk {
  /** Shows the files of `source`. */
  readonly path: string;
  /** Folder on the real disk, for quick changes. */
  readonly source: string;
  change(to: Partial<DiskState>): Promise<void>;
  /** Requests that wait for the stalled disk. */
  waiting(): Promise<number>;
  dispose(): Promise<void>;
}

/** Mounts a file system in user space, which needs root and /dev/fuse on Linux. Throws the reason if that fails. */
export async function mountSlowDisk(): Promise<SlowDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'limner-fuse-'));
  const [source, path] = [join(folder, 'source'), join(folder, 'disk')];
  mkdirSync(source);
  mkdirSync(path);
  const server = fork(join(import.meta.dirname, 'fuse-server.ts'), [source, path], { stdio: 'inherit' });
  const exited = once(server, 'exit');
  let state: DiskState = { readMs: 0, isStalled: false, fails: false };
  const dispose = async (): Promise<void> => {
    server.kill('SIGKILL');
    await exited;
    // The end of the process has ended all requests. Lazily, because a program may have open files.
    execFileSync('umount', ['-l', path], { stdio: 'pipe' });
    rmSync(folder, { recursive: true });
  };
  const [first] = (await Promise.race([once(server, 'message'), exited])) as [unknown];
  if (first !== 'mounted') {
    server.kill('SIGKILL');
    throw new Error(`The tests of slow disks mount a FUSE file system, as root on Linux. It failed: ${String(first)}`);
  }
  const send = async (): Promise<number> => {
    const answer = once(server, 'message');
    server.send(state);
    return Number((await answer)[0]);
  };
  return {
    path,
    source,
    async change(to) {
      state = { ...state, ...to };
      await send();
    },
    waiting: send,
    dispose,
  };
}
