import { readFileSync } from 'node:fs';
import { Argument, type Command } from 'commander';
import { z } from 'zod';
import { workbenchSettingsPatchSchema } from '../../preload/contract/schema/settings.ts';
import type { ApiClient } from './api-client.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';
import { CommandError, exitCodes } from './exit-codes.ts';

interface SettingsOptions extends ConnectionOptions {
  readonly json?: boolean;
}

/** Every setting of the workbench that a file carries from one computer to another. */
const fileSchema = z.strictObject({
  computer: workbenchSettingsPatchSchema.strict().optional(),
  backup: z
    .strictObject({
      folder: z.string().optional(),
      every: z.enum(['never', 'day', 'week']).optional(),
      keep: z.int().optional(),
      incremental: z.boolean().optional(),
    })
    .optional(),
  webhooks: z
    .strictObject({ allow_loopback: z.boolean().optional(), allow_private_networks: z.boolean().optional() })
    .optional(),
});
type SettingsFile = z.output<typeof fileSchema>;

/** Names on the command line, and where they stand in a file of settings. */
const names = {
  'ffmpeg-path': ['computer', 'ffmpeg_path'],
  'formats-folder': ['computer', 'formats_folder'],
  'backup-folder': ['backup', 'folder'],
  'backup-every': ['backup', 'every'],
  'backup-keep': ['backup', 'keep'],
  'backup-incremental': ['backup', 'incremental'],
  'webhooks-loopback': ['webhooks', 'allow_loopback'],
  'webhooks-private-networks': ['webhooks', 'allow_private_networks'],
} as const;
type Name = keyof typeof names;

const examples = `
Examples:
  limner settings show
  limner settings set ffmpeg-path /opt/ffmpeg/bin
  limner settings show --json > settings.json      and on another computer:
  limner settings import settings.json
  limner settings reset`;

export function addSettingsCommand(program: Command, context: CliContext): void {
  const group = program
    .command('settings')
    .summary('show, change, import and reset the settings of the workbench')
    .description('Settings of this computer for all who use the workbench: video, format plug-ins, backups, webhooks.')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', examples);
  const add = (name: string, description: string): Command =>
    addConnectionOptions(group.command(name).description(description).option('--json', 'print JSON'));
  const change = (options: SettingsOptions, wanted: SettingsFile): Promise<void> =>
    withClient(context, options, async (client) => {
      await apply(client, wanted);
      show(await read(client), options, context);
    });

  add('show', 'Shows all settings. The JSON is what import takes.').action((options: SettingsOptions) =>
    withClient(context, options, async (client) => show(await read(client), options, context)),
  );
  add('set', 'Changes one setting.')
    .addArgument(new Argument('<name>', 'which setting').choices(Object.keys(names)))
    .argument('<value>', 'its value; true or false for a switch')
    .action((name: Name, value: string, options: SettingsOptions) => change(options, one(name, value)));
  add('reset', 'Sets one setting, or all of them, to what they come with. The folder for backups stays.')
    .addArgument(new Argument('[name]', 'which setting').choices(Object.keys(defaults)))
    .action((name: keyof typeof defaults | undefined, options: SettingsOptions) =>
      change(
        options,
        merge(
          (name === undefined ? Object.entries(defaults) : [[name, defaults[name]] as const]).map(([key, value]) =>
            at(key as Name, value),
          ),
        ),
      ),
    );
  add('import', 'Takes the settings of a file that show --json wrote.')
    .argument('<file>', 'JSON')
    .action((file: string, options: SettingsOptions) => change(options, fileOf(file)));
}

const defaults = {
  'ffmpeg-path': null,
  'formats-folder': null,
  'backup-every': 'never',
  'backup-keep': 7,
  'backup-incremental': false,
  'webhooks-loopback': true,
  'webhooks-private-networks': false,
} as const;

function at(name: Name, value: unknown): SettingsFile {
  const [part, key] = names[name];
  return checked({ [part]: { [key]: value } }, `"${String(value)}" is no value of ${name}`);
}

function one(name: Name, text: string): SettingsFile {
  if (name === 'backup-keep') return at(name, Number(text));
  if (!name.startsWith('webhooks-') && name !== 'backup-incremental') return at(name, text);
  return at(name, text === 'true' ? true : text === 'false' ? false : text);
}

const merge = (parts: readonly SettingsFile[]): SettingsFile => ({
  computer: Object.assign({}, ...parts.map(({ computer }) => computer)),
  backup: Object.assign({}, ...parts.map(({ backup }) => backup)),
  webhooks: Object.assign({}, ...parts.map(({ webhooks }) => webhooks)),
});

function fileOf(file: string): SettingsFile {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(exitCodes.usage, `${file} cannot be read: ${reason}. Nothing was changed.`, {
      cause: error,
    });
  }
  return checked(value, `${file} is no file of settings`);
}

function checked(value: unknown, sentence: string): SettingsFile {
  const { data, error } = fileSchema.safeParse(value);
  if (data) return data;
  const [issue] = error.issues;
  const place = issue?.path.join('.') ?? '';
  const reason = `${place === '' ? '' : `${place}: `}${issue?.message ?? ''}`;
  throw new CommandError(exitCodes.usage, `${sentence} (${reason}). Nothing was changed.`);
}

async function read(client: ApiClient) {
  const { ffmpeg_path, formats_folder, video_tools: tools, notice } = await client.call('getSettings', {});
  const { settings: backup } = await client.call('getBackups', {});
  const webhooks = await client.call('getWebhookSettings', {});
  return { file: { computer: { ffmpeg_path, formats_folder }, backup, webhooks }, tools, notice };
}

/** What can be refused is asked first: the others are changed only then. */
async function apply(client: ApiClient, { computer, backup, webhooks }: SettingsFile): Promise<void> {
  if (computer) await client.call('changeSettings', { body: computer });
  if (backup) await client.call('changeBackupSettings', { body: backup });
  if (webhooks) await client.call('updateWebhookSettings', { body: webhooks });
}

type Read = Awaited<ReturnType<typeof read>>;

function show({ file, tools, notice }: Read, { json }: SettingsOptions, context: CliContext): void {
  if (json) return context.print(JSON.stringify(file, null, 2));
  for (const [name, [part, key]] of Object.entries(names)) {
    // Each pair of names stands in the file, which a loop cannot express.
    const value = (file[part] as Readonly<Record<string, unknown>>)[key];
    context.print(`${name.padEnd(26)}${value === null ? '-' : String(value)}`);
  }
  context.print(`${'ffmpeg in use'.padEnd(26)}${tools?.ffmpeg ?? 'none'}`);
  if (notice !== null) context.errorOutput.write(`${notice}\n`);
}
