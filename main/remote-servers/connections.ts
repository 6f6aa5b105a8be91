import type { RemoteServer, RemoteServerPatch, RemoteServerWrite } from '../../preload/contract/schema/remotes.ts';
import type { Store } from '../db/store.ts';
import type { Clock } from '../platform/clock.ts';
import { defined } from '../platform/defined.ts';
import { invalidField, notFound } from '../platform/errors.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { accessTokenMayNot, type Actor, type Credentials } from '../users/access/actor.ts';
import type { AddressSettings } from '../platform/network/address-policy.ts';
import type { RemoteRepository, ServerRow } from './remote-repository.ts';
import type { RunningRequests } from './running-requests.ts';
import { openServer, type CvatServer } from './server-client.ts';
import { identify, parsedAddress, parsedCertificate } from './server-identity.ts';

const maxServers = 50;

/** Connections of users to CVAT servers. Access tokens are sealed in the store. */
export function createConnections({
  database,
  clock,
  secrets,
  addressSettings,
  remotes,
  running,
}: {
  readonly database: Store;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly addressSettings: () => AddressSettings;
  readonly remotes: RemoteRepository;
  readonly running: Pick<RunningRequests, 'requireNoneOfServer'>;
}) {
  const settings = (): AddressSettings => ({ ...addressSettings(), target: 'server' });

  async function open<Result>(
    row: Pick<ServerRow, 'address' | 'token' | 'certificate'>,
    use: (server: CvatServer) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const { address, certificate } = row;
    const server = await openServer({ address, certificate, token: secrets.open(row.token) }, settings, signal);
    try {
      return await use(server);
    } finally {
      await server.close();
    }
  }

  function own(actor: Actor, id: number): ServerRow {
    const row = remotes.server(id, actor.userId);
    if (!row) throw notFound('You have no such server.');
    return row;
  }
  const present = (actor: Actor, id: number): RemoteServer => {
    const { name, address, certificate, version, username, created_date } = own(actor, id);
    return {
      id,
      name,
      address,
      has_certificate: certificate !== '',
      version,
      username,
      created_date,
      job_count: remotes.linkCount(id),
      frame_bytes: remotes.frameBytes(actor.userId),
    };
  };
  function requireName(actor: Actor, name: string, id: number | null): void {
    if (remotes.servers(actor.userId).some((row) => row.name === name && row.id !== id))
      throw invalidField('name', `You already have a server named "${name}".`);
  }

  const checked = (row: Pick<ServerRow, 'address' | 'token' | 'certificate'>, signal: AbortSignal) =>
    open(row, identify, signal);

  const methods = {
    list: (actor: Actor): RemoteServer[] => remotes.servers(actor.userId).map(({ id }) => present(actor, id)),
    async create(
      actor: Actor,
      credentials: Credentials,
      body: RemoteServerWrite,
      signal: AbortSignal,
    ): Promise<RemoteServer> {
      requirePassword(credentials);
      requireName(actor, body.name, null);
      if (remotes.servers(actor.userId).length >= maxServers)
        throw invalidField('name', `You already have ${maxServers} servers. Delete one that is not in use.`);
      const row = {
        name: body.name,
        address: parsedAddress(body.address),
        certificate: parsedCertificate(body.certificate),
        token: secrets.seal(body.token),
      };
      const found = await checked(row, signal);
      const whole = { ...row, ...found, owner_id: actor.userId, created_date: clock() };
      return present(
        actor,
        database.write(() => remotes.insertServer(whole)),
      );
    },
    async update(
      actor: Actor,
      credentials: Credentials,
      id: number,
      body: RemoteServerPatch,
      signal: AbortSignal,
    ): Promise<RemoteServer> {
      requirePassword(credentials);
      const before = own(actor, id);
      if (body.name !== undefined) requireName(actor, body.name, id);
      const { name, address, certificate, token } = body;
      // A token must not be sent to an address that its owner did not enter it for.
      if (address !== undefined && parsedAddress(address) !== before.address && token === undefined)
        throw invalidField('token', 'Enter the access token again, because the address changes.');
      const row: ServerRow = {
        ...before,
        ...defined({ name }),
        ...(address === undefined ? {} : { address: parsedAddress(address) }),
        ...(certificate === undefined ? {} : { certificate: parsedCertificate(certificate) }),
        ...(token === undefined ? {} : { token: secrets.seal(token) }),
      };
      const isSame =
        row.address === before.address && row.token === before.token && row.certificate === before.certificate;
      const next = isSame ? row : { ...row, ...(await checked(row, signal)) };
      database.write(() => remotes.updateServer(next));
      return present(actor, id);
    },
    async check(actor: Actor, id: number, signal: AbortSignal): Promise<RemoteServer> {
      const row = own(actor, id);
      const found = await checked(row, signal);
      database.write(() => remotes.updateServer({ ...row, ...found }));
      return present(actor, id);
    },
    remove(actor: Actor, credentials: Credentials, id: number): void {
      requirePassword(credentials);
      running.requireNoneOfServer(own(actor, id));
      database.write(() => remotes.removeServer(id));
    },
  };
  return { own, open, methods };
}

function requirePassword(credentials: Credentials): void {
  if (credentials.kind === 'access-token') throw accessTokenMayNot('manage connections to servers');
}
