import { lookup as lookUp, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { addressRefusal, type AddressSettings } from './address-policy.ts';

/** The address is not allowed by the address policy. The message is shown to the user. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** Like `dns.lookup`, always called for all addresses. */
export type ResolveHost = (
  host: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Delay before the next address of a host is tried; the default of 250 ms is too short for slow links. */
const familyAttemptMs = 1000;

/** Lookup that leaves out addresses which are not allowed. @throws AddressRefused if none is left */
export const guardedLookup =
  (settings: () => AddressSettings, resolveHost: ResolveHost = lookUp as ResolveHost): LookupFunction =>
  (host, lookupOptions, callback) => {
    resolveHost(host, { ...lookupOptions, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const refusals = addresses.map(({ address }) => addressRefusal(address, settings()));
      const allowed = addresses.filter((_, index) => refusals[index] === null);
      const [first] = allowed;
      if (!first) return callback(new AddressRefused(refusals[0] ?? `${host} has no address.`), []);
      if (lookupOptions.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };

/** Reason why a host may not be called, if it is an address; null for allowed addresses and for names. */
export function hostRefusal(hostname: string, settings: AddressSettings): string | null {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? null : addressRefusal(host, settings);
}

/**
 * Opens connections to addresses that users enter, for example of webhooks. Checks the resolved address while
 * connecting, so that neither other notations nor changing DNS answers pass, and once more on the open connection.
 */
export function createGuardedConnector(options: {
  /** From the client library. */
  readonly buildConnector: typeof buildConnector;
  /** True if certificates must be valid. */
  readonly verifies: boolean;
  readonly connectMs: number;
  readonly settings: () => AddressSettings;
  readonly resolveHost?: ResolveHost;
  /** Certificate authorities in PEM. Default: those of Node. */
  readonly authorities?: readonly string[] | undefined;
}): buildConnector.connector {
  const { verifies, connectMs, settings, resolveHost, authorities } = options;

  const connect = options.buildConnector({
    timeout: connectMs,
    rejectUnauthorized: verifies,
    ...(authorities === undefined ? {} : { ca: [...authorities] }),
    allowH2: false,
    // Resumed TLS sessions would skip the certificate check.
    maxCachedSessions: 0,
    lookup: guardedLookup(settings, resolveHost),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: familyAttemptMs,
  });

  return (target, callback) => {
    const refusal = hostRefusal(target.hostname, settings());
    if (refusal !== null) return callback(new AddressRefused(refusal), null);
    connect(target, (...result) => {
      const [error, socket] = result;
      if (error) return callback(error, null);
      const reached = addressRefusal(socket.remoteAddress ?? '', settings());
      if (reached === null) return callback(null, socket);
      socket.destroy();
      callback(new AddressRefused(reached), null);
    });
  };
}
