import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');

interface Module {
  readonly path: string;
  readonly text: string;
  /** Project-relative paths for relative imports, package names otherwise. */
  readonly imports: readonly string[];
}

function readModules(folder: string): Module[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const text = readFileSync(file, 'utf8');
      const found = text.matchAll(
        /(?:^|\n)\s*(?:import|export)\b[^'";]*?from\s*'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s*'([^']+)'/g,
      );
      const imports = [...found].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
      const project = (name: string) => (name.startsWith('.') ? relative(root, resolve(dirname(file), name)) : name);
      return { path: relative(root, file), text, imports: imports.map(project) };
    });
}

const modules = ['main', 'preload', 'renderer'].flatMap(readModules);
const inFolder = (folder: string) => modules.filter((module) => module.path.startsWith(`${folder}/`));

/** Imports that break a rule, as `from → to`, so that a failure names them. */
function breaches(from: readonly Module[], isForbidden: (imported: string, module: Module) => boolean): string[] {
  return from.flatMap((module) =>
    module.imports
      .filter((imported) => isForbidden(imported, module))
      .map((imported) => `${module.path} → ${imported}`),
  );
}

const paths = new Set(modules.map(({ path }) => path));

/** Strongly connected groups of files, by imports of any kind including types. */
function circlesOf(all: readonly Module[]): string[][] {
  const byPath = new Map(all.map((module) => [module.path, module]));
  const found: string[][] = [];
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visit = (path: string): number => {
    const number = numbers.size;
    numbers.set(path, number);
    open.push(path);
    let low = number;
    for (const next of byPath.get(path)?.imports ?? []) {
      if (!byPath.has(next)) continue;
      if (!numbers.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? numbers.get(next) ?? low);
      lowest.set(path, low);
    }
    if (low === number) {
      const circle = open.splice(open.indexOf(path));
      if (circle.length > 1) found.push(circle.sort());
    }
    return low;
  };
  for (const { path } of all) if (!numbers.has(path)) visit(path);
  return found;
}

/**
 * Imports between siblings: `a/b/c.ts → a/d/e.ts` is an arrow from `a/b` to `a/d`. A file beside folders is a sibling
 * too, unless `ofFolders` ignores files.
 */
function siblingsOf(all: readonly Module[], ofFolders = false): Module[] {
  const arrows = new Map<string, Set<string>>();
  for (const { path, imports } of all) {
    for (const imported of imports.filter((name) => paths.has(name))) {
      const [from, to] = [path.split('/'), imported.split('/')];
      const depth = from.findIndex((part, index) => part !== to[index]) + 1;
      if (ofFolders && (depth === from.length || depth === to.length)) continue;
      const sibling = from.slice(0, depth).join('/');
      arrows.set(sibling, (arrows.get(sibling) ?? new Set()).add(to.slice(0, depth).join('/')));
    }
  }
  return [...arrows].map(([path, imports]) => ({ path, text: '', imports: [...imports] }));
}

/** Layers of main from the bottom up: a higher one may import a lower one. */
const rooms = [
  'platform',
  'db',
  'comparison',
  'users',
  'formats',
  'buckets',
  'media',
  'background-requests',
  'work',
  'webhooks',
  'import-export',
  'evaluation',
  'functions',
  'model-files',
  'audit-log',
  'analytics',
  'git-sync',
  'remote-servers',
  'settings',
  'logs',
  'backup',
  'storage',
];

/** Entry points and the composition root are above all layers. */
const roof = ['composition', 'http', 'dashboard', 'app.ts', 'worker.ts', 'plugin-host.ts', 'cli', 'cli.ts', 'shell'];
const floors = [...rooms, ...roof];

/** Layer of a file in main; files outside of main are below all layers. */
function floorOf(path: string): number {
  const room = /^main\/([^/]+)/.exec(path)?.[1];
  return room === undefined ? -1 : floors.indexOf(room);
}

const ground = ['preload/contract', 'preload/geometry', 'main/platform'];

/** Folders of formats without a plug-in, and the permitted imports of each of them and of plug-ins. */
const formatFolders = {
  io: ground,
  kit: [...ground, 'main/formats/io'],
  'import-choices': [...ground, 'main/formats/io', 'main/formats/kit'],
  'user-plugins': [...ground, 'main/formats/io', 'main/formats/kit'],
  'a plug-in': [...ground, 'main/formats/io', 'main/formats/kit'],
};

