import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { DataDirectory } from '../platform/paths.ts';

const accessSchema = z.object({ url: z.string(), authorization: z.string() });
/** How commands on this computer reach a running instance: who may read the data directory may use its service. */
export type LocalAccess = z.infer<typeof accessSchema>;

const accessFile = ({ keys }: DataDirectory): string => join(keys, 'command-line.json');

/** Readable by the owner only, from its first byte on. */
export function writeLocalAccess(paths: DataDirectory, access: LocalAccess): void {
  const temporary = `${accessFile(paths)}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  const descriptor = openSync(temporary, 'wx', 0o600);
  try {
    writeFileSync(descriptor, JSON.stringify(access));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, accessFile(paths));
}

export function readLocalAccess(paths: DataDirectory): LocalAccess | null {
  try {
    return accessSchema.safeParse(JSON.parse(readFileSync(accessFile(paths), 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}

export function removeLocalAccess(paths: DataDirectory): void {
  rmSync(accessFile(paths), { force: true });
}
