import { readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { z } from 'zod';
import type { shareEntrySchema } from '../../preload/contract/schema/server.ts';
import { noFacts, requireAllowed } from '../users/access/access-rules.ts';
import type { Actor } from '../users/access/actor.ts';
import { joinInside } from '../media/safe-path.ts';
import { AppError } from '../platform/errors.ts';
import { fileKind } from '../platform/file-kind.ts';

type ShareEntry = z.output<typeof shareEntrySchema>;

/** Lists folders below the share folder; empty if none is set. Leaves out links that lead outside. */
export function createShareListing(shareDirectory: () => string | null) {
  return async (actor: Actor, directory: string, search: string): Promise<ShareEntry[]> => {
    requireAllowed(actor, 'server', 'list:content', noFacts);
    const root = shareDirectory();
    if (root === null) return [];
    const folder = await resolveFolder(root, directory);
    const entries = await readdir(folder, { withFileTypes: true });
    const base = await realpath(root);
    const listed: ShareEntry[] = [];
    for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name))) {
      if (entry.name.startsWith('.') || !entry.name.startsWith(search)) continue;
      const target = await realpath(join(folder, entry.name)).catch(() => '');
      if (!isWithin(base, target)) continue;
      const isFolder = entry.isDirectory();
      if (!isFolder && !entry.isFile()) continue;
      listed.push({
        name: entry.name,
        type: isFolder ? 'DIR' : 'REG',
        mime_type: isFolder ? 'DIR' : fileKind(entry.name),
      });
    }
    return listed;
  };
}

async function resolveFolder(root: string, directory: string): Promise<string> {
  const relative = directory.replace(/^\/+|\/+$/g, '');
  try {
    const folder = await realpath(relative === '' ? root : joinInside(root, relative));
    if (isWithin(await realpath(root), folder)) return folder;
  } catch {
    // The client gets the same answer for a missing folder and one outside the share folder.
  }
  throw new AppError('not-found', 'There is no such folder in the share.');
}

const isWithin = (base: string, path: string) => path === base || path.startsWith(`${base}${sep}`);
