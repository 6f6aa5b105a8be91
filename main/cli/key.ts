import type { Command } from 'commander';
import { listing, removal } from './collections.ts';
import { addGroup, show, type JsonOptions } from './commands.ts';
import { withClient } from './connection.ts';
import { note, type CliContext } from './context.ts';
import { secretIn, textIn } from './options.ts';

interface KeyOptions extends JsonOptions {
  readonly passphraseFile?: string;
}

const examples = `
Examples:
  limner key create "this computer"          prints the line for the server's authorized_keys
  limner key import work ~/.ssh/id_ed25519 --passphrase-file secret.txt`;

export function addKeyCommand(program: Command, context: CliContext): void {
  const add = addGroup(program, {
    name: 'key',
    summary: "list, create, import and delete the owner's SSH keys",
    description: "SSH keys of the workbench's owner. Private keys stay encrypted in the volume of keys.",
    examples,
  });

  const create = (options: KeyOptions, name: string, private_key?: string): Promise<void> =>
    withClient(context, options, async (client) => {
      const passphrase = options.passphraseFile === undefined ? undefined : secretIn(options.passphraseFile);
      const key = await client.call('createSshKey', { body: { name, private_key, passphrase } });
      show(context, options, key, () => key.public_key);
      if (options.json) return;
      note(context, `Key ${key.id} "${key.name}", ${key.fingerprint}: add this line to your account on the server.`);
    });

  listing(add('list', 'Lists the keys with their fingerprints.'), context, 'listSshKeys', {
    ID: ({ id }) => id,
    NAME: ({ name }) => name,
    TYPE: ({ type }) => type,
    FINGERPRINT: ({ fingerprint }) => fingerprint,
    LOCK: (key) => (key.has_passphrase ? 'passphrase' : 'open'),
    'LAST USED': (key) => key.last_used_date?.slice(0, 10) ?? 'never',
  });
  add('create', 'Creates an ed25519 key and prints its public key.')
    .argument('<name>', 'name of the key')
    .option('--passphrase-file <file>', 'file with a passphrase for the key in its first line')
    .action((name: string, options: KeyOptions) => create(options, name));
  add('import', 'Imports a key from ssh-keygen and prints its public key.')
    .argument('<name>', 'name of the key')
    .argument('<file>', 'file with the private key')
    .option('--passphrase-file <file>', "file with the key's passphrase in its first line; the key stays encrypted")
    .action((name: string, file: string, options: KeyOptions) => create(options, name, textIn(file)));
  removal(add('remove', 'Deletes a key. Remove its public key from your servers too.'), context, 'deleteSshKey', 'key');
}
