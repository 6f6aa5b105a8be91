import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { backupParts, belongsToBackup } from './backup-layout.ts';

export interface TreeFile {
  /** Relative to the root, with `/`. */
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly changed: Date;
}

/**
 * The files of a data directory that a backup holds, all but the store. What is no plain file is not among them.
 * @param folderOf where a part is
 */
export function* backupFiles(folderOf: (part: string) => string): Generator<TreeFile> {
  for (const part of backupParts) if (part !== 'db') yield* filesBelow(folderOf(part), part);
}

function* filesBelow(folder: string, folderName: string): Generator<TreeFile> {
  for (const entry of entriesIn(folder)) {
    const name = `${folderName}/${entry.name}`;
    const path = join(folder, entry.name);
    if (!belongsToBackup(name)) continue;
    if (entry.isDirectory()) yield* filesBelow(path, name);
    else if (entry.isFile()) {
      const facts = lstatSync(path, { throwIfNoEntry: false });
      if (facts) yield { name, path, sizeBytes: facts.size, changed: facts.mtime };
    }
  }
}

/** Folders of deleted tasks go in the background. */
function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
