import { statSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { createProgressBar } from '../platform/progress-bar.ts';
import type { ApiClient } from './api-client.ts';
import { waitForRequest } from './background-request.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import { note, type CliContext } from './context.ts';
import { usage } from './exit-codes.ts';
import { collect, parseAmount, parseId } from './options.ts';

export const sortings = ['natural', 'lexicographical', 'predefined', 'random'] as const;

interface CreateTaskOptions extends ConnectionOptions {
  readonly label?: string[];
  readonly project?: number;
  readonly copy?: boolean;
  readonly acceptDamaged?: boolean;
  readonly sort: (typeof sortings)[number];
  readonly segmentSize: number;
  readonly json?: boolean;
}

export function addCreateTaskCommand(program: Command, context: CliContext): void {
  const command = program
    .command('create-task')
    .summary('create a task from images on this computer')
    .description('Creates a task from images, folders of images or archives. Images are used in place.')
    .argument('<name>', 'name of the task')
    .argument('<paths...>', 'images, folders or archives')
    .addOption(new Option('--label <name>', 'label; may be repeated').argParser(collect))
    .addOption(
      new Option('--project <id>', 'add the task to a project and use its labels')
        .argParser(parseId)
        .conflicts('label'),
    )
    .option('--copy', 'copy the images into the data directory, so that you can move the originals')
    .option('--accept-damaged', 'accept truncated and damaged images and videos as far as they can be read')
    .addOption(new Option('--sort <order>', 'order of the frames').choices(sortings).default('natural'))
    .addOption(
      new Option('--segment-size <frames>', 'frames per job; 0 puts all frames into one job')
        .argParser(parseAmount)
        .default(0),
    )
    .option('--json', 'print the new task as JSON');
  addConnectionOptions(command).action(async (name: string, paths: string[], options: CreateTaskOptions) => {
    const files = existingPaths(paths);
    const backup = files.find((file) => extname(file).toLowerCase() === '.limner');
    if (backup !== undefined) {
      const message = `${backup} is a backup of a workbench and contains no images. Use "limner restore" for it. No task was created.`;
      throw usage(message);
    }
    await withClient(context, options, async (client) => {
      const taskId = await createTask(client, name, files, options, context);
      const task = await client.call('getTask', { params: { id: taskId } });
      if (options.json) context.print(JSON.stringify({ id: task.id, name: task.name, size: task.size ?? 0 }));
      else context.print(`Task ${task.id} "${task.name}" with ${task.size ?? 0} frames`);
    });
  });
}

/** Creates a task from one path and returns the page of its first job. */
export async function pageOfNewTask(client: ApiClient, path: string, context: CliContext): Promise<string> {
  const files = existingPaths([path]);
  const options = { sort: 'natural', segmentSize: 0 } as const;
  const taskId = await createTask(client, basename(files[0] ?? path), files, options, context);
  const { results } = await client.call('listJobs', { query: { task_id: String(taskId) } });
  return results[0] === undefined ? `/tasks/${taskId}` : `/tasks/${taskId}/jobs/${results[0].id}`;
}

/** Creates a task with its data and returns its id. */
export async function createTask(
  client: ApiClient,
  name: string,
  files: readonly string[],
  options: Pick<CreateTaskOptions, 'label' | 'project' | 'copy' | 'acceptDamaged' | 'sort' | 'segmentSize'>,
  context: CliContext,
): Promise<number> {
  const task = await client.call('createTask', {
    body: {
      name,
      segment_size: options.segmentSize,
      ...(options.project === undefined
        ? { labels: (options.label ?? []).map((label) => ({ name: label })) }
        : { project_id: options.project }),
    },
  });
  const progress = createProgressBar('Reading images', context.errorOutput);
  try {
    const response = await client.send(`/api/tasks/${task.id}/data/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        server_files: files,
        copy_data: options.copy ?? false,
        accept_damaged: options.acceptDamaged ?? false,
        image_quality: 70,
        sorting_method: options.sort,
      }),
    });
    // The route answers `{rq_id}`: see "Background requests" in the API reference.
    const { rq_id: requestId } = (await response.json()) as { rq_id: string };
    await waitForRequest(client, requestId, progress, context.stopSignal);
    await listSkipped(client, requestId, context);
  } catch (error) {
    // An empty task is useless, and another try would leave a second one.
    await client.call('deleteTask', { params: { id: task.id } }).catch(() => {
      note(context, `The empty task ${task.id} remains. Delete it in the list of tasks.`);
    });
    throw error;
  }
  return task.id;
}

/** Lists broken images, which are skipped and do not stop the others. */
export async function listSkipped(client: ApiClient, requestId: string, context: CliContext): Promise<void> {
  const report = await client.call('getRequestReport', { params: { id: requestId } }).catch(() => null);
  if (report === null) return;
  for (const warning of report.warnings) note(context, warning);
  if (report.invalidCount === 0) return;
  note(context, `${report.invalidCount} files were skipped because they are not readable images:`);
  for (const record of report.invalid) note(context, `  ${record.file}: ${record.reason}`);
}

export function existingPaths(paths: readonly string[]): string[] {
  return paths.map((path) => {
    const absolute = resolve(path);
    if (statSync(absolute, { throwIfNoEntry: false }) === undefined) {
      throw usage(`File or folder not found: ${path}. Check its name.`);
    }
    return absolute;
  });
}
