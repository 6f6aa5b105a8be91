import type { Command } from 'commander';
import type { OutputOf } from '../../preload/contract/operation.ts';
import type { Operations } from '../../preload/contract/operations/index.ts';
import { counted } from './commands.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';
import { refused } from './exit-codes.ts';
import { parseId, addTargetOptions, chosenTarget, ofTarget, type TargetOptions } from './options.ts';

type Change = OutputOf<Operations['listAnnotationChanges']>['results'][number];

interface UndoOptions extends ConnectionOptions, TargetOptions {
  readonly list?: boolean;
  readonly change?: number;
}

const kinds: Readonly<Record<Change['kind'], string>> = {
  import: 'import',
  replace: 'replacement',
  clear: 'clearing',
  delete: 'deletion',
  label: 'deleted labels',
  undo: 'undoing',
  frames: 'removed or replaced images',
};

export function addUndoCommand(program: Command, context: CliContext): void {
  const command = program
    .command('undo')
    .summary('undo an import, clearing or deletion of annotations')
    .description(
      'Undoes the last change of the annotations of a task or job, or of the labels of a project.\n' +
        'The same command redoes it.',
    )
    .option('--list', 'only list the changes that can be undone, with their time limits')
    .option('--change <number>', 'undo this change of the list instead of the last one', parseId);
  addConnectionOptions(addTargetOptions(command)).action(async (options: UndoOptions) => {
    const target = chosenTarget(options);
    await withClient(context, options, async (client) => {
      const query = { [`${target.kind}_id`]: target.id };
      const { results } = await ofTarget(target, client.call('listAnnotationChanges', { query }));
      if (options.list) {
        if (results.length === 0) context.print('There is nothing to undo.');
        for (const change of results) context.print(`${change.id}  ${described(change)}`);
        return;
      }
      const chosen = options.change === undefined ? results[0] : results.find(({ id }) => id === options.change);
      if (!chosen) throw refused('There is nothing to undo. Nothing was changed.');
      const { change } = await client.call('undoAnnotationChange', { params: { id: chosen.id } });
      context.print(`Undone: ${described(chosen)}`);
      if (change) context.print(`To undo this: limner undo --${target.kind} ${target.id} --change ${change.id}`);
    });
  });
}

function described({ kind, object_count: count, detail, user, created_date, expiry_date }: Change): string {
  const what = detail === '' ? kinds[kind] : `${kinds[kind]} (${detail})`;
  const by = user === null ? '' : ` by ${user.username}`;
  return `${what}, ${counted(count, 'annotation')},${by} ${moment(created_date)}, until ${moment(expiry_date)}`;
}

const moment = (date: string): string => date.slice(0, 16).replace('T', ' ');
