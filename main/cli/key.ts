import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { addConnectionOptions, withClient, type ConnectionOptions } from './connection.ts';
import { note, type CliContext } from './context.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { parseId, secretIn } from './options.ts';
import { tableLines } from './table.ts';

interface KeyOptions extends ConnectionOptions {
  readonly json?: boolean;
  readonly passphraseFile?: string;
}

const examples = `
Examples:
  limner key make "this computer"          prints the line for the server's authorized_keys
  limner key import work ~/.ssh/id_ed25519 --passphrase-file secret.txt`;

/** SSH keys of the owner of the workbench, for repositories that annotations are pushed to. */
export function addKeyCommand(program: Command, context: CliContext): void {
  const group = program
    .command('key')
    .summary("list, make, import and remove the owner's SSH keys")
    .description('SSH keys of the owner of this workbench. Private parts stay in its volume of keys, sealed.')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', examples);
  const add = (name: string, description: string): Command =>
    addConnectionOptions(group.command(name).description(description).option('--json', 'print JSON'));

  const create = (options: KeyOptions, name: string, private_key?: string): Promise<void> =>
    withClient(context, options, async (client) => {
      const passphrase = options.passphraseFile === undefined ? undefined : secretIn(options.passphraseFile);
      const key = await client.call('createSshKey', { body: { name, private_key, passphrase } });
      if (options.json) return context.print(JSON.stringify(key, null, 2));
      context.print(key.public_key);
      note(context, `Key ${key.id} "${key.name}", ${key.fingerprint}: add this line to your account at the server.`);
    });

  add('list', 'Lists the keys with their fingerprints.').action((options: KeyOptions) =>
    withClient(context, options, async (client) => {
      const { results } = await client.call('listSshKeys', {});
      if (options.json) return context.print(JSON.stringify(results, null, 2));
      const rows = results.map((key) => [
        String(key.id),
        key.name,
        key.type,
        key.fingerprint,
        key.has_passphrase ? 'passphrase' : 'open',
        key.last_used_date?.slice(0, 10) ?? 'never',
      ]);
      const head = ['ID', 'NAME', 'TYPE', 'FINGERPRINT', 'LOCK', 'LAST USED'];
      for (const line of tableLines([head, ...rows])) context.print(line);
    }),
  );
  add('make', 'Makes an ed25519 key and prints its public part.')
    .argument('<name>', 'what it is for')
    .option('--passphrase-file <file>', 'file whose first line locks the key')
    .action((name: string, options: KeyOptions) => create(options, name));
  add('import', 'Takes a key that ssh-keygen made, and prints its public part.')
    .argument('<name>', 'what it is for')
    .argument('<file>', 'the private key')
    .option('--passphrase-file <file>', 'file whose first line opens the key; it stays locked')
    .action((name: string, file: string, options: KeyOptions) => create(options, name, textOf(file)));
  add('remove', 'Deletes a key. Servers that know its public part have to forget it by themselves.')
    .argument('<id>', 'number of the key', parseId)
    .action((id: number, options: KeyOptions) =>
      withClient(context, options, async (client) => {
        await client.call('deleteSshKey', { params: { id } });
        context.print(options.json ? JSON.stringify({ id, removed: true }) : `Removed key ${id}.`);
      }),
    );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const message = `The file ${file} cannot be read. Nothing was changed.`;
    throw new CommandError(exitCodes.usage, message, { cause: error });
  }
}
