import type { GitHost } from '../../../preload/contract/schema/git.ts';
import { forbidden, isAdmin } from '../../people/access/access-rules.ts';
import type { Actor } from '../../people/access/actor.ts';
import { invalidField } from '../../platform/errors.ts';
import type { HostKeys } from './host-keys.ts';
import { parseRemoteAddress } from './remote-address.ts';

/** Servers of repositories, and the keys by which people have confirmed them. */
export function createGitHosts(hosts: HostKeys) {
  async function host(given: string, signal: AbortSignal): Promise<GitHost> {
    const address = parseRemoteAddress(given);
    if (address.kind === 'folder') throw invalidField('address', 'A folder has no host key.');
    const confirmed = hosts.pinned(address);
    const shown = await hosts.shown(address, signal);
    const isKnown = shown.some(({ key }) => confirmed.some((one) => one.key === key));
    const state = confirmed.length === 0 ? 'unknown' : isKnown ? 'confirmed' : 'other';
    return { host: address.host, port: address.port, confirmed, shown, state };
  }

  return {
    host: (address: string, signal: AbortSignal): Promise<GitHost> => host(address, signal),

    /** The server is known by all keys that it shows together with the confirmed one. */
    async confirmHost(actor: Actor, address: string, fingerprint: string, signal: AbortSignal): Promise<GitHost> {
      const found = await host(address, signal);
      // Everybody's connections depend on it.
      if (found.state === 'other' && !isAdmin(actor)) throw forbidden();
      if (!found.shown.some((key) => key.fingerprint === fingerprint))
        throw invalidField(
          'fingerprint',
          `${found.host} shows no host key with this fingerprint. Nothing was confirmed.`,
        );
      hosts.pin(found, found.shown);
      return { ...found, confirmed: found.shown, state: 'confirmed' };
    },
  };
}
