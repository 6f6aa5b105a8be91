import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';

export interface FoundPlugin {
  readonly file: string;
  /** Paths that its process may read: the file, or its folder. */
  readonly readable: readonly string[];
  /** Changes whenever one of its files changes. */
  readonly signature: string;
  /** Reason why it cannot be loaded at all. */
  readonly problem: string | null;
}

const moduleExtensions = new Set(['.ts', '.mts', '.js', '.mjs']);
const maxFiles = 2000;

function isModule(name: string): boolean {
  return moduleExtensions.has(extname(name)) && !/\.d\.m?ts$/.test(name);
}

const linkProblem =
  'It is or contains a symbolic link, which could point outside its folder. Replace the link by the file.';

/** Modules of a folder by name: files, and sub-folders with an `index` module. */
export async function findPlugins(folder: string): Promise<FoundPlugin[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: FoundPlugin[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (/^[._]/.test(entry.name) || entry.name === 'node_modules') continue;
    const plugin = await pluginOf(folder, entry);
    if (plugin) found.push(plugin);
  }
  return found;
}

async function pluginOf(folder: string, entry: Dirent): Promise<FoundPlugin | null> {
  const file = join(folder, entry.name);
  if (entry.isDirectory()) return folderPlugin(file);
  if (extname(entry.name) === '.cjs') {
    const problem = 'It is a CommonJS module. Write it as an ES module, with import and export.';
    return { file, readable: [], signature: '', problem };
  }
  if (!isModule(entry.name)) return null;
  if (entry.isSymbolicLink()) return { file, readable: [], signature: '', problem: linkProblem };
  if (!entry.isFile()) return null;
  const signature = await signatureOf(file);
  return { file, readable: [file], signature, problem: pathProblem(file) };
}

async function folderPlugin(folder: string): Promise<FoundPlugin | null> {
  const names = await readdir(folder).catch(() => []);
  const index = names.find((name) => name.startsWith('index.') && isModule(name));
  if (index === undefined) return null;
  const file = join(folder, index);
  const inside = await readdir(folder, { recursive: true, withFileTypes: true });
  const problem =
    pathProblem(file) ??
    (inside.length > maxFiles
      ? `Its folder has more than ${maxFiles} files.`
      : inside.some((entry) => entry.isSymbolicLink())
        ? linkProblem
        : null);
  const files = problem === null ? inside.filter((entry) => entry.isFile()) : [];
  const signatures = await Promise.all(files.map((entry) => signatureOf(join(entry.parentPath, entry.name))));
  return { file, readable: [`${folder}/`], signature: signatures.toSorted().join('\n'), problem };
}

/** Node treats `*` in a permission as a wildcard. */
function pathProblem(file: string): string | null {
  return file.includes('*') ? 'Its path contains a *.' : null;
}

async function signatureOf(file: string): Promise<string> {
  const { mtimeMs, size } = await lstat(file);
  return `${file} ${mtimeMs} ${size}`;
}
