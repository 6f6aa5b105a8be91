import type { Command } from 'commander';
import { defaultDataDirectory } from '../platform/paths.ts';
import { openWorkbenchSettings } from '../platform/settings.ts';
import { checkForUpdate } from '../platform/update-check.ts';
import { addConnectionOptions, type ConnectionOptions } from './connection.ts';
import type { CliContext } from './context.ts';
import { usage } from './exit-codes.ts';

interface UpdateOptions extends ConnectionOptions {
  readonly url?: string;
  readonly json?: boolean;
}

export function addUpdateCommand(program: Command, context: CliContext): void {
  const command = program
    .command('update-check')
    .summary('ask a release page if there is a newer version')
    .description(
      'Asks one address for the latest release and prints its version and page. Downloads and installs nothing.\n' +
        'Limner never asks without this command.',
    )
    .option(
      '--url <address>',
      "address of the latest release in the form of GitHub's API; otherwise the environment variable LIMNER_UPDATE_URL, or the address in the settings",
    )
    .option('--json', 'print JSON: {"current", "latest", "isNewer", "page"}');
  addConnectionOptions(command).action((options: UpdateOptions) => check(options, context));
}

async function check(options: UpdateOptions, { application, print }: CliContext): Promise<void> {
  const { url, json, dataDir = defaultDataDirectory() } = options;
  const settings = openWorkbenchSettings(dataDir);
  const address = url ?? (process.env['LIMNER_UPDATE_URL'] || settings.get('updateAddress'));
  if (!address)
    throw usage(
      'Cannot check for updates: no address is set. Give it with --url, LIMNER_UPDATE_URL or ' +
        '"limner settings set update-address ADDRESS".',
    );
  const found = await checkForUpdate(address, application.version);
  if (json) return print(JSON.stringify(found, null, 2));
  print(
    found.isNewer
      ? `Limner ${found.latest} is available, this is ${found.current}: ${found.page}`
      : `Limner ${found.current} is up to date.`,
  );
}
