import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { moveIntoPlace } from '../platform/durable-files.ts';

const roomBytes = 16 * 1024 * 1024;

/**
 * Folder of an export until one day after its download: in the data directory or, if that disk is full, in the folder
 * for temporary files (`LIMNER_TMPDIR` or the system's) if that is on another disk.
 */
async function exportFolder(dataDirectory: string): Promise<string> {
  const own = join(dataDirectory, 'data', 'exports');
  await mkdir(own, { recursive: true });
  if ((await freeBytes(own)) >= roomBytes) return own;
  const elsewhere = process.env['LIMNER_TMPDIR'] ?? tmpdir();
  const [here, there] = await Promise.all([stat(own), stat(elsewhere).catch(() => null)]);
  if (there === null || there.dev === here.dev || (await freeBytes(elsewhere)) < roomBytes) return own;
  // The folder is shared, so the name is random and only the owner can read it.
  return mkdtemp(join(elsewhere, 'limner-export-'));
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Writes a file for download. Returns its path, which exists only after the file is complete. */
export async function writeExportFile<Result>(
  dataDirectory: string,
  write: (destination: string) => Promise<Result>,
): Promise<{ readonly resultFile: string; readonly written: Result }> {
  const resultFile = join(await exportFolder(dataDirectory), randomUUID());
  const destination = `${resultFile}.part`;
  try {
    const written = await write(destination);
    await moveIntoPlace(destination, resultFile);
    return { resultFile, written };
  } finally {
    await rm(destination, { force: true });
  }
}
