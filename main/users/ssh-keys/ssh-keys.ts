import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SshKey, SshKeyWrite } from '../../../preload/contract/schema/git.ts';
import { createFileSync, makeFolderSync } from '../../platform/durable-files.ts';
import { AppError, invalidField, invalidRequest, notFound } from '../../platform/errors.ts';
import { listFolder } from '../../platform/list-folder.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { accessTokenMayNot, type Actor, type Credentials } from '../access/actor.ts';
import { fingerprintOf, makeKey, needsPassphrase, openKey, type OpenedKey } from './open-ssh.ts';
import { createSshKeyRepository, type SshKeyRow } from './ssh-key-repository.ts';
import type { BaseDependencies } from '../../db/base-dependencies.ts';

export type SshKeys = ReturnType<typeof createSshKeys>;

const maxKeysPerUser = 50;

/**
 * SSH keys of users: the public key is in the store, the private one sealed in a file (0600) in the volume of keys. It
 * is opened in memory, for one connection, and never written unsealed.
 */
export function createSshKeys(
  dependencies: Pick<BaseDependencies, 'database' | 'dataDirectory' | 'clock'> & {
    readonly secrets: SecretBox;
  },
) {
  const { database, dataDirectory, secrets, clock } = dependencies;
  const keys = createSshKeyRepository(database);
  const folder = join(dataDirectory, 'keys', 'ssh');
  const fileOf = (id: number): string => join(folder, `${id}.key`);

  function own(actor: Actor, id: number): SshKeyRow {
    const row = keys.get(id, actor.userId);
    if (!row) throw notFound('You have no such SSH key.');
    return row;
  }

  function keep(row: Omit<SshKeyRow, 'id' | 'last_used_date'>, text: string): number {
    makeFolderSync(folder);
    return database.write(() => {
      const id = keys.insert(row);
      // Left by a process that ended between writing the file and the row.
      rmSync(fileOf(id), { force: true });
      createFileSync(fileOf(id), secrets.seal(text));
      return id;
    });
  }

  return {
    list: (actor: Actor): SshKey[] => keys.list(actor.userId).map(present),

    /** Creates a key, or imports an existing one. The passphrase is checked and not stored. */
    async create(actor: Actor, credentials: Credentials, input: SshKeyWrite): Promise<SshKey> {
      if (credentials.kind === 'access-token') throw accessTokenMayNot('manage SSH keys');
      if (keys.list(actor.userId).length >= maxKeysPerUser)
        throw invalidRequest(`You already have ${maxKeysPerUser} SSH keys. Delete one that is not in use.`);
      const text = input.private_key ?? (await makeKey(input.name, input.passphrase));
      const key = await openKey(text, input.passphrase);
      const blob = key.getPublicSSH();
      const fingerprint = fingerprintOf(blob);
      if (keys.list(actor.userId).some((one) => one.fingerprint === fingerprint))
        throw invalidField('private_key', 'You already have this key.');
      const row = {
        user_id: actor.userId,
        name: input.name,
        public_key: [key.type, blob.toString('base64'), key.comment || input.name].join(' '),
        fingerprint,
        has_passphrase: (await needsPassphrase(text)) ? 1 : 0,
        created_date: clock(),
      };
      return present(own(actor, keep(row, text)));
    },

    remove(actor: Actor, credentials: Credentials, id: number): void {
      if (credentials.kind === 'access-token') throw accessTokenMayNot('manage SSH keys');
      keys.remove(own(actor, id).id);
      rmSync(fileOf(id), { force: true });
    },

    /**
     * Opens a key for one connection.
     * @param id absent: the user's only key
     * @throws AppError 400 for a missing or wrong passphrase, or if several keys are possible
     */
    async open(actor: Actor, id: number | undefined, passphrase: string | undefined): Promise<OpenedKey> {
      const row = id === undefined ? onlyKey(keys.list(actor.userId)) : own(actor, id);
      const key = await openKey(secrets.open(readSealed(fileOf(row.id), row.name)), passphrase);
      keys.used(row.id, clock());
      return key;
    },

    housekeep(): void {
      const known = new Set(keys.ids().map((id) => `${id}.key`));
      for (const name of listFolder(folder)) if (!known.has(name) && name.endsWith('.key')) rmSync(join(folder, name));
    },
  };
}

function onlyKey(rows: readonly SshKeyRow[]): SshKeyRow {
  const [only, another] = rows;
  if (!only) throw invalidField('key_id', 'You have no SSH key yet. Make or import one under Settings, SSH keys.');
  if (another) throw invalidField('key_id', 'You have several SSH keys. Choose one of them.');
  return only;
}

function readSealed(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const message = `The file of the SSH key "${name}" is missing from the volume of keys. Delete the key and import it again.`;
    throw new AppError('unavailable', message, undefined, { cause });
  }
}

const present = (row: SshKeyRow): SshKey => ({
  id: row.id,
  name: row.name,
  type: row.public_key.split(' ', 1)[0] ?? '',
  public_key: row.public_key,
  fingerprint: row.fingerprint,
  has_passphrase: row.has_passphrase === 1,
  created_date: row.created_date,
  last_used_date: row.last_used_date,
});
