import { createHash } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** A handler file of a version. Large and binary files have no text. */
const versionFileSchema = z.object({
  path: z.string(),
  size_bytes: z.int(),
  /** Null if the file was too large to hash. */
  sha256: z.string().nullable(),
  text: z.string().nullable(),
});
export const versionFilesSchema = z.array(versionFileSchema);
export type VersionFile = z.infer<typeof versionFileSchema>;

const skipped = new Set(['.git', '__pycache__', '.DS_Store', '.ipynb_checkpoints', 'node_modules']);
const mostFiles = 500;
const longestText = 256 * 1024;
const longestRead = 64 * 1024 * 1024;

export async function readVersionFiles(folder: string): Promise<VersionFile[]> {
  const found: VersionFile[] = [];
  const pending = [''];
  for (let below = pending.pop(); below !== undefined && found.length < mostFiles; below = pending.pop()) {
    const entries = await readdir(join(folder, below), { withFileTypes: true });
    for (const entry of entries) {
      if (skipped.has(entry.name) || found.length >= mostFiles) continue;
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) pending.push(path);
      else if (entry.isFile()) found.push(await readOne(folder, path));
    }
  }
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function readOne(folder: string, path: string): Promise<VersionFile> {
  const { size } = await lstat(join(folder, path));
  if (size > longestRead) return { path, size_bytes: size, sha256: null, text: null };
  const content = await readFile(join(folder, path));
  const isText = content.length <= longestText && !content.includes(0);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { path, size_bytes: content.length, sha256, text: isText ? content.toString('utf8') : null };
}
