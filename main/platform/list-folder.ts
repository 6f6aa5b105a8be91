import { readdirSync } from 'node:fs';

/** Names of the entries of a folder; empty if it does not exist. */
export function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
