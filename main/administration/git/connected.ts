import type { GitBinding, GitPushWrite } from '../../../preload/contract/schema/git.ts';
import type { Actor } from '../../people/access/actor.ts';
import type { SshKeys } from '../../people/keys/ssh-keys.ts';
import type { GitConnection } from './git-program.ts';
import { withKeyAgent } from './key-agent.ts';
import { parseRemoteAddress } from './remote-address.ts';

export type Connected = ReturnType<typeof createConnected>;

/** Opens the way to a remote for as long as something is asked of it: with a key of the person, where it needs one. */
export function createConnected({ knownHosts, sshKeys }: { readonly knownHosts: string; readonly sshKeys: SshKeys }) {
  return async function connected<Result>(
    actor: Actor,
    binding: Pick<GitBinding, 'address'>,
    { key_id: keyId, passphrase }: Pick<GitPushWrite, 'key_id' | 'passphrase'>,
    use: (connection: GitConnection) => Promise<Result>,
  ): Promise<Result> {
    const address = parseRemoteAddress(binding.address);
    const connection = { address, knownHosts, agent: null };
    if (address.kind === 'folder') return use(connection);
    return withKeyAgent(await sshKeys.open(actor, keyId, passphrase), (agent) => use({ ...connection, agent }));
  };
}
