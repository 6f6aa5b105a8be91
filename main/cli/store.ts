import type { Command } from 'commander';
import { describeCopy, listCopies } from '../db/store/copies.ts';
import { inspectStore } from '../db/store/inspect-store.ts';
import { restoreCopy, startEmpty, whileStopped } from '../db/store/quarantine.ts';
import { storeFile } from '../db/store/store-files.ts';
import type { StoreRefused } from '../db/store/store-refused.ts';
import { dataDirectoryPaths, defaultDataDirectory, type DataDirectory } from '../platform/paths.ts';
import { addConnectionOptions, type ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';
import { refused } from './exit-codes.ts';

const shownCopies = 3;

/** Suggestions for a store that cannot be opened: one line each, with the command. */
export function suggestedActions({ problem, copies, dataDirectory }: StoreRefused): string[] {
  if (problem === 'newer' || problem === 'older') return [];
  const here = dataDirectory === defaultDataDirectory() ? '' : ` --data-dir ${quoted(dataDirectory)}`;
  return [
    'Possible actions:',
    ...copies
      .slice(0, shownCopies)
      .map(
        (copy) =>
          `  limner store restore ${copy.name}${here}\n      restores the copy of ${describeCopy(copy)}; the current store is moved to another folder`,
      ),
    ...(copies.length > shownCopies ? [`  limner store copies${here}\n      lists all ${copies.length} copies`] : []),
    ...(problem === 'damaged'
      ? [`  limner serve --open-damaged${here}\n      opens the store as it is, to export data that can still be read`]
      : []),
    `  limner store reset${here}\n      starts with an empty workbench; all current data is moved to another folder`,
    problem === 'foreign'
      ? 'Or choose another data directory with --data-dir.'
      : 'Or restore the store file, and start again.',
  ];
}

const quoted = (path: string): string => (/^[\w./:\\-]+$/.test(path) ? path : `"${path}"`);

export function addStoreCommand(program: Command, context: CliContext): void {
  const command = program
    .command('store')
    .summary('check the store, restore a copy of it, or start with an empty one')
    .description(
      'The store is the database: projects, labels, annotations and users, without images. Limner keeps ' +
        'copies of the last three days on which it ran, and of the last four weeks.',
    );
  const add = (
    name: string,
    description: string,
    run: (paths: DataDirectory, argument: string) => Promise<void> | void,
  ) =>
    addConnectionOptions(command.command(name).description(description)).action(
      (first: string | ConnectionOptions, second?: ConnectionOptions) => {
        const [argument, options] = typeof first === 'string' ? [first, second] : ['', first];
        return run(dataDirectoryPaths(options?.dataDir ?? defaultDataDirectory()), argument);
      },
    );
  add('check', 'Checks the store and lists its damage. Changes nothing.', (paths) => check(paths, context));
  add('copies', 'Lists the copies of the store.', (paths) => {
    const copies = listCopies(paths);
    if (copies.length === 0) context.print('There are no copies yet.');
    for (const copy of copies) context.print(`${copy.name}  ${describeCopy(copy)}`);
  });
  add(
    'restore <copy>',
    'Restores a copy, by its name or "newest". The current store is moved to another folder.',
    async (paths, name) => {
      const quarantine = await whileStopped(paths.root, () => restoreCopy(paths, name));
      context.print(
        `Restored the store from the copy ${quarantine.copy.name}. The previous data is in ${quarantine.folder}`,
      );
    },
  );
  add(
    'reset',
    'Moves all data to another folder and starts with an empty workbench. Deletes nothing.',
    async (paths) => {
      const folder = await whileStopped(paths.root, () => startEmpty(paths));
      context.print(`The data directory is empty now. All previous data is in ${folder}`);
      context.print(`To open it: limner serve --data-dir ${quoted(folder)}`);
    },
  );
}

async function check(paths: DataDirectory, { print }: CliContext): Promise<void> {
  if (inspectStore(paths) === 'new') return print(`There is no store in ${paths.root} yet.`);
  const { findDamage } = await import('../db/store/store-check.ts');
  const damage = findDamage({ file: storeFile(paths), depth: 'full' });
  if (damage.length === 0) return print(`The store ${storeFile(paths)} is intact.`);
  for (const line of damage) print(line);
  throw refused(
    `The store ${storeFile(paths)} is damaged. Run "limner store copies" to list the copies that can be restored.`,
  );
}
