import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable, Transform } from 'node:stream';
import type { Command } from 'commander';
import { z } from 'zod';
import { createProgressBar } from '../platform/progress-bar.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';
import { explained, interrupted, refused } from './exit-codes.ts';
import { parseVersion } from './function-options.ts';
import { parseCount } from './options.ts';
import { importableSize } from './upload.ts';
import { asking } from './commands.ts';
import { defined } from '../platform/defined.ts';

interface LogsOptions extends ConnectionOptions {
  readonly follow?: boolean;
  readonly tail: number;
}

export function addLogsCommand(group: Command, context: CliContext): void {
  const command = group
    .command('logs')
    .summary('print the log of a function')
    .description("Prints the log of the last deployment, then the last lines of the function's log.")
    .argument('<name>', 'name of the function')
    .option('-f, --follow', 'follow the log until interrupted')
    .option('--tail <lines>', "number of lines of the container's log", parseCount, 1000);
  addConnectionOptions(command).action(
    asking(context, async (client, name: string, { follow, tail }: LogsOptions) => {
      const query = new URLSearchParams({ tail: String(tail), ...defined({ follow: follow ? 'true' : undefined }) });
      const target = `/api/models/functions/${encodeURIComponent(name)}/logs?${query}`;
      try {
        const response = await explained(client.send(target, { signal: context.stopSignal }));
        await printLines(response, context.print);
      } catch (error) {
        // Following a log ends only by an interruption, which is not an error.
        if (!(follow && context.stopSignal.aborted)) throw error;
      }
    }),
  );
}

export async function printLines(response: Response, print: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of response.body ?? []) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) print(line);
  }
  if (rest !== '') print(rest);
}

export function addDeleteCommand(group: Command, context: CliContext): void {
  const command = group
    .command('delete')
    .summary('delete functions with their containers')
    .description(
      'Deletes functions with their containers, and the files and images that Limner created for them. Imported images are not deleted.',
    )
    .argument('<names...>', 'names of the functions');
  addConnectionOptions(command).action(
    asking(context, async (client, names: string[]) => {
      for (const name of names) {
        await explained(client.call('deleteModel', { params: { name } }));
        context.print(`Deleted ${name}`);
      }
    }),
  );
}

export function addRollbackCommand(group: Command, context: CliContext): void {
  const command = group
    .command('rollback')
    .summary('return to an earlier version of a function')
    .description(
      'Starts an earlier version of a function as it was deployed. The current version stays available. Runs in the ' +
        'background; `limner function logs NAME --follow` shows the progress.',
    )
    .argument('<name>', 'name of the function')
    .argument('<version>', 'the version', parseVersion);
  addConnectionOptions(command).action(
    asking(context, async (client, name: string, version: number) => {
      await explained(client.call('rollBackModel', { params: { name }, body: { version } }));
      context.print(`Starting version ${version} of ${name}`);
    }),
  );
}

const importedSchema = z.object({ images: z.array(z.string()) });

export function addImportImageCommand(group: Command, context: CliContext): void {
  const command = group
    .command('import-image')
    .summary('import images from an archive (docker save)')
    .description(
      'Imports images from an archive that `docker save` created on a computer with a network connection: .tar, .tar.gz or ' +
        '.tar.xz. Prints the names of the images, one per line.',
    )
    .argument('<file>', 'the archive');
  addConnectionOptions(command).action(async (file: string, options: ConnectionOptions) => {
    const path = resolve(file);
    const sizeBytes = await importableSize(path);
    await withClient(context, options, async (client) => {
      const progress = createProgressBar('Importing', context.errorOutput);
      const body = Readable.toWeb(createReadStream(path).compose(counted(sizeBytes, progress.update)));
      try {
        const response = await explained(
          client.send('/api/models/images/upload', {
            method: 'POST',
            headers: { 'content-type': 'application/x-tar' },
            body: body as ReadableStream,
            // Required by Node's fetch if the body is a stream.
            duplex: 'half',
            signal: context.stopSignal,
          } as RequestInit),
        );
        const { images } = importedSchema.parse(await response.json());
        progress.finish();
        if (images.length === 0) throw refused(`${file} contains no image.`);
        for (const name of images) context.print(name);
      } catch (error) {
        progress.finish();
        throw context.stopSignal.aborted ? interrupted('Interrupted.') : error;
      }
    });
  });
}

function counted(sizeBytes: number, update: (fraction: number, message: string) => void): Transform {
  let seenBytes = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      seenBytes += piece.length;
      update(seenBytes / sizeBytes, seenBytes < sizeBytes ? '' : 'Docker Engine is unpacking it');
      done(null, piece);
    },
  });
}
