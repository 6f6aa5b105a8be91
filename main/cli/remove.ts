import type { Command } from 'commander';
import type { RemovedFrames } from '../../preload/contract/schema/resources.ts';
import { defined } from '../platform/defined.ts';
import { counted } from './commands.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';
import { usage } from './exit-codes.ts';
import { ofTarget, parseId } from './options.ts';

interface RemoveOptions extends ConnectionOptions {
  readonly frames?: number[];
  readonly deleted?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function addRemoveCommand(program: Command, context: CliContext): void {
  const command = program
    .command('remove')
    .summary('remove images of a task for good')
    .description(
      'Removes the images of frames from the disk, with their tags and shapes.\n' +
        'The frames keep their numbers, as deleted frames. You can undo this for a day with limner undo;\n' +
        'then the disk space is freed. Images used in place stay on disk.\n' +
        'Without --yes it only prints what would be removed.',
    )
    .argument('<task>', 'id of the task', parseId)
    .option('--frames <list>', 'frame numbers and ranges, for example "3, 10-20"', parseFrames)
    .option('--deleted', 'all deleted frames')
    .option('--yes', 'remove the images')
    .option('--json', 'print the result as JSON');
  addConnectionOptions(command).action(async (id: number, options: RemoveOptions) => {
    const { frames, deleted = false, yes = false } = options;
    if ((frames !== undefined) === deleted) throw usage('Give either --frames LIST or --deleted.');
    await withClient(context, options, async (client) => {
      const body = { ...defined({ frames }), preview: !yes };
      const result = await ofTarget({ kind: 'task', id }, client.call('removeTaskFrames', { params: { id }, body }));
      if (options.json) context.print(JSON.stringify(result));
      else for (const line of described(result, { id, yes })) context.print(line);
    });
  });
}

function described(result: RemovedFrames, { id, yes }: { readonly id: number; readonly yes: boolean }): string[] {
  const { frame_count: images, object_count: objects, bytes, files_in_place: inPlace, change } = result;
  if (images === 0) return ['None of these frames has an image. Nothing was removed.'];
  const space = `${(bytes / 1_000_000).toFixed(1)} MB`;
  const what = `${counted(images, 'image')} and ${counted(objects, 'annotation')}`;
  const kept = inPlace === 0 ? [] : [`${counted(inPlace, 'file')} used in place will stay on disk.`];
  if (!yes) return [`Would remove ${what}, ${space}.`, ...kept, 'Add --yes to remove them.'];
  const undo = change === null ? [] : [`To undo this within a day: limner undo --task ${id} --change ${change}`];
  return [`Removed ${what}, ${space}.`, ...kept, ...undo];
}

/** Reads "3, 10-20". */
function parseFrames(text: string): number[] {
  return text.split(',').flatMap((part) => {
    const [, from = '', to = from] = /^\s*(\d{1,9})(?:\s*-\s*(\d{1,9}))?\s*$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (from === '' || last < first || last - first > 1_000_000) {
      throw usage(`"${part.trim()}" is not a frame number or range. Write for example "3, 10-20".`);
    }
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
