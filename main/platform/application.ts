import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

const packageSchema = z.object({ name: z.string(), version: z.string() });

/** Folders of the built screens and documentation; missing until `npm run build`. */
export interface BuiltPages {
  readonly renderer: string;
  readonly help: string;
}

export interface Application {
  /** Folder of the program's package.json. */
  readonly root: string;
  readonly version: string;
  readonly workerUrl: URL;
  readonly pages: BuiltPages;
}

/**
 * @param mainDirectory `main/` of the sources or `out/main/` of the build
 * @param entryFile the running entry: its extension tells which of the two runs
 */
export function locateApplication(mainDirectory: string, entryFile: string): Application {
  const { root, version } = findPackage(mainDirectory);
  return {
    root,
    version,
    workerUrl: pathToFileURL(join(mainDirectory, `worker${extname(entryFile)}`)),
    pages: { renderer: join(root, 'out', 'renderer'), help: join(root, 'out', 'docs') },
  };
}

function findPackage(start: string): { root: string; version: string } {
  for (let folder = start; ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file)) {
      const found = packageSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
      if (found.data?.name === 'limner') return { root: folder, version: found.data.version };
    }
    if (dirname(folder) === folder) throw new Error(`No package.json of Limner found above ${start}.`);
  }
}
