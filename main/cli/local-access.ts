import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFileSync } from '../platform/durable-files.ts';
import type { DataDirectory } from '../platform/paths.ts';

const accessSchema = z.object({ url: z.string(), authorization: z.string() });
/** How commands on this computer reach a running instance. Every user who can read the data directory has access. */
export type LocalAccess = z.infer<typeof accessSchema>;

const accessFile = ({ keys }: DataDirectory): string => join(keys, 'command-line.json');

/** Writes the file with permissions for the owner only. */
export function writeLocalAccess(paths: DataDirectory, access: LocalAccess): void {
  replaceFileSync(accessFile(paths), JSON.stringify(access));
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
