import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Command } from 'commander';
import { replaceFile } from '../platform/durable-files.ts';
import { isStorageFull } from '../platform/errors.ts';
import { createProgressBar, type ProgressBar } from '../platform/progress-bar.ts';
import type { ApiClient } from './api-client.ts';
import { waitForRequest } from './background-request.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { formatOptions } from './import-options.ts';
import { collect } from './options.ts';
import { showReport } from './report.ts';
import { addTargetOptions, chosenTarget, missingTarget, type Target, type TargetOptions } from './target.ts';

interface ExportOptions extends ConnectionOptions, TargetOptions {
  readonly format: string;
  readonly saveImages?: boolean;
  readonly output?: string;
  readonly report?: string;
  readonly option?: readonly string[];
}

export function addExportCommand(program: Command, context: CliContext): void {
  const command = program
    .command('export')
    .summary('write the annotations of a task, a job or a project to a dataset file')
    .description(
      'Writes a dataset file. What the format cannot carry is counted in the report, by the rule that forbids it.',
    )
    .requiredOption('--format <name>', 'exporter, for example "COCO 1.0"; `limner formats` lists them')
    .option('--save-images', 'put the images into the file, too')
    .option('--output <file>', 'file to write, or a folder; an existing file is replaced once the new one is whole')
    .option(
      '--option <name=value>',
      'an option of the format (limner formats --options lists them); may be repeated',
      collect,
    )
    .option('--report <file>', 'also save the report as JSON');
  addConnectionOptions(addTargetOptions(command)).action(async (options: ExportOptions) => {
    const target = chosenTarget(options);
    await withClient(context, options, async (client) => {
      const format = await checkedExporter(client, options.format);
      const progress = createProgressBar('Exporting', context.errorOutput);
      const requestId = await startExport(client, target, { ...options, format });
      const finished = await waitForRequest(client, requestId, progress, context.stopSignal);
      if (finished.result_url === null) {
        throw new CommandError(
          exitCodes.failed,
          'The export finished without a file. The log of the service says why.',
        );
      }
      const file = await download(client, finished.result_url, options.output, context);
      const report = await client.call('getRequestReport', { params: { id: requestId } });
      await showReport(context, report, 'Exported', options.report);
      context.print(`Saved ${file}`);
    });
  });
}

async function startExport(
  client: ApiClient,
  target: Target,
  { format, saveImages = false, option = [] }: Pick<ExportOptions, 'format' | 'saveImages' | 'option'>,
): Promise<string> {
  const input = {
    params: { id: target.id },
    query: {
      format,
      save_images: String(saveImages),
      location: 'local' as const,
      ...(option.length === 0 ? {} : { options: JSON.stringify(formatOptions(option)) }),
    },
  };
  const operation = { task: 'exportTaskDataset', project: 'exportProjectDataset', job: 'exportJobDataset' } as const;
  const started = await client.call(operation[target.kind], input).catch((error: unknown) => {
    throw missingTarget(target, error);
  });
  return started.rq_id;
}

async function checkedExporter(client: ApiClient, name: string): Promise<string> {
  const { exporters } = await client.call('formats', {});
  const names = exporters.map((exporter) => exporter.name);
  const found = names.find((known) => known.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  throw new CommandError(exitCodes.usage, `There is no exporter "${name}". Choose one of: ${names.join(', ')}.`);
}

/** Writes beside the destination and moves the whole file into place. Answers the destination. */
async function download(
  client: ApiClient,
  resultUrl: string,
  output: string | undefined,
  { errorOutput, stopSignal }: CliContext,
): Promise<string> {
  const address = new URL(resultUrl, client.baseUrl);
  const response = await client.send(`${address.pathname}${address.search}`, { signal: stopSignal });
  const file = await destination(output, response);
  const progress = createProgressBar('Saving', errorOutput);
  const body = response.body;
  try {
    await replaceFile(file, async (temporary) => {
      await pipeline(
        // The DOM's and Node's types of the same stream differ.
        body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream<Uint8Array>),
        countBytes(Number(response.headers.get('content-length') ?? 0), progress),
        createWriteStream(temporary, { flags: 'wx' }),
        { signal: stopSignal },
      );
    });
  } catch (error) {
    progress.finish();
    if (stopSignal.aborted) throw new CommandError(exitCodes.interrupted, `Interrupted. ${file} was not written.`);
    throw new CommandError(exitCodes.failed, writeProblem(file, error), { cause: error });
  }
  progress.finish();
  return file;
}

function countBytes(totalBytes: number, progress: ProgressBar): Transform {
  let seenBytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      seenBytes += chunk.length;
      progress.update(totalBytes > 0 ? seenBytes / totalBytes : null);
      callback(null, chunk);
    },
  });
}

async function destination(output: string | undefined, response: Response): Promise<string> {
  const path = resolve(output ?? '.');
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() ?? false;
  if (!isFolder) return path;
  const named = /filename="?([A-Za-z0-9_\-. ]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return join(path, named ?? 'export.zip');
}

function writeProblem(file: string, error: unknown): string {
  if (isStorageFull(error)) return `The disk is full: ${file} was not written. Free some space and export again.`;
  const reason = error instanceof Error ? error.message : String(error);
  return `${file} could not be written (${reason}). What stood there before is kept.`;
}