function plugInOf(path: string): string | undefined {
  const folder = /^main\/formats\/([^/]+)\//.exec(path)?.[1];
  return folder === undefined || folder in formatFolders ? undefined : folder;
}

describe('permitted imports', () => {
  test('the import graph is not empty', () => {
    expect(modules.length).toBeGreaterThan(100);
    expect(modules.flatMap((module) => module.imports).length).toBeGreaterThan(300);
  });

  test('renderer and main never import each other', () => {
    expect(breaches(inFolder('renderer'), (imported) => imported.startsWith('main/'))).toEqual([]);
    expect(breaches(inFolder('main'), (imported) => imported.startsWith('renderer/'))).toEqual([]);
  });

  test('the contract imports zod and itself only, geometry imports both only', () => {
    const own = (imported: string) => imported.startsWith('preload/contract/') || imported === 'zod';
    expect(breaches(inFolder('preload/contract'), (imported) => !own(imported))).toEqual([]);
    const below = (imported: string) => own(imported) || imported.startsWith('preload/geometry/');
    expect(breaches(inFolder('preload/geometry'), (imported) => !below(imported))).toEqual([]);
  });

  test('only the shell and the preload import electron', () => {
    const others = modules.filter(({ path }) => !path.startsWith('main/shell/') && path !== 'preload/index.ts');
    expect(breaches(others, (imported) => imported === 'electron' || imported.startsWith('electron/'))).toEqual([]);
  });

  test('only the store imports the database driver', () => {
    const found = modules.filter(({ imports }) => imports.includes('better-sqlite3'));
    expect(found.map(({ path }) => path)).toEqual(['main/db/store.ts']);
  });

  test('nothing changes a store or a statement at run time', () => {
    const patch = /Object\.(assign|defineProperty)\(\s*(\w*[dD]atabase|\w*[sS]tore|statement|query)\b/;
    expect(modules.filter(({ text }) => patch.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test('rooms of main import downwards only', () => {
    expect(breaches(inFolder('main'), (imported, { path }) => floorOf(imported) > floorOf(path))).toEqual([]);
  });

  test('code below http imports no web framework', () => {
    const below = inFolder('main').filter(({ path }) => floorOf(path) < floorOf('main/http/app.ts'));
    expect(breaches(below, (imported) => /^(@hono|hono)/.test(imported))).toEqual([]);
  });

  test('a plug-in imports shared code of formats, and nothing of another plug-in', () => {
    const isAllowed = (imported: string, { path }: Module) =>
      !/^(main|renderer|preload)\//.test(imported) ||
      imported.startsWith(`${/^main\/formats\/[^/]+/.exec(path)?.[0]}/`) ||
      formatFolders['a plug-in'].some((folder) => imported.startsWith(`${folder}/`));
    const plugIns = inFolder('main/formats').filter(({ path }) => plugInOf(path) !== undefined);
    expect(new Set(plugIns.map(({ path }) => plugInOf(path))).size).toBeGreaterThan(25);
    expect(breaches(plugIns, (imported, module) => !isAllowed(imported, module))).toEqual([]);
  });

  test.each(['io', 'kit', 'import-choices', 'user-plugins'] as const)(
    'formats/%s imports only lower layers',
    (name) => {
      const isAllowed = (imported: string) =>
        !/^(main|renderer|preload)\//.test(imported) ||
        [`main/formats/${name}`, ...formatFolders[name]].some((folder) => imported.startsWith(`${folder}/`));
      expect(breaches(inFolder(`main/formats/${name}`), (imported) => !isAllowed(imported))).toEqual([]);
    },
  );

  test('only the registry lists plug-ins', () => {
    const others = modules.filter(({ path }) => path !== 'main/formats/registry.ts' && plugInOf(path) === undefined);
    expect(breaches(others, (imported) => plugInOf(imported) !== undefined)).toEqual([]);
  });

  test('no feature imports another feature, and the canvas imports no React', () => {
    const feature = (path: string) => /^renderer\/features\/([^/]+)\//.exec(path)?.[1];
    const foreign = (imported: string, module: Module) => {
      const target = feature(imported);
      return target !== undefined && target !== feature(module.path);
    };
    expect(breaches(inFolder('renderer/features'), foreign)).toEqual([]);
    expect(breaches(inFolder('renderer/canvas'), (imported) => imported.startsWith('react'))).toEqual([]);
  });

  test('layers of the workspace import lower layers only, and its model no React', () => {
    const layers = ['model', 'commands', 'panels', 'page'];
    const layerOf = (path: string): number =>
      layers.indexOf(/^renderer\/features\/workspace\/([^/]+)\//.exec(path)?.[1] ?? '');
    const workspace = inFolder('renderer/features/workspace');
    expect(workspace.filter(({ path }) => layerOf(path) < 0)).toEqual([]);
    expect(breaches(workspace, (imported, { path }) => layerOf(imported) > layerOf(path))).toEqual([]);
    const model = inFolder('renderer/features/workspace/model');
    expect(breaches(model, (imported) => /^(react|@tanstack\/react-)/.test(imported))).toEqual([]);
    expect(model.filter(({ path }) => path.endsWith('.tsx'))).toEqual([]);
  });

  test('only renderer/ui imports the UI kit', () => {
    const others = inFolder('renderer').filter(({ path }) => !path.startsWith('renderer/ui/'));
    expect(breaches(others, (imported) => imported.startsWith('@mantine/'))).toEqual([]);
  });
});

describe('import cycles', () => {
  test('circles and folders that import each other are detected', () => {
    const file = (path: string, ...imports: string[]): Module => ({ path, text: '', imports });
    const knot = [file('a', 'b'), file('b', 'c', 'zod'), file('c', 'b', 'd'), file('d', 'e'), file('e', 'c')];
    expect(circlesOf(knot)).toEqual([['b', 'c', 'd', 'e']]);
    expect(circlesOf([file('a', 'b', 'c'), file('b', 'c'), file('c')])).toEqual([]);
  });

  test('no files import each other in a circle', () => {
    expect(circlesOf(modules)).toEqual([]);
  });

  test('no two folders beside each other import each other', () => {
    const folders = siblingsOf(modules, true);
    const mutual = folders.flatMap(({ path, imports }) =>
      folders.filter((other) => imports.includes(other.path) && other.imports.includes(path)),
    );
    expect(mutual.map(({ path }) => path)).toEqual([]);
  });

  test('no file or folder imports a sibling that imports it, directly or through others', () => {
    expect(siblingsOf(modules).length).toBeGreaterThan(600);
    expect(circlesOf(siblingsOf(modules))).toEqual([]);
  });
});

describe('the place of code', () => {
  test('SQL is only in db, in repositories and in the tables of resources', () => {
    const allowed = /^main\/db\/|-repository\.ts$|^main\/work\/tables\//;
    const sql = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\s+[a-z"]/;
    const found = modules.filter(({ path, text }) => !allowed.test(path) && path.startsWith('main/') && sql.test(text));
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  test('files are renamed in one module, which syncs them to disk', () => {
    // Recreatable files, files of a running process, temporary files, and quarantined ones.
    const others = [
      'main/cli/doctor/store-and-media.ts',
      'main/import-export/import/work-folders.ts',
      'main/db/store/quarantine.ts',
      'main/media/atomic-write.ts',
      'main/media/tiles/make-tiles.ts',
      'main/platform/instance-lock.ts',
      'main/platform/log.ts',
      'main/platform/crash-marker.ts',
      'main/platform/settings.ts',
      'main/platform/volumes.ts',
    ];
    const naming = /import \{[^}]*\b(rename|renameSync|link|linkSync|copyFile|copyFileSync)\b[^}]*\} from 'node:fs/;
    const found = modules.filter(({ path, text }) => path.startsWith('main/') && naming.test(text));
    expect(found.map(({ path }) => path).sort()).toEqual([...others, 'main/platform/durable-files.ts'].sort());
  });

  test.each([
    ['main/app.ts', 150],
    ['main/composition/services.ts', 120],
    ['preload/index.ts', 60],
    ['renderer/canvas/engine.ts', 400],
    ['main/http/app.ts', 150],
  ])('%s stays a hub of at most %i lines', (path, cap) => {
    const module = modules.find((one) => one.path === path);
    expect(module, `${path} is there`).toBeDefined();
    expect(module?.text.split('\n').length).toBeLessThanOrEqual(cap + 1);
  });

  test('a rule of the lint is disabled only with a reason', () => {
    const found = modules.flatMap(({ path, text }) =>
      [...text.matchAll(/ox?lint-disable[^\n]*/g)]
        .filter(([line]) => !/ -- \S/.test(line))
        .map(([line]) => `${path}: ${line}`),
    );
    expect(found).toEqual([]);
  });

  test('no default exports, no enums', () => {
    const found = modules.filter(({ text }) => /^export default|^\s*(export )?(const )?enum\s/m.test(text));
    expect(found.map(({ path }) => path)).toEqual([]);
  });
});
