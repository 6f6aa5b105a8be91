import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly path: string;
  /** Leaves `leaveBytes` free, by default none. */
  readonly fill: (leaveBytes?: number) => void;
  readonly free: () => void;
  readonly unmount: () => void;
}

const pageBytes = 4096;

function mount(sizeMiB: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'limner-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m`, 'limner-test', folder], { stdio: 'pipe' });
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
}

const unmount = (folder: string): void => {
  execFileSync('umount', [folder], { stdio: 'pipe' });
  rmSync(folder, { recursive: true });
};

/** Reason why no small disk can be mounted; null if it can. Mounting needs root and Linux. */
export function smallDiskProblem(): string | null {
  try {
    unmount(mount(1));
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n').at(-1) : String(error);
    return `The tests of a full disk need a tmpfs, which cannot be mounted here (${reason?.trim()}): they run as root on Linux.`;
  }
}

export function createSmallDisk(sizeMiB: number): SmallDisk {
  const path = mount(sizeMiB);
  const filler = join(path, 'filler');
  const available = () => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  };
  return {
    path,
    fill(leaveBytes = 0) {
      const handle = openSync(filler, 'a');
      const page = Buffer.alloc(pageBytes, 1);
      try {
        while (available() >= leaveBytes + pageBytes) writeSync(handle, page);
      } finally {
        closeSync(handle);
      }
    },
    free: () => rmSync(filler, { force: true }),
    unmount: () => unmount(path),
  };
}
