import type { Command } from 'commander';
import { addition, listing, removal } from './collections.ts';
import { addGroup, type JsonOptions } from './commands.ts';
import type { CliContext } from './context.ts';
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

  const body = ({ passphraseFile }: KeyOptions, name: string, private_key?: string) => ({
    body: { name, private_key, passphrase: passphraseFile === undefined ? undefined : secretIn(passphraseFile) },
  });
  const addKey = <Typed extends readonly unknown[]>(
    command: Command,
    bodyOf: (...typed: Typed) => ReturnType<typeof body>,
  ) =>
    addition(command, context, 'createSshKey', bodyOf, ({ id, name, fingerprint, public_key }) => [
      public_key,
      `Key ${id} "${name}", ${fingerprint}: add this line to your account on the server.`,
    ]);

  listing(add('list', 'Lists the keys with their fingerprints.'), context, 'listSshKeys', {
    ID: ({ id }) => id,
    NAME: ({ name }) => name,
    TYPE: ({ type }) => type,
    FINGERPRINT: ({ fingerprint }) => fingerprint,
    LOCK: (key) => (key.has_passphrase ? 'passphrase' : 'open'),
    'LAST USED': (key) => key.last_used_date?.slice(0, 10) ?? 'never',
  });
  addKey(
    add('create', 'Creates an ed25519 key and prints its public key.')
      .argument('<name>', 'name of the key')
      .option('--passphrase-file <file>', 'file with a passphrase for the key in its first line'),
    (name: string, options: KeyOptions) => body(options, name),
  );
  addKey(
    add('import', 'Imports a key from ssh-keygen and prints its public key.')
      .argument('<name>', 'name of the key')
      .argument('<file>', 'file with the private key')
      .option('--passphrase-file <file>', "file with the key's passphrase in its first line; the key stays encrypted"),
    (name: string, file: string, options: KeyOptions) => body(options, name, textIn(file)),
  );
  removal(add('remove', 'Deletes a key. Remove its public key from your servers too.'), context, 'deleteSshKey', 'key');
}
