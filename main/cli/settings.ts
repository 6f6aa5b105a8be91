import { readFileSync } from 'node:fs';
import { Argument, type Command } from 'commander';
import {
  applySettings,
  checkSettingsFile,
  defaultSettings,
  NoSettingsFile,
  parseSettingsFile,
  readSettings,
  type SettingsFile,
} from '../../preload/contract/settings-file.ts';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';
import { CommandError, exitCodes } from './exit-codes.ts';

interface SettingsOptions extends ConnectionOptions {
  readonly json?: boolean;
}

/** Names on the command line, and where they stand in a file of settings. */
const names = {
  'ffmpeg-path': ['computer', 'ffmpeg_path'],
  'formats-folder': ['computer', 'formats_folder'],
  'function-cpu-cores': ['computer', 'function_cpu_cores'],
  'function-memory-mib': ['computer', 'function_memory_mib'],
  'function-card-mib': ['computer', 'function_card_mib'],
  'backup-folder': ['backup', 'folder'],
  'backup-every': ['backup', 'every'],
  'backup-hour': ['backup', 'hour'],
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
    .description(
      'Settings of this computer for all who use the workbench: video, functions, format plug-ins, backups, webhooks.',
    )
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', examples);
  const add = (name: string, description: string): Command =>
    addConnectionOptions(group.command(name).description(description).option('--json', 'print JSON'));
  const change = (options: SettingsOptions, wanted: SettingsFile): Promise<void> =>
    withClient(context, options, async (client) => {
      await applySettings(client.call, wanted);
      show(await readSettings(client.call), options, context);
    });

  add('show', 'Shows all settings. The JSON is what import takes.').action((options: SettingsOptions) =>
    withClient(context, options, async (client) => show(await readSettings(client.call), options, context)),
  );
  add('set', 'Changes one setting.')
    .addArgument(new Argument('<name>', 'which setting').choices(Object.keys(names)))
    .argument('<value>', 'its value; true or false for a switch')
    .action((name: Name, value: string, options: SettingsOptions) => change(options, one(name, value)));
  add('reset', 'Sets one setting, or all of them, to what they come with. The folder for backups stays.')
    .addArgument(new Argument('[name]', 'which setting').choices(resettable))
    .action((name: Name | undefined, options: SettingsOptions) =>
      change(options, name === undefined ? defaultSettings : at(name, defaultOf(name))),
    );
  add('import', 'Takes the settings of a file that show --json wrote.')
    .argument('<file>', 'JSON')
    .action((file: string, options: SettingsOptions) => change(options, fileOf(file)));
}

/** `undefined` for the one that nothing is known of before it is chosen. */
function defaultOf(name: Name): unknown {
  const [part, key] = names[name];
  // Each pair of names stands in the file, which a loop cannot express.
  return (defaultSettings[part] as Readonly<Record<string, unknown>>)[key];
}
// Its keys are the names above.
const resettable = (Object.keys(names) as Name[]).filter((name) => defaultOf(name) !== undefined);

function at(name: Name, value: unknown): SettingsFile {
  const [part, key] = names[name];
  return orRefuse(`"${String(value)}" is no value of ${name}`, () => checkSettingsFile({ [part]: { [key]: value } }));
}

function one(name: Name, text: string): SettingsFile {
  if (name === 'backup-keep' || name === 'backup-hour' || name.startsWith('function-')) return at(name, Number(text));
  if (!name.startsWith('webhooks-') && name !== 'backup-incremental') return at(name, text);
  return at(name, text === 'true' ? true : text === 'false' ? false : text);
}

function fileOf(file: string): SettingsFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const sentence = `${file} cannot be read: ${reason}. Nothing was changed.`;
    throw new CommandError(exitCodes.usage, sentence, { cause: error });
  }
  return orRefuse(`${file} is no file of settings`, () => parseSettingsFile(text));
}

function orRefuse(sentence: string, parse: () => SettingsFile): SettingsFile {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof NoSettingsFile)) throw error;
    throw new CommandError(exitCodes.usage, `${sentence} (${error.message}). Nothing was changed.`, { cause: error });
  }
}

type Read = Awaited<ReturnType<typeof readSettings>>;

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
