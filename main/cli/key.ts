import type { Command } from 'commander';
import { addGroup, asking, show, tableLines, type JsonOptions } from './commands.ts';
import { withClient } from './connection.ts';
import { note, type CliContext } from './context.ts';
import { parseId, secretIn, textIn } from './options.ts';

interface KeyOptions extends JsonOptions {
  readonly passphraseFile?: string;
}

const examples = `
Examples:
  limner key make "this computer"          prints the line for the server's authorized_keys
  limner key import work ~/.ssh/id_ed25519 --passphrase-file secret.txt`;

export function addKeyCommand(program: Command, context: CliContext): void {
  const add = addGroup(program, {
    name: 'key',
    summary: "list, make, import and remove the owner's SSH keys",
    description: 'SSH keys of the owner of this workbench. Private parts stay in its volume of keys, sealed.',
    examples,
  });

  const create = (options: KeyOptions, name: string, private_key?: string): Promise<void> =>
    withClient(context, options, async (client) => {
      const passphrase = options.passphraseFile === undefined ? undefined : secretIn(options.passphraseFile);
      const key = await client.call('createSshKey', { body: { name, private_key, passphrase } });
      show(context, options, key, () => key.public_key);
      if (options.json) return;
      note(context, `Key ${key.id} "${key.name}", ${key.fingerprint}: add this line to your account at the server.`);
    });

  add('list', 'Lists the keys with their fingerprints.').action(
    asking(context, async (client, options: JsonOptions) => {
      const { results } = await client.call('listSshKeys', {});
      const rows = results.map((key) => [
        String(key.id),
        key.name,
        key.type,
        key.fingerprint,
        key.has_passphrase ? 'passphrase' : 'open',
        key.last_used_date?.slice(0, 10) ?? 'never',
      ]);
      const head = ['ID', 'NAME', 'TYPE', 'FINGERPRINT', 'LOCK', 'LAST USED'];
      show(context, options, results, () => tableLines([head, ...rows]));
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
    .action((name: string, file: string, options: KeyOptions) => create(options, name, textIn(file)));
  add('remove', 'Deletes a key. Servers that know its public part have to forget it by themselves.')
    .argument('<id>', 'number of the key', parseId)
    .action(
      asking(context, async (client, id: number, { json }: JsonOptions) => {
        await client.call('deleteSshKey', { params: { id } });
        context.print(json ? JSON.stringify({ id, removed: true }) : `Removed key ${id}.`);
      }),
    );
}
