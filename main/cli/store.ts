import type { Command } from 'commander';
import { describeCopy, listCopies } from '../db/store/copies.ts';
import { lookAtStore } from '../db/store/look-at-store.ts';
import { restoreCopy, startAnew, whileStopped } from '../db/store/set-aside.ts';
import { storeFile } from '../db/store/store-files.ts';
import type { StoreRefused } from '../db/store/store-refused.ts';
import { dataDirectoryPaths, defaultDataDirectory, type DataDirectory } from '../platform/paths.ts';
import { addConnectionOptions, type ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';
import { refused } from './exit-codes.ts';

const shownCopies = 3;

/** Suggestions for a store that cannot be opened: one line each, with the command. */
export function waysOn({ problem, copies, dataDirectory }: StoreRefused): string[] {
  if (problem === 'newer') return [];
  const here = dataDirectory === defaultDataDirectory() ? '' : ` --data-dir ${quoted(dataDirectory)}`;
  return [
    'To go on:',
    ...copies
      .slice(0, shownCopies)
      .map(
        (copy) =>
          `  limner store restore ${copy.name}${here}\n      opens the copy of ${describeCopy(copy)}; the store of now is set aside`,
      ),
    ...(copies.length > shownCopies ? [`  limner store copies${here}\n      lists all ${copies.length} copies`] : []),
    ...(problem === 'damaged'
      ? [`  limner serve --open-damaged${here}\n      opens the store as it is, to export what can still be read`]
      : []),
    `  limner store start-anew${here}\n      begins an empty workbench; everything of now is set aside, nothing is deleted`,
    problem === 'foreign'
      ? 'Or choose another data directory with --data-dir.'
      : 'Or put the store back in its place, and start again.',
  ];
}

const quoted = (path: string): string => (/^[\w./:\\-]+$/.test(path) ? path : `"${path}"`);

export function addStoreCommand(program: Command, context: CliContext): void {
  const command = program
    .command('store')
    .summary('check the store, go back to a copy of it, or begin an empty one')
    .description(
      'The store is the database with everything but the images: projects, labels, annotations, users. Limner keeps a\n' +
        'copy of it of each of the last three days on which it ran, and of the last four weeks.',
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
  add('check', 'Reads the whole store and says what is damaged; changes nothing.', (paths) => check(paths, context));
  add('copies', 'Lists the copies that there are.', (paths) => {
    const copies = listCopies(paths);
    if (copies.length === 0) context.print('There are no copies yet.');
    for (const copy of copies) context.print(`${copy.name}  ${describeCopy(copy)}`);
  });
  add(
    'restore <copy>',
    'Goes back to a copy, by its name or "newest"; the store of now is set aside.',
    async (paths, name) => {
      const setAside = await whileStopped(paths.root, () => restoreCopy(paths, name));
      context.print(
        `The store is the copy ${setAside.copy.name} now. What was there before lies in ${setAside.folder}`,
      );
    },
  );
  add('start-anew', 'Sets everything aside and begins an empty workbench; nothing is deleted.', async (paths) => {
    const folder = await whileStopped(paths.root, () => startAnew(paths));
    context.print(`The data directory is empty now. Everything that was there lies in ${folder}`);
    context.print(`It opens with: limner serve --data-dir ${quoted(folder)}`);
  });
}

async function check(paths: DataDirectory, { print }: CliContext): Promise<void> {
  if (lookAtStore(paths) === 'new') return print(`There is no store in ${paths.root} yet.`);
  const { findDamage } = await import('../db/store/store-check.ts');
  const damage = findDamage({ file: storeFile(paths), depth: 'full' });
  if (damage.length === 0) return print(`The store ${storeFile(paths)} is whole.`);
  for (const line of damage) print(line);
  throw refused(`The store ${storeFile(paths)} is damaged. "limner store copies" lists the copies to go back to.`);
}
