import { Option, type Command } from 'commander';
import type { AddImages } from '../../preload/contract/schema/resources.ts';
import { createProgressBar } from '../platform/progress-bar.ts';
import { waitForRequest } from './background-request.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';
import { existingPaths, listSkipped, sortings } from './create-task.ts';
import { parseAmount, parseCount, parseId } from './options.ts';

/** Values of `--existing` and the API's names for them. */
const rules = { skip: 'skip', replace: 'replace', 'keep-both': 'keep_both' } as const;

interface AddOptions extends ConnectionOptions {
  readonly copy?: boolean;
  readonly acceptDamaged?: boolean;
  readonly sort?: (typeof sortings)[number];
  readonly existing: keyof typeof rules;
  readonly segmentSize?: number;
  readonly every: number;
  readonly json?: boolean;
}

export function addAddCommand(program: Command, context: CliContext): void {
  const command = program
    .command('add')
    .summary('add images to a task')
    .description(
      'Adds images, folders of images, archives or videos behind the frames of a task. Images are used in place.\n' +
        'Frames of a video are converted to images, named after the video and the frame number: film_000123.jpg.',
    )
    .argument('<task>', 'id of the task', parseId)
    .argument('<paths...>', 'images, folders, archives or videos')
    .addOption(
      new Option('--existing <rule>', 'images whose names the task has').choices(Object.keys(rules)).default('skip'),
    )
    .option('--copy', 'copy the images into the data directory, so that you can move the originals')
    .option('--accept-damaged', 'accept truncated and damaged images as far as they can be read')
    .addOption(
      new Option('--sort <order>', 'order of the added images; default: the order of the task').choices(sortings),
    )
    .addOption(
      new Option(
        '--segment-size <frames>',
        'frames per job from now on; 0 puts all added images into one job',
      ).argParser(parseAmount),
    )
    .addOption(new Option('--every <n>', 'convert every n-th frame of a video').argParser(parseCount).default(1))
    .option('--json', 'print the task as JSON');
  addConnectionOptions(command).action(async (id: number, paths: string[], options: AddOptions) => {
    const files = existingPaths(paths);
    await withClient(context, options, async (client) => {
      const progress = createProgressBar('Reading images', context.errorOutput);
      const body: Partial<AddImages> = {
        server_files: files,
        copy_data: options.copy ?? false,
        accept_damaged: options.acceptDamaged ?? false,
        existing_names: rules[options.existing],
        sorting_method: options.sort,
        segment_size: options.segmentSize,
        every: options.every,
      };
      const response = await client.send(`/api/limner/tasks/${id}/images/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      // The route answers `{rq_id}`: see "Background requests" in the API reference.
      const { rq_id: requestId } = (await response.json()) as { rq_id: string };
      const { message } = await waitForRequest(client, requestId, progress, context.stopSignal);
      await listSkipped(client, requestId, context);
      const { name, size = 0 } = await client.call('getTask', { params: { id } });
      if (options.json) context.print(JSON.stringify({ id, name, size, message }));
      else context.print(`${message} Task ${id} "${name}" has ${size} frames`);
    });
  });
}
