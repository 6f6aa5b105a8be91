import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Option, type Command } from 'commander';
import { createDurableFiles } from '../platform/durable-files.ts';
import { createProgressBar } from '../platform/progress-bar.ts';
import type { ApiClient } from './api-client.ts';
import { waitForRequest, download, writeProblem } from './background-request.ts';
import { counted } from './commands.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';
import { CommandError, failed, interrupted, refused, usage } from './exit-codes.ts';
import { parseCount, parseId, ofTarget } from './options.ts';
import { showReport } from './report.ts';
import { defined } from '../platform/defined.ts';

interface FramesOptions extends ConnectionOptions {
  readonly every?: number;
  readonly frames?: string;
  readonly annotated?: boolean;
  readonly count?: boolean;
  readonly toTask?: string;
  readonly output?: string;
  readonly image: 'jpeg' | 'png';
  readonly quality?: number;
  readonly ownLabels?: boolean;
  readonly annotations: boolean;
  readonly trackGroups: boolean;
}

export function addFramesCommand(program: Command, context: CliContext): void {
  const command = program
    .command('frames')
    .summary('convert frames of a video to images: a task, a folder or an archive')
    .description(
      'Converts frames of a video task to images in a new task, a folder or a ZIP archive.\n' +
        'By default converts all frames. --every, --frames and --annotated can be combined.\n' +
        'Images are named after the frame number in the video.',
    )
    .argument('<task>', 'id of the video task', parseId)
    .option('--every <n>', 'every n-th frame of all, or of each range in --frames', parseCount)
    .option('--frames <list>', 'frame numbers and ranges of the task, for example "0-100:10, 250, 300-"')
    .option('--annotated', 'only frames with annotations')
    .option('--count', 'only print the number of frames')
    .option('--to-task <name>', 'create a task with this name')
    .option('--output <path>', 'write to this folder, or to an archive if it ends in .zip')
    .addOption(new Option('--image <format>', 'format of the images').choices(['jpeg', 'png']).default('jpeg'))
    .option('--quality <1-100>', 'quality of JPEG images (default: 95)', parseCount)
    .option('--own-labels', 'with --to-task: create the task outside the project, with copies of the labels')
    .option('--no-annotations', 'with --to-task: do not copy annotations')
    .option('--no-track-groups', 'with --to-task: do not group the shapes of a track');
  addConnectionOptions(command).action(async (task: number, options: FramesOptions) => {
    const { count = false, toTask, output } = options;
    if ([count, toTask !== undefined, output !== undefined].filter(Boolean).length !== 1) {
      throw usage('Give exactly one of --to-task NAME, --output PATH and --count.');
    }
    await withClient(context, options, async (client) => {
      if (count) return printCount(client, task, options, context);
      if (toTask !== undefined) return makeTask(client, task, toTask, options, context);
      return writeFiles(client, task, output ?? '.', options, context);
    });
  });
}

const selection = ({ every, frames, annotated = false }: FramesOptions) => ({
  ...defined({ every, frames }),
  annotated,
});

const images = ({ image, quality }: FramesOptions) => ({
  image_format: image,
  image_quality: quality,
});

async function printCount(client: ApiClient, id: number, options: FramesOptions, context: CliContext): Promise<void> {
  const body = selection(options);
  const { count, total, deleted } = await ofTarget(
    { kind: 'task', id },
    client.call('countTaskFrames', { params: { id }, body }),
  );
  const without = deleted === 0 ? '' : `, without ${deleted} deleted`;
  context.print(`${count} of ${total} frames${without}`);
}

async function makeTask(
  client: ApiClient,
  id: number,
  name: string,
  options: FramesOptions,
  context: CliContext,
): Promise<void> {
  const body = {
    ...selection(options),
    ...images(options),
    name,
    same_project: options.ownLabels !== true,
    annotations: options.annotations,
    track_groups: options.trackGroups,
  };
  const { rq_id: requestId } = await ofTarget(
    { kind: 'task', id },
    client.call('createTaskFromFrames', { params: { id }, body }),
  );
  const progress = createProgressBar('Making images', context.errorOutput);
  const done = await waitForRequest(client, requestId, progress, context.stopSignal);
  const report = await client.call('getRequestReport', { params: { id: requestId } });
  await showReport(context, report, 'Imported', undefined);
  const made = await client.call('getTask', { params: { id: done.result_id ?? 0 } });
  context.print(`Task ${made.id} "${made.name}" with ${made.size ?? 0} frames`);
}

async function writeFiles(
  client: ApiClient,
  id: number,
  output: string,
  options: FramesOptions,
  context: CliContext,
): Promise<void> {
  const path = resolve(output);
  const isArchive = /\.zip$/i.test(path);
  if (!isArchive) await requireFolder(path);
  const body = { ...selection(options), ...images(options) };
  const { rq_id: requestId } = await ofTarget(
    { kind: 'task', id },
    client.call('exportFrames', { params: { id }, body }),
  );
  const progress = createProgressBar('Making images', context.errorOutput);
  const done = await waitForRequest(client, requestId, progress, context.stopSignal);
  if (done.result_url === null) {
    throw failed('The images have expired. Run the command again.');
  }
  if (isArchive) {
    context.print(`Saved ${await download(client, done.result_url, path, context)}`);
    return;
  }
  const count = await unpackInto(client, done.result_url, path, context);
  context.print(`Saved ${counted(count, 'image')} in ${path}`);
}

/** Rejects a path that is a file; the folder need not exist. */
async function requireFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found === null || found.isDirectory()) return;
  throw usage(`${path} is a file. Give a folder, or an archive that ends in .zip.`);
}

/** Unpacks the archive beside the folder, then moves the images in once all are complete. Never overwrites an image. */
async function unpackInto(client: ApiClient, url: string, folder: string, context: CliContext): Promise<number> {
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  const temporary = await mkdtemp(join(parent, `.${basename(folder)}-`));
  try {
    const archive = await download(client, url, join(temporary, 'frames.zip'), context);
    const names = await unpack(archive, temporary, context.stopSignal);
    await mkdir(folder, { recursive: true });
    const present = new Set(await readdir(folder));
    const taken = names.find((name) => present.has(name));
    if (taken !== undefined) {
      throw refused(`${join(folder, taken)} already exists. Nothing was written. Choose another folder.`);
    }
    const disk = createDurableFiles();
    for (const name of names) await disk.rename(join(temporary, name), join(folder, name));
    await disk.sync();
    return names.length;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (context.stopSignal.aborted) throw interrupted('Interrupted. Nothing was written.');
    throw failed(writeProblem(folder, error), { cause: error });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function unpack(archive: string, target: string, signal: AbortSignal): Promise<string[]> {
  // Loaded only for this command: no other command reads archives in this thread.
  const { openSource } = await import('../formats/io/open-source.ts');
  const source = await openSource({ path: archive, name: 'frames.zip' });
  try {
    const disk = createDurableFiles();
    for (const { path } of source.entries) {
      await pipeline(source.stream(path), createWriteStream(join(target, path), { flags: 'wx' }), { signal });
      disk.written(join(target, path));
    }
    await disk.sync();
    return source.entries.map(({ path }) => path);
  } finally {
    await source.close();
  }
}
