import type { Command } from 'commander';
import { checkForUpdate } from '../platform/update-check.ts';
import type { CliContext } from './context.ts';
import { usage } from './exit-codes.ts';

interface UpdateOptions {
  readonly url?: string;
  readonly json?: boolean;
}

export function addUpdateCommand(program: Command, context: CliContext): void {
  program
    .command('update-check')
    .summary('ask a release page if there is a newer version')
    .description(
      'Asks one address for the latest release and prints its version and page. Downloads and installs nothing.\n' +
        'Limner never asks without this command.',
    )
    .option(
      '--url <address>',
      "address of the latest release in the form of GitHub's API; alternative: the environment variable LIMNER_UPDATE_URL",
    )
    .option('--json', 'print JSON: {"current", "latest", "isNewer", "page"}')
    .action((options: UpdateOptions) => check(options, context));
}

async function check({ url, json }: UpdateOptions, { application, print }: CliContext): Promise<void> {
  const address = url ?? process.env['LIMNER_UPDATE_URL'];
  if (!address) throw usage('Cannot check for updates: no address is set. Give it with --url or LIMNER_UPDATE_URL.');
  const found = await checkForUpdate(address, application.version);
  if (json) return print(JSON.stringify(found, null, 2));
  print(
    found.isNewer
      ? `Limner ${found.latest} is available, this is ${found.current}: ${found.page}`
      : `Limner ${found.current} is up to date.`,
  );
}
