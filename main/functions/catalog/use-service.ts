import type { ModelMetrics } from '../../../preload/contract/schema/model-metrics.ts';
import { noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { DeployLogs } from '../deploy/deploy-log.ts';
import type { FunctionEngines } from '../runtime/function-engines.ts';
import type { Invocation, InvocationAnswer } from '../engines/provider.ts';
import type { CallNumbers } from '../numbers/call-numbers.ts';
import { presentNumbers } from '../numbers/present-numbers.ts';
import type { FunctionRecords } from '../records/function-records.ts';
import type { FunctionCatalog } from './function-catalog.ts';
import type { NamedModels } from './named-models.ts';

const shownLogLines = 1000;
const manage = (actor: Actor) => requireAllowed(actor, 'function', 'manage', noFacts);

/** Calls, statistics and logs of functions. */
export function createUseService({
  models,
  records,
  engines,
  logs,
  numbers,
  catalog,
}: {
  readonly models: NamedModels;
  readonly records: Pick<FunctionRecords, 'get'>;
  readonly engines: Pick<FunctionEngines, 'ofFunction'>;
  readonly logs: DeployLogs;
  readonly numbers: Pick<CallNumbers, 'since'>;
  readonly catalog: Pick<FunctionCatalog, 'invoke'>;
}) {
  return {
    /** Forwards a call unchanged, for tests of a function. */
    invoke(actor: Actor, name: string, invocation: Invocation): Promise<InvocationAnswer> {
      manage(actor);
      return catalog.invoke(name, invocation);
    },
    numbers(actor: Actor, name: string, { hours }: { readonly hours: number }): ModelMetrics {
      manage(actor);
      models.named(name);
      return presentNumbers(name, hours, numbers.since(name, hours));
    },
    /** Log of the last deployment and last lines of the container. */
    async log(actor: Actor, name: string, tail = shownLogLines): Promise<string> {
      manage(actor);
      const model = models.named(name);
      if (model.kind !== 'record') return '';
      const { row } = model.record;
      const deployment = await logs.read(name);
      const { containers } = engines.ofFunction(name);
      const container =
        row.container_id === null ? '' : await containers.readLog(row.container_id, tail).catch(() => '');
      return deployment + container;
    },
    async *followLog(actor: Actor, name: string, signal: AbortSignal): AsyncGenerator<string> {
      manage(actor);
      if (models.named(name).kind !== 'record') return;
      yield* logs.follow(name, signal);
      const id = records.get(name)?.row.container_id;
      if (id && !signal.aborted) yield* engines.ofFunction(name).containers.followLog(id, shownLogLines, signal);
    },
  };
}
