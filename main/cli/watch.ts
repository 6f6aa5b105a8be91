import type { Command } from 'commander';
import { resolve } from 'node:path';
import { counted } from './commands.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';
import { usage } from './exit-codes.ts';
import { ofTarget, parseId } from './options.ts';

interface WatchOptions extends ConnectionOptions {
  readonly off?: boolean;
  readonly json?: boolean;
}

export function addWatchCommand(program: Command, context: CliContext): void {
  const command = program
    .command('watch')
    .summary('add new images of a folder to a task')
    .description(
      'Lets the images of a folder join a task, also those that arrive later, while Limner runs.\n' +
        'Images are used in place. Subfolders are not watched. Without a folder it prints the state.',
    )
    .argument('<task>', 'id of the task', parseId)
    .argument('[folder]', 'folder of images')
    .option('--off', 'stop watching')
    .option('--json', 'print the state as JSON');
  addConnectionOptions(command).action(async (id: number, folder: string | undefined, options: WatchOptions) => {
    if (folder !== undefined && options.off) throw usage('Give either a folder or --off.');
    await withClient(context, options, async (client) => {
      const params = { id };
      const target = { kind: 'task', id } as const;
      if (options.off) await ofTarget(target, client.call('deleteWatchedFolder', { params }));
      const state =
        folder === undefined
          ? await ofTarget(target, client.call('getWatchedFolder', { params }))
          : await ofTarget(target, client.call('setWatchedFolder', { params, body: { path: resolve(folder) } }));
      if (options.json) return context.print(JSON.stringify(state));
      if (state.path === null) return context.print(`Task ${id} watches no folder.`);
      const { added_count: added, ignored_count: ignored } = state;
      context.print(
        `Task ${id} watches ${state.path}: ${counted(added, 'image')} added, ${counted(ignored, 'file')} ignored.`,
      );
      if (state.problem !== null) context.print(state.problem);
    });
  });
}
