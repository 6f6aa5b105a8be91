import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HostKey, GitHost } from '../../preload/contract/schema/git.ts';
import { fingerprintOf } from '../users/ssh-keys/open-ssh.ts';
import { makeFolderSync, replaceFileSync } from '../platform/durable-files.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { forbidden, isAdmin } from '../users/access/access-rules.ts';
import type { Actor } from '../users/access/actor.ts';
import { parseRemoteAddress } from './remote-address.ts';

const run = promisify(execFile);
const scanSeconds = 10;

export type HostKeys = ReturnType<typeof createHostKeys>;
type Place = { readonly host: string; readonly port: number };

const nameOf = ({ host, port }: Place): string => (port === 22 ? host : `[${host}]:${port}`);

/** Known host keys in OpenSSH's `known_hosts`. Unknown servers are never contacted further. */
export function createHostKeys(dataDirectory: string) {
  const folder = join(dataDirectory, 'keys', 'ssh');
  const file = join(folder, 'known_hosts');
  const lines = (): string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []);
  const pinned = (place: Place): HostKey[] =>
    lines()
      .filter((line) => line.startsWith(`${nameOf(place)} `))
      .map(read);

  return {
    file,
    pinned,
    /** Current host keys of a server. Sends only the SSH greeting. @throws AppError 503 if no server answers */
    async offered(place: Place, signal?: AbortSignal): Promise<HostKey[]> {
      const args = ['-T', String(scanSeconds), '-p', String(place.port), '--', place.host];
      const { stdout } = await run('ssh-keyscan', args, { signal, encoding: 'utf8', windowsHide: true }).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') throw noSsh(error);
          return { stdout: '' };
        },
      );
      const found = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      if (found.length === 0)
        throw new AppError('unavailable', `No SSH server answers at ${place.host}, port ${place.port}.`);
      return found.map((line) => read(line)).toSorted((a, b) => order(a) - order(b));
    },
    pin(place: Place, keys: readonly HostKey[]): void {
      makeFolderSync(folder);
      const others = lines().filter((line) => !line.startsWith(`${nameOf(place)} `));
      const own = keys.map(({ type, key }) => `${nameOf(place)} ${type} ${key}`);
      replaceFileSync(file, [...others, ...own, ''].join('\n'));
    },
  };
}

/** Strongest first, because servers publish that one. */
const order = ({ type }: HostKey): number => (type === 'ssh-ed25519' ? 0 : 1);

function read(line: string): HostKey {
  const [, type = '', key = ''] = line.split(' ');
  return { type, key, fingerprint: fingerprintOf(Buffer.from(key, 'base64')) };
}

const noSsh = (cause: unknown) =>
  new AppError(
    'unavailable',
    'OpenSSH is not installed on this computer, or not on its PATH. Install it (Debian: openssh-client) and try again.',
    undefined,
    { cause },
  );

export function createGitHosts(hosts: HostKeys) {
  async function host(given: string, signal: AbortSignal): Promise<GitHost> {
    const address = parseRemoteAddress(given);
    if (address.kind === 'folder') throw invalidField('address', 'A folder has no host key.');
    const confirmed = hosts.pinned(address);
    const offered = await hosts.offered(address, signal);
    const isKnown = offered.some(({ key }) => confirmed.some((one) => one.key === key));
    const state = confirmed.length === 0 ? 'unknown' : isKnown ? 'confirmed' : 'changed';
    return { host: address.host, port: address.port, confirmed, offered, state };
  }

  return {
    host: (address: string, signal: AbortSignal): Promise<GitHost> => host(address, signal),

    /** Saves all keys that the server shows together with the confirmed one. */
    async confirmHost(actor: Actor, address: string, fingerprint: string, signal: AbortSignal): Promise<GitHost> {
      const found = await host(address, signal);
      // Changed keys affect the connections of all users.
      if (found.state === 'changed' && !isAdmin(actor)) throw forbidden();
      if (!found.offered.some((key) => key.fingerprint === fingerprint))
        throw invalidField(
          'fingerprint',
          `${found.host} shows no host key with this fingerprint. Nothing was confirmed.`,
        );
      hosts.pin(found, found.offered);
      return { ...found, confirmed: found.offered, state: 'confirmed' };
    },
  };
}
