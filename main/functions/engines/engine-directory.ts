import { z } from 'zod';
import { AppError, invalidField, notFound } from '../../platform/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { localEngine, type FunctionRepository } from '../records/function-repository.ts';
import { contextName, listContexts, readContextTls, type TlsMaterial } from './docker/docker-contexts.ts';
import type { EngineAddress, EngineLookup } from './docker/engine-address.ts';
import { EngineUnavailable } from './docker/engine-problem.ts';
import { remoteAddress, transportOf, type Transport } from './docker/remote-address.ts';

export interface KnownEngine {
  readonly name: string;
  readonly source: 'local' | 'context' | 'own';
  readonly transport: Transport;
  readonly address: string;
}

export interface NewEngine {
  readonly name: string;
  readonly address: string;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

const tlsSchema = z.object({ ca: z.string().nullable(), cert: z.string().nullable(), key: z.string().nullable() });
const noTls: TlsMaterial = { ca: null, cert: null, key: null };

export type EngineDirectory = ReturnType<typeof createEngineDirectory>;

/** Engines by name: that of this computer, those of Docker's contexts, and those that users added. */
export function createEngineDirectory({
  rows,
  secrets,
  clock,
  env,
}: {
  readonly rows: FunctionRepository['engines'];
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly env: EngineLookup['env'];
}) {
  function list(): KnownEngine[] {
    const own = rows.list().map(({ name, address }) => ({ name, address, source: 'own' as const }));
    const names = new Set(own.map(({ name }) => name));
    // An own entry wins, because the user named it in Limner.
    const contexts = listContexts(env).filter(({ name }) => !names.has(name));
    return [...own, ...contexts.map(({ name, address }) => ({ name, address, source: 'context' as const }))]
      .map((one) => ({ ...one, transport: transportOf(one.address) ?? 'tls' }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  return {
    list,
    has: (name: string): boolean => name === localEngine || list().some((one) => one.name === name),
    /** @throws EngineUnavailable if there is no such Engine, or if its address cannot be used */
    address(name: string): EngineAddress {
      const row = rows.list().find((one) => one.name === name);
      if (row) {
        const tls = () => (row.secret === '' ? noTls : tlsSchema.parse(JSON.parse(secrets.open(row.secret))));
        return remoteAddress(row, tls, env);
      }
      const context = listContexts(env).find((one) => one.name === name);
      if (context) return remoteAddress(context, () => readContextTls(env, name), env);
      throw new EngineUnavailable(
        'missing',
        `There is no Engine "${name}". Create the Docker context again, or add the Engine by its address.`,
      );
    },
    /** @throws AppError 400 for an address or a name that cannot be used; 409 for a name in use */
    add({ name, address, ca, cert, key }: NewEngine): void {
      if (!contextName.test(name))
        throw invalidField('name', `"${name}" is not a valid Engine name. Use letters, digits, and . _ + -`);
      if (name === localEngine || list().some((one) => one.name === name)) {
        const message = `An Engine named "${name}" already exists. Choose another name.`;
        throw new AppError('conflict', message, { name: [message] });
      }
      const tls = { ca: ca ?? null, cert: cert ?? null, key: key ?? null };
      if (transportOf(address) === 'local')
        throw invalidField('address', 'A socket of this computer is set under Settings → Functions.');
      try {
        remoteAddress({ name, address }, () => tls, env);
      } catch (error) {
        throw error instanceof EngineUnavailable ? invalidField('address', error.message) : error;
      }
      const secret = cert === undefined ? '' : secrets.seal(JSON.stringify(tls));
      rows.insert({ name, address, secret, created_date: clock() });
    },
    /** @throws AppError 404, also for an Engine of a Docker context, which only Docker changes */
    remove(name: string): void {
      if (rows.remove(name)) return;
      const reason = list().some((one) => one.name === name)
        ? `"${name}" is a Docker context. Remove it with: docker context rm ${name}`
        : `There is no Engine "${name}".`;
      throw notFound(reason);
    },
  };
}
