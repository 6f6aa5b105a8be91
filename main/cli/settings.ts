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
import { addGroup, asking, show, type JsonOptions } from './commands.ts';
import { withClient } from './connection.ts';
import { note, type CliContext } from './context.ts';
import { usage } from './exit-codes.ts';

/** Names on the command line and their paths in the settings file. */
const names = {
  'ffmpeg-path': ['computer', 'ffmpeg_path'],
  'formats-folder': ['computer', 'formats_folder'],
  'update-address': ['computer', 'update_address'],
  'docker-host': ['computer', 'docker_host'],
  'dashboard-own-servers': ['computer', 'dashboard_own_servers'],
  'function-cpu-cores': ['computer', 'function_cpu_cores'],
  'function-memory-mib': ['computer', 'function_memory_mib'],
  'bucket-cache-gb': ['computer', 'bucket_cache_gb'],
  'function-gpu-memory-mib': ['computer', 'function_gpu_memory_mib'],
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
  limner settings set docker-host ~/.colima/default/docker.sock
  limner settings show --json > settings.json      and on another computer:
  limner settings import settings.json
  limner settings reset`;

export function addSettingsCommand(program: Command, context: CliContext): void {
  const add = addGroup(program, {
    name: 'settings',
    summary: 'show, change, import and reset the settings of the workbench',
    description:
      'Settings of this computer for all users of the workbench: video, functions, format plug-ins, backups, webhooks.',
    examples,
  });
  const change = (options: JsonOptions, wanted: SettingsFile): Promise<void> =>
    withClient(context, options, async (client) => {
      await applySettings(client.call, wanted);
      tell(await readSettings(client.call), options, context);
    });

  add('show', 'Shows all settings. import accepts its JSON.').action(
    asking(context, async (client, options: JsonOptions) => tell(await readSettings(client.call), options, context)),
  );
  add('set', 'Changes one setting.')
    .addArgument(new Argument('<name>', 'setting').choices(Object.keys(names)))
    .argument('<value>', 'new value; true or false for a switch')
    .action((name: Name, value: string, options: JsonOptions) => change(options, one(name, value)));
  add('reset', 'Resets one setting or all of them to the defaults, except for the backup folder.')
    .addArgument(new Argument('[name]', 'setting').choices(resettable))
    .action((name: Name | undefined, options: JsonOptions) =>
      change(options, name === undefined ? defaultSettings : at(name, valueIn(defaultSettings, name))),
    );
  add('import', 'Imports settings from a file that show --json created.')
    .argument('<file>', 'JSON file')
    .action((file: string, options: JsonOptions) => change(options, fileOf(file)));
}

function valueIn(file: SettingsFile, name: Name): unknown {
  const [part, key] = names[name];
  // All names exist in the file, but the loop loses that type.
  return (file[part] as Readonly<Record<string, unknown>> | undefined)?.[key];
}
// Settings without a default cannot be reset.
const resettable = (Object.keys(names) as Name[]).filter((name) => valueIn(defaultSettings, name) !== undefined);

function at(name: Name, value: unknown): SettingsFile {
  const [part, key] = names[name];
  return orRefuse(`"${String(value)}" is not a valid value of ${name}`, () =>
    checkSettingsFile({ [part]: { [key]: value } }),
  );
}

const switches: ReadonlySet<Name> = new Set(['backup-incremental', 'dashboard-own-servers']);

function one(name: Name, text: string): SettingsFile {
  if (name === 'backup-keep' || name === 'backup-hour' || name.startsWith('function-')) return at(name, Number(text));
  if (!switches.has(name) && !name.startsWith('webhooks-')) return at(name, text);
  return at(name, text === 'true' ? true : text === 'false' ? false : text);
}

function fileOf(file: string): SettingsFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const sentence = `Cannot read ${file}: ${reason}. Nothing was changed.`;
    throw usage(sentence, { cause: error });
  }
  return orRefuse(`${file} is not a valid settings file`, () => parseSettingsFile(text));
}

function orRefuse(sentence: string, parse: () => SettingsFile): SettingsFile {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof NoSettingsFile)) throw error;
    throw usage(`${sentence} (${error.message}). Nothing was changed.`, { cause: error });
  }
}

type Read = Awaited<ReturnType<typeof readSettings>>;

function tell({ file, tools, notice }: Read, options: JsonOptions, context: CliContext): void {
  const named = (Object.keys(names) as Name[]).map((name) => [name, valueIn(file, name) ?? '-']);
  const lines = [...named, ['ffmpeg in use', tools?.ffmpeg ?? 'none']];
  show(context, options, file, () => lines.map(([name, value]) => `${String(name).padEnd(26)}${String(value)}`));
  if (notice !== null && !options.json) note(context, notice);
}
