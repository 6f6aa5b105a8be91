import type { ModelFunction } from '../../../preload/contract/schema/functions.ts';
import type {
  Acquired,
  AgentResult,
  NativeFields,
  NativeFunction,
  NativeFunctionWrite,
  RequestCategory,
} from '../../../preload/contract/schema/native-functions.ts';
import { isAllowed, noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { Store } from '../../db/store.ts';
import type { Clock } from '../../platform/clock.ts';
import { invalidField, invalidRequest, notFound } from '../../platform/errors.ts';
import { describeModel, ModelProblem } from '../configuration/model-description.ts';
import { createAgentQueues, type AgentParameters, type AgentQueues } from './agent-queues.ts';
import { described, fromRow } from './describe-native.ts';
import { createNativeProvider, noAgent } from './native-provider.ts';
import { modelOf, presentModel, withoutContainer } from '../records/function-record.ts';
import { createNativeRepository, nameOf, type NativeRepository, type NativeRow } from './native-repository.ts';

interface Dependencies {
  readonly rows: NativeRepository;
  readonly queues: AgentQueues;
  readonly clock: Clock;
  readonly nowMs?: () => number;
  readonly onRemoved: (name: string) => void;
}

export function createNativeFunctions(
  database: Store,
  { clock, onRemoved }: Pick<Dependencies, 'clock' | 'onRemoved'>,
) {
  const rows = createNativeRepository(database);
  const queues = createAgentQueues();
  const service = createNativeService({ rows, queues, clock, onRemoved });
  return {
    provider: createNativeProvider({ rows, queues }),
    models: createNativeModels({ rows, queues, service }),
    service,
  };
}

/** Minimum interval between writes of an agent's last-seen date. */
const seenEveryMs = 30_000;
const manage = (actor: Actor) => requireAllowed(actor, 'function', 'manage', noFacts);

function createNativeService(dependencies: Dependencies) {
  const { rows, queues, clock, onRemoved, nowMs = Date.now } = dependencies;
  const seenAt = new Map<number, number>();

  function required(id: number): NativeRow {
    const row = rows.get(id);
    if (row) return row;
    throw notFound(`There is no native function ${id}.`);
  }

  /** @throws AppError 403, 404, which ends the agent of a deleted function */
  function queueOf(actor: Actor, queueId: string): number {
    manage(actor);
    const digits = /^function:([1-9]\d{0,14})$/.exec(queueId)?.[1];
    if (digits === undefined) throw notFound(`There is no queue "${queueId}".`);
    return required(Number(digits)).id;
  }

  function see(id: number): void {
    if (nowMs() - (seenAt.get(id) ?? 0) < seenEveryMs) return;
    seenAt.set(id, nowMs());
    rows.see(id, clock());
  }

  return {
    create(actor: Actor, body: NativeFunctionWrite): NativeFunction {
      manage(actor);
      const { name, visibility, kind } = body;
      const fields = fieldsOf(body);
      requireModel({ ...fields, id: 1, provider: 'native', name, visibility, kind });
      const row = { title: name, visibility, kind, fields: JSON.stringify(fields), owner_id: actor.userId };
      return fromRow(required(rows.insert({ ...row, created_date: clock() })));
    },
    get(actor: Actor, id: number): NativeFunction {
      manage(actor);
      return fromRow(required(id));
    },
    remove(actor: Actor, id: number): void {
      manage(actor);
      const row = required(id);
      rows.remove(id);
      seenAt.delete(id);
      queues.remove(id);
      onRemoved(nameOf(row));
    },
    acquire(actor: Actor, queueId: string, agentId: string, category: RequestCategory): Acquired {
      const id = queueOf(actor, queueId);
      see(id);
      const taken = queues.acquire(id, agentId, category);
      return { ar_assignment: taken === null ? null : { ar_id: taken.id, ar_params: taken.parameters } };
    },
    update: (actor: Actor, queueId: string, requestId: string, agentId: string): void =>
      queues.update(queueOf(actor, queueId), requestId, agentId),
    complete(actor: Actor, queueId: string, requestId: string, result: AgentResult): void {
      const id = queueOf(actor, queueId);
      const { agent_id: agentId } = result;
      requireResult(queues.typeOf(id, requestId, agentId), result);
      queues.answer(id, requestId, agentId, { result });
    },
    fail: (actor: Actor, queueId: string, requestId: string, agentId: string, failure: string): void =>
      queues.answer(queueOf(actor, queueId), requestId, agentId, { failure }),
    listen(actor: Actor, queueId: string, listener: Parameters<AgentQueues['listen']>[1]) {
      const id = queueOf(actor, queueId);
      see(id);
      return queues.listen(id, listener);
    },
  };
}

/** Complete fields of the kind, because agents read every one of them. */
function fieldsOf(body: NativeFunctionWrite): NativeFields {
  switch (body.kind) {
    case 'detector': {
      if (body.labels_v2 === undefined) throw invalidField('labels_v2', 'A detector needs labels.');
      return { labels_v2: body.labels_v2 };
    }
    case 'interactor':
      return {
        min_pos_points: body.min_pos_points ?? 0,
        min_neg_points: body.min_neg_points ?? -1,
        startswith_box: body.startswith_box ?? false,
        startswith_box_optional: body.startswith_box_optional ?? false,
      };
    case 'tracker': {
      const { supported_shape_types: types = [] } = body;
      if (types.length === 0) throw invalidField('supported_shape_types', 'A tracker needs supported shape types.');
      return { supported_shape_types: types };
    }
  }
}

function requireModel(native: Omit<NativeFunction, 'created_date'>): void {
  const model = modelOf(described(native));
  if (!(model instanceof ModelProblem)) return;
  throw invalidField('labels_v2', model.message.replace(`function "${nameOf(native)}"`, `"${native.name}"`));
}

/** Rejects an invalid result at once, so that the agent reports a failure and continues. */
function requireResult(type: AgentParameters['type'], result: AgentResult): void {
  const wanted = { annotate_frame: ['annotations'], interact: ['shapes'], init_tracking: ['states'] } as const;
  const fields = type === 'track' ? (['shapes', 'states'] as const) : wanted[type];
  const missing = fields.find((field) => result[field] === undefined);
  if (missing !== undefined) throw invalidRequest(`The answer to a request of the type ${type} has ${missing}.`);
}

function createNativeModels({
  rows,
  queues,
  service,
}: Pick<Dependencies, 'rows' | 'queues'> & {
  readonly service: Pick<ReturnType<typeof createNativeService>, 'remove'>;
}) {
  const isShown = (actor: Actor, { visibility }: NativeRow): boolean =>
    visibility === 'public' || isAllowed(actor, 'function', 'manage', noFacts);
  return {
    isThere: (name: string): boolean => rows.named(name) !== undefined,
    /** Message of a run that waits for an agent; null if an agent is connected. */
    waitsFor(name: string): string | null {
      const row = rows.named(name);
      return row === undefined || queues.isThere(row.id) ? null : noAgent(row);
    },
    list: (actor: Actor): ModelFunction[] =>
      rows
        .list()
        .filter((row) => isShown(actor, row))
        .map((row) => present(row, queues, actor)),
    get(actor: Actor, name: string): ModelFunction | null {
      const row = rows.named(name);
      return row === undefined || !isShown(actor, row) ? null : present(row, queues, actor);
    },
    remove: (actor: Actor, name: string): void => service.remove(actor, rows.named(name)?.id ?? 0),
  };
}

export type NativeModels = ReturnType<typeof createNativeModels>;

function present(row: NativeRow, queues: AgentQueues, actor: Actor): ModelFunction {
  const model = describeModel(described(fromRow(row)));
  const isThere = queues.isThere(row.id);
  const { waiting, taken } = queues.counts(row.id);
  return {
    ...withoutContainer(),
    ...presentModel(model),
    name: nameOf(row),
    state: isThere ? 'ready' : 'stopped',
    replicas: isThere ? '1/1' : '0/1',
    provider: 'native',
    is_model_file: false,
    title: row.title,
    description: '',
    runtime: '',
    memory_bytes: null,
    agents: {
      function_id: row.id,
      is_connected: isThere,
      seen_date: row.seen_date,
      waiting_count: waiting,
      running_count: taken,
      command: startCommand(row.id, actor),
    },
    idle_stop_seconds: null,
    created_date: row.created_date,
    updated_date: row.created_date,
  };
}

function startCommand(id: number, { username, baseUrl }: Actor): string {
  return `cvat-cli --auth ${username}${serverOptions(baseUrl)} function run-agent ${id} --function-file FILE.py`;
}

/** Empty if the server's address is unknown, because the function dashboard uses another address. */
function serverOptions(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return '';
  const { protocol, hostname, port } = new URL(baseUrl);
  return ` --server-host ${protocol}//${hostname}${port === '' ? '' : ` --server-port ${port}`}`;
}
