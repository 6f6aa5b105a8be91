import type { TlsMaterial } from './docker-contexts.ts';
import type { EngineAddress } from './engine-address.ts';
import { EngineUnavailable } from './engine-problem.ts';
import { parseSshAddress, SshAgent } from './ssh.ts';

const tlsPort = 2376;

export type Transport = 'ssh' | 'tls' | 'local';

/** Null for an address that is not one of another computer's Engine. */
export function transportOf(address: string): Transport | null {
  if (parseSshAddress(address) !== null) return 'ssh';
  if (parseTcp(address) !== null) return 'tls';
  return /^(unix|npipe):\/\//.test(address) ? 'local' : null;
}

function parseTcp(address: string): { readonly host: string; readonly port: number } | null {
  const [matched, host = '', port] =
    /^(?:tcp|https):\/\/(\[[0-9a-fA-F:]+\]|[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)(?::(\d{1,5}))?\/?$/.exec(address) ?? [];
  if (matched === undefined) return null;
  return { host: host.replaceAll(/[[\]]/g, ''), port: port === undefined ? tlsPort : Number(port) };
}

/**
 * Address for a connection to another computer's Engine.
 * @throws EngineUnavailable for an address that is not supported
 */
export function remoteAddress(
  { name, address, skipsVerification = false }: { name: string; address: string; skipsVerification?: boolean },
  tls: () => TlsMaterial,
  env: Readonly<Record<string, string | undefined>>,
): EngineAddress {
  const socket = /^(?:unix|npipe):\/\/(.+)$/.exec(address)?.[1];
  if (socket !== undefined) return { text: address, options: { socketPath: socket } };
  const ssh = parseSshAddress(address);
  // The host only fills the header of requests.
  if (ssh !== null) {
    const agent = new SshAgent(ssh, address, env);
    return { text: address, options: { protocol: 'http', host: 'docker', port: 80, agent } };
  }
  const tcp = parseTcp(address);
  if (tcp === null)
    throw refused(
      name,
      `its address "${address}" is not supported`,
      'Use ssh://user@host, or tcp://host:2376 with TLS.',
    );
  if (skipsVerification)
    throw refused(
      name,
      'its context does not verify the certificate of the server',
      'Add the certificate of its authority to the context.',
    );
  const { ca, cert, key } = tls();
  if (cert === null || key === null)
    throw refused(
      name,
      `${address} has no TLS certificate of this computer, and without one everyone on the network could control that Engine`,
      'Add ca.pem, cert.pem and key.pem, or use ssh://user@host.',
    );
  const options = { protocol: 'https' as const, ...tcp, cert, key, ...(ca === null ? {} : { ca }) };
  return { text: address, options };
}

const refused = (name: string, reason: string, remedy: string) =>
  new EngineUnavailable('failed', `Cannot use the Engine "${name}": ${reason}. ${remedy}`);
