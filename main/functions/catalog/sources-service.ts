import { connect } from 'node:net';
import type { ModelFunction, ModelSource } from '../../../preload/contract/schema/functions.ts';
import { notFound } from '../../platform/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import { chatModels } from '../engines/chat/chat-endpoint.ts';
import type { Invoker } from '../engines/invoke.ts';
import type { FunctionRecords } from '../records/function-records.ts';
import type { createDashboards } from './dashboards.ts';

const manage = (actor: Actor) => requireAllowed(actor, 'function', 'manage', noFacts);
const timeoutMs = 10_000;
const servedModel = '/v2/models/';

type Place = Pick<ModelSource, 'id' | 'kind' | 'address' | 'models'>;
type Tested = Pick<ModelSource, 'state' | 'message' | 'latency_ms' | 'tested_date'>;

/** Sources that Limner only calls: Nuclio dashboards, inference servers, chat endpoints and other addresses. */
export function createSourcesService({
  list,
  records,
  dashboards,
  invoker,
  clock,
}: {
  readonly list: (actor: Actor) => readonly ModelFunction[];
  readonly records: Pick<FunctionRecords, 'get'>;
  readonly dashboards: Pick<ReturnType<typeof createDashboards>, 'list' | 'namesIn'>;
  readonly invoker: Invoker;
  readonly clock: Clock;
}) {
  const tests = new Map<string, Tested>();
  const untested: Tested = { state: 'unknown', message: '', latency_ms: null, tested_date: null };

  function places(actor: Actor): Place[] {
    const found = dashboards.list(actor).map(({ id, url }): Place => ({
      id: `nuclio-${id}`,
      kind: 'nuclio',
      address: url,
      models: [],
    }));
    const byAddress = Map.groupBy(
      list(actor).filter(({ address }) => address !== null),
      ({ address }) => serverOf(address ?? ''),
    );
    for (const [address, models] of byAddress) {
      const [first] = models;
      const kind = first?.address?.includes(servedModel) ? 'inference' : first?.fills_attributes ? 'chat' : 'url';
      found.push({ id: address, kind, address, models: models.map(({ name }) => name) });
    }
    return found;
  }

  /** Asks the source without calling a model. Returns the names of its models, if it tells them. */
  async function ask({ id, kind, address, models: [first = ''] }: Place): Promise<readonly string[] | null> {
    if (kind === 'nuclio') return dashboards.namesIn(Number(id.replace('nuclio-', '')));
    if (kind === 'chat') {
      await chatModels(invoker, { url: address, headers: records.get(first)?.headers ?? {} });
      return null;
    }
    if (kind === 'url') return reach(address);
    const request = { method: 'GET', path: '/v2/health/ready', headers: {}, body: [], timeoutMs };
    const { status } = await invoker.send(address, request);
    if (status !== 200) throw new Error(`${address} is not ready: it answers HTTP ${status}. Look at its log.`);
    return null;
  }

  const present = (place: Place): ModelSource => ({ ...place, ...(tests.get(place.id) ?? untested) });
  return {
    sources(actor: Actor): ModelSource[] {
      manage(actor);
      return places(actor).map(present);
    },
    async testSource(actor: Actor, id: string): Promise<ModelSource> {
      manage(actor);
      const place = places(actor).find((one) => one.id === id);
      if (place === undefined) throw notFound(`There is no source "${id}".`);
      const started = performance.now();
      try {
        const models = (await ask(place)) ?? place.models;
        const latency_ms = Math.round((performance.now() - started) * 10) / 10;
        tests.set(id, { state: 'connected', message: '', latency_ms, tested_date: clock() });
        return present({ ...place, models: [...models] });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        tests.set(id, { state: 'failed', message, latency_ms: null, tested_date: clock() });
        return present(place);
      }
    },
  };
}

/** Models of one inference server share a line. */
const serverOf = (address: string): string =>
  address.includes(servedModel) ? address.slice(0, address.indexOf(servedModel)) : address;

/** A connection only, because every request to a function is a call. */
function reach(address: string): Promise<null> {
  const { hostname, port, protocol } = new URL(address);
  const { promise, resolve, reject } = Promise.withResolvers<null>();
  const target = { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
  const socket = connect({ ...target, timeout: timeoutMs });
  socket.once('connect', () => resolve(null));
  socket.once('timeout', () => reject(new Error(`Nothing responds at ${address} within ${timeoutMs / 1000} s.`)));
  socket.once('error', (error: NodeJS.ErrnoException) =>
    reject(new Error(`Nothing responds at ${address} (${error.code ?? error.message}). Start the function there.`)),
  );
  return promise.finally(() => socket.destroy());
}
