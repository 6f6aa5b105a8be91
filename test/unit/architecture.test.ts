import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');

interface Module {
  /** Relative to the project, with `/`. */
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

/** The rooms of main, from the ground up: who stands higher may import who stands lower. */
const rooms = [
  'platform',
  'db',
  'people',
  'formats',
  'media',
  'requests',
  'work',
  'webhooks',
  'transfer',
  'models',
  'administration',
];

/** Programs and what puts the house together stand above all rooms. */
const roof = [
  'core',
  'core.ts',
  'http',
  'dashboard',
  'workbench.ts',
  'worker.ts',
  'plugin-host.ts',
  'cli',
  'cli.ts',
  'shell',
];
const floors = [...rooms, ...roof];

/** Of a file of main; what is outside lies below everything. */
function floorOf(path: string): number {
  const room = /^main\/([^/]+)/.exec(path)?.[1];
  return room === undefined ? -1 : floors.indexOf(room);
}

/** What stands below formats: what their folders may import beside what is named for each. */
const ground = ['preload/contract', 'main/platform'];

/** The folders of formats that hold no plug-in, and what each of them, and a plug-in, may import. */
const formatFolders = {
  io: ground,
  kit: [...ground, 'main/formats/io'],
  'import-choices': [...ground, 'main/formats/io', 'main/formats/kit'],
  'user-plugins': [...ground, 'main/formats/io', 'main/formats/kit'],
  'a plug-in': [...ground, 'main/formats/io', 'main/formats/kit'],
};

/** The folder of the plug-in that a file belongs to. */
function plugInOf(path: string): string | undefined {
  const folder = /^main\/formats\/([^/]+)\//.exec(path)?.[1];
  return folder === undefined || folder in formatFolders ? undefined : folder;
}

describe('who may import whom', () => {
  test('the import graph is read at all', () => {
    expect(modules.length).toBeGreaterThan(100);
    expect(modules.flatMap((module) => module.imports).length).toBeGreaterThan(300);
  });

  test('renderer and main never import each other', () => {
    expect(breaches(inFolder('renderer'), (imported) => imported.startsWith('main/'))).toEqual([]);
    expect(breaches(inFolder('main'), (imported) => imported.startsWith('renderer/'))).toEqual([]);
  });

  test('the contract imports zod and itself only', () => {
    const own = (imported: string) => imported.startsWith('preload/contract/') || imported === 'zod';
    expect(breaches(inFolder('preload/contract'), (imported) => !own(imported))).toEqual([]);
  });

  test('only the shell and the preload import electron', () => {
    const others = modules.filter(({ path }) => !path.startsWith('main/shell/') && path !== 'preload/index.ts');
    expect(breaches(others, (imported) => imported === 'electron' || imported.startsWith('electron/'))).toEqual([]);
  });

  test('rooms of main import downwards only', () => {
    expect(breaches(inFolder('main'), (imported, { path }) => floorOf(imported) > floorOf(path))).toEqual([]);
  });

  test('folders of a room that is in order import each other one way, and so do their files', () => {
    const ordered = inFolder('main').filter(({ path }) => /^main\/(db|people|work|webhooks)\//.test(path));
    const known = new Map(ordered.map((module) => [module.path, module]));
    const below = (module: Module) => module.imports.flatMap((path) => known.get(path) ?? []);
    const arrows = new Set(
      ordered.flatMap((module) => below(module).map(({ path }) => `${dirname(module.path)} → ${dirname(path)}`)),
    );
    const mutual = [...arrows].filter((arrow) => {
      const [from, to] = arrow.split(' → ');
      return from !== to && arrows.has(`${to} → ${from}`);
    });
    expect(mutual).toEqual([]);

    const left = new Set(ordered);
    for (let size = -1; size !== left.size;) {
      size = left.size;
      for (const module of left) if (!below(module).some((one) => left.has(one))) left.delete(module);
    }
    expect([...left].map(({ path }) => path)).toEqual([]);
  });

  test('what is below http knows no web framework', () => {
    const below = inFolder('main').filter(({ path }) => floorOf(path) < floorOf('main/http/app.ts'));
    expect(breaches(below, (imported) => /^(@hono|hono)/.test(imported))).toEqual([]);
  });

  test('a plug-in imports what formats share, and nothing of another plug-in', () => {
    const isAllowed = (imported: string, { path }: Module) =>
      !/^(main|renderer|preload)\//.test(imported) ||
      imported.startsWith(`${/^main\/formats\/[^/]+/.exec(path)?.[0]}/`) ||
      formatFolders['a plug-in'].some((folder) => imported.startsWith(`${folder}/`));
    const plugIns = inFolder('main/formats').filter(({ path }) => plugInOf(path) !== undefined);
    expect(new Set(plugIns.map(({ path }) => plugInOf(path))).size).toBeGreaterThan(25);
    expect(breaches(plugIns, (imported, module) => !isAllowed(imported, module))).toEqual([]);
  });

  test.each(['io', 'kit', 'import-choices', 'user-plugins'] as const)(
    'formats/%s imports what lies below it',
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

  test('only renderer/ui imports the UI kit', () => {
    const others = inFolder('renderer').filter(({ path }) => !path.startsWith('renderer/ui/'));
    expect(breaches(others, (imported) => imported.startsWith('@mantine/'))).toEqual([]);
  });
});

describe('where things stand', () => {
  test('SQL stands in db, in repositories and in the tables of resources only', () => {
    const allowed = /^main\/db\/|-repository\.ts$|^main\/work\/tables\//;
    const sql = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\s+[a-z"]/;
    const found = modules.filter(({ path, text }) => !allowed.test(path) && path.startsWith('main/') && sql.test(text));
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  test('files get their names in one place, which brings them to the disk', () => {
    // What can be made anew, what only a running process needs, what is thrown away, and what stands aside untouched.
    const others = [
      'main/transfer/import/work-folders.ts',
      'main/db/store/set-aside.ts',
      'main/media/atomic-write.ts',
      'main/platform/instance-lock.ts',
      'main/platform/log.ts',
      'main/platform/own-end.ts',
      'main/platform/settings.ts',
    ];
    const naming = /import \{[^}]*\b(rename|renameSync|link|linkSync|copyFile|copyFileSync)\b[^}]*\} from 'node:fs/;
    const found = modules.filter(({ path, text }) => path.startsWith('main/') && naming.test(text));
    expect(found.map(({ path }) => path).sort()).toEqual([...others, 'main/platform/durable-files.ts'].sort());
  });

  test.each([
    ['main/workbench.ts', 150],
    ['main/core.ts', 120],
    ['preload/index.ts', 60],
    ['renderer/canvas/engine.ts', 400],
    ['main/http/app.ts', 150],
  ])('%s stays a hub of at most %i lines', (path, cap) => {
    const module = modules.find((one) => one.path === path);
    expect(module, `${path} is there`).toBeDefined();
    expect(module?.text.split('\n').length).toBeLessThanOrEqual(cap + 1);
  });

  test('no default exports, no enums', () => {
    const found = modules.filter(({ text }) => /^export default|^\s*(export )?(const )?enum\s/m.test(text));
    expect(found.map(({ path }) => path)).toEqual([]);
  });
});
