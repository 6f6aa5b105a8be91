import type { ModelFunction, ModelSource } from '../../../preload/contract/schema/functions.ts';
import { notFound } from '../../platform/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { createAddressCheck } from './address-check.ts';
import type { createDashboards } from './dashboards.ts';

const manage = (actor: Actor) => requireAllowed(actor, 'function', 'manage', noFacts);
const servedModel = '/v2/models/';

type Place = Pick<ModelSource, 'id' | 'kind' | 'address' | 'models'>;
type Tested = Pick<ModelSource, 'state' | 'message' | 'latency_ms' | 'tested_date'>;

/** Sources that Limner only calls: Nuclio dashboards, inference servers, chat endpoints and other addresses. */
export function createSourcesService({
  list,
  checkAddress,
  dashboards,
  clock,
}: {
  readonly list: (actor: Actor) => readonly ModelFunction[];
  readonly checkAddress: ReturnType<typeof createAddressCheck>['checkAddress'];
  readonly dashboards: Pick<ReturnType<typeof createDashboards>, 'list' | 'namesIn'>;
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

  /** Names of its models. @throws AppError or Error with the reason why it does not answer */
  async function ask(actor: Actor, { id, kind, models }: Place): Promise<readonly string[]> {
    if (kind === 'nuclio') return dashboards.namesIn(Number(id.replace('nuclio-', '')));
    for (const name of models) {
      const { is_reachable: isReachable, reason } = await checkAddress(actor, name);
      if (!isReachable) throw new Error(reason);
    }
    return models;
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
        const models = await ask(actor, place);
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
