import { readFile, writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { Option, type Command } from 'commander';
import { ApiFailure, failed, interrupted, usage } from './exit-codes.ts';
import type { ApiClient } from './api-client.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import { note, type CliContext } from './context.ts';
import { defined } from '../platform/defined.ts';

interface InvokeOptions extends ConnectionOptions {
  readonly input?: string;
  readonly body?: string;
  readonly fields?: string;
  readonly threshold?: number;
  readonly logLevel: string;
  readonly output?: string;
}

/** Other files are sent as JSON. */
const imageTypes: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.bmp': 'image/bmp',
  '.gif': 'image/gif',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
};

export function addInvokeCommand(group: Command, context: CliContext): void {
  const command = group
    .command('invoke')
    .summary('call a function and print its answer')
    .description(
      'Calls a function with an image or a JSON body and prints its answer.\n' +
        "Prints the function's log messages to standard error.",
    )
    .argument('<name>', 'name of the function')
    .option('--input <file>', 'image, or file with the JSON of the call; - reads JSON from standard input')
    .addOption(new Option('--body <json>', 'JSON of the call').conflicts('input'))
    .option('--fields <json>', 'with an image: further fields, for example {"pos_points":[[10,20]],"neg_points":[]}')
    .option('--threshold <number>', 'with an image: minimum score', Number)
    .addOption(
      new Option('--log-level <level>', 'show log messages of the function from this level on')
        .choices(['debug', 'info', 'warn', 'error', 'none'])
        .default('info'),
    )
    .option('--output <file>', 'write the answer to this file');
  addConnectionOptions(command).action(async (name: string, options: InvokeOptions) => {
    const request = await requestOf(options);
    await withClient(context, options, async (client) => {
      const response = await send(client, name, request, options, context);
      const answer = Buffer.from(await response.arrayBuffer());
      showLog(response.headers.get('x-limner-logs'), context);
      if (options.output === undefined) context.print(answer.toString('utf8'));
      else {
        await writeFile(options.output, answer);
        note(context, `Saved ${resolve(options.output)}`);
      }
    });
  });
}

interface CallRequest {
  readonly type: string;
  readonly body: Buffer | string;
  readonly query: string;
}

async function requestOf(options: InvokeOptions): Promise<CallRequest> {
  const { input, body, fields, threshold } = options;
  if (threshold !== undefined && !Number.isFinite(threshold))
    throw usage('--threshold must be a number, for example 0.5.');
  const type = input === undefined ? undefined : imageTypes[extname(input).toLowerCase()];
  const others = { ...jsonObject(fields ?? '{}', '--fields'), ...defined({ threshold }) };
  if (input !== undefined && type !== undefined) {
    const query = Object.keys(others).length === 0 ? '' : `?${new URLSearchParams({ fields: JSON.stringify(others) })}`;
    return { type, body: await contentOf(input), query };
  }
  const json = body ?? (input === undefined ? '{}' : (await contentOf(input)).toString('utf8'));
  const whole = { ...jsonObject(json, input ?? '--body'), ...others };
  return { type: 'application/json', body: JSON.stringify(whole), query: '' };
}

async function contentOf(file: string): Promise<Buffer> {
  if (file === '-') return Buffer.from(await textOf(process.stdin));
  return readFile(file).catch((cause: unknown) => {
    throw usage(`Cannot read ${file}. Check its name or give the absolute path.`, {
      cause,
    });
  });
}

function jsonObject(text: string, place: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw usage(`${place} must be a JSON object, for example {"threshold":0.5}.`);
}

async function send(
  client: ApiClient,
  name: string,
  { type, body, query }: CallRequest,
  { logLevel }: InvokeOptions,
  { stopSignal }: CliContext,
): Promise<Response> {
  try {
    return await client.send(`/api/models/functions/${encodeURIComponent(name)}/invoke${query}`, {
      method: 'POST',
      headers: {
        'content-type': type,
        ...defined({ 'x-limner-log-level': logLevel === 'none' ? undefined : logLevel }),
      },
      body: typeof body === 'string' ? body : new Uint8Array(body),
      signal: stopSignal,
    });
  } catch (error) {
    if (stopSignal.aborted) throw interrupted('Interrupted before the function answered.');
    if (!(error instanceof ApiFailure) || error.status < 500) throw error;
    const message = `Status ${error.status}: ${error.message || 'no message'}\nSee limner function logs ${name} for details.`;
    throw failed(message, { cause: error });
  }
}

interface LogRecord {
  readonly level?: unknown;
  readonly message?: unknown;
}

function showLog(header: string | null, context: CliContext): void {
  if (header === null) return;
  let records: unknown;
  try {
    records = JSON.parse(header);
  } catch {
    return;
  }
  if (!Array.isArray(records)) return;
  for (const record of records as LogRecord[]) note(context, `${String(record.level)}: ${String(record.message)}`);
}
