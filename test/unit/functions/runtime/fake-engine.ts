import { newFunction, type FunctionRow } from '../../../../main/functions/records/function-repository.ts';
import { readRecord, type FunctionRecord } from '../../../../main/functions/records/function-record.ts';
import type { FunctionRecords } from '../../../../main/functions/records/function-records.ts';
import type {
  ContainerFacts,
  DockerFunctions,
  RunInput,
} from '../../../../main/functions/engines/docker/docker-functions.ts';
import { PortTaken } from '../../../../main/functions/engines/docker/start-problem.ts';
import { InvocationProblem, type Invoker } from '../../../../main/functions/engines/invoke.ts';
import { createFunctionRuntimes } from '../../../../main/functions/runtime/function-runtimes.ts';
import { createGpuScheduler } from '../../../../main/functions/runtime/gpu-scheduler.ts';
import { notFound } from '../../../../main/platform/errors.ts';
import { createSilentLogger } from '../../../../main/platform/log.ts';

const date = '2026-01-01T00:00:00.000Z';

/**
 * The part of an Engine that the function runtime uses, with a clock that tests move; `test/docker` uses a real one.
 */
export interface FakeEngine extends DockerFunctions {
  readonly all: Map<string, ContainerFacts>;
  readonly done: string[];
  readonly taken: Set<number>;
  gate: () => Promise<void>;
  problem: Error | null;
  tell(id: string, change: Partial<ContainerFacts> | null): void;
}

const facts: ContainerFacts = {
  id: 'old',
  functionName: 'model',
  isRunning: true,
  port: 21_000,
  link: 'link',
  network: 'none',
  exitCode: 0,
  isOutOfMemory: false,
  restarts: 0,
  error: '',
};

function createFakeEngine(): FakeEngine {
  const all = new Map<string, ContainerFacts>();
  const done: string[] = [];
  const taken = new Set<number>();
  let onChange: (id: string, name: string) => void = () => undefined;
  let made = 0;
  const put = (id: string, change: Partial<ContainerFacts>) => {
    const known = all.get(id);
    if (known) all.set(id, { ...known, ...change });
  };

  async function begin(id: string, signal?: AbortSignal) {
    await engine.gate();
    const { problem } = engine;
    engine.problem = null;
    if (problem) throw problem;
    signal?.throwIfAborted();
    const port = all.get(id)?.port ?? 0;
    if (taken.has(port)) throw new PortTaken(`Port ${port} is taken`);
    done.push(`start ${id}`);
    put(id, { isRunning: true });
    return { containerId: id, port, link: null };
  }
  async function end(id: string) {
    await engine.gate();
    done.push(`stop ${id}`);
    put(id, { isRunning: false });
  }
  const engine: FakeEngine = {
    all,
    done,
    taken,
    gate: async () => undefined,
    problem: null,
    tell(id, change) {
      const { functionName = '' } = all.get(id) ?? {};
      if (change === null) all.delete(id);
      else put(id, change);
      onChange(id, functionName);
    },
    engine: {
      place: () => '',
      lost: () => null,
      connect: async () => ({ docker: Object.create(null) as never, facts: engineFacts }),
      use: () => Promise.reject(new Error('The fake has no client of the Engine')),
      isConnected: () => true,
      disconnect: () => undefined,
      isRemote: false,
      latencyMs: () => null,
      test: async () => engineFacts,
      close: () => undefined,
    },
    list: async () => [...all.values()],
    inspect: async (id) => all.get(id) ?? null,
    async run({ configuration: { name }, previousPort, signal }: RunInput) {
      made += 1;
      const id = `new ${made}`;
      const port = previousPort !== null && !taken.has(previousPort) ? previousPort : 30_000 + made;
      all.set(id, { ...facts, id, functionName: name, port, isRunning: false });
      return begin(id, signal);
    },
    start: (_configuration, id, _hasRuntime, signal) => begin(id, signal),
    agentOf: () => undefined,
    attend: async () => undefined,
    restAfter: () => undefined,
    stop: end,
    async remove(name) {
      for (const { id, functionName } of all.values()) if (functionName === name) all.delete(id);
    },
    use: async () => null,
    removeContainer: async (id) => void all.delete(id),
    close: () => undefined,
    readLog: async () => 'its last line',
    async *followLog() {
      yield '';
    },
    processes: async () => [],
    async watch(tell) {
      onChange = tell;
    },
  };
  return engine;
}

const engineFacts = {
  version: '',
  operatingSystem: '',
  architecture: '',
  cpuCores: 4,
  memoryBytes: 2 ** 34,
  tellsOfGpu: true,
  cdiCards: [],
  isPodman: false,
  isRemote: false,
  sharesKernel: true,
};

function createFakeRecords(): FunctionRecords & { readonly rows: Map<string, FunctionRow> } {
  const rows = new Map<string, FunctionRow>();
  const box = { seal: (text: string) => text, open: (text: string) => text };
  const get = (name: string): FunctionRecord | undefined => {
    const row = rows.get(name);
    return row && readRecord(row, box);
  };
  const require = (name: string): FunctionRecord => {
    const record = get(name);
    if (!record) throw notFound(`There is no function "${name}".`);
    return record;
  };
  const note: FunctionRecords['note'] = (name, change) => void rows.set(name, { ...require(name).row, ...change });
  return {
    rows,
    get,
    require,
    list: () => [...rows.keys()].map(require),
    heldPorts: (except) => new Set([...rows.values()].flatMap((row) => (row.name === except ? [] : (row.port ?? [])))),
    insert: (row) => void rows.set(row.name, { ...row, id: rows.size + 1 }),
    note,
    update: note,
    remove: (name) => void rows.delete(name),
  };
}

const twoCards = async (args: readonly string[]) =>
  args[0]?.includes('--query-gpu') === true ? '0, GPU-a, Card, 10000\n1, GPU-b, Card, 10000\n' : '';

/** Function runtimes over a fake Engine, with functions whose containers run. */
export function createRuntimeWorld() {
  const engine = createFakeEngine();
  const records = createFakeRecords();
  const clock = { nowMs: 0 };
  const scheduler = createGpuScheduler({
    run: twoCards,
    records: () => records.list(),
    processesOf: async () => [],
    nowMs: () => clock.nowMs,
  });
  const invoker: Invoker = {
    async send(baseUrl) {
      const port = Number(new URL(baseUrl).port);
      const found = [...engine.all.values()].find((one) => one.isRunning && one.port === port);
      if (!found) throw new InvocationProblem('unreachable', `Nothing responds at ${port}.`);
      return { status: 200, headers: {}, body: Buffer.from(found.id) };
    },
    close: () => undefined,
  };
  const log = createSilentLogger();
  const runtimes = createFunctionRuntimes({
    records,
    containers: engine,
    scheduler,
    invoker,
    numbers: { saw: () => undefined },
    log,
    owner: 'limner',
    engine: 'default',
    nowMs: () => clock.nowMs,
  });
  return {
    engine,
    records,
    scheduler,
    runtimes,
    clock,
    add(name = 'model', row: Partial<FunctionRow> = {}, container: Partial<ContainerFacts> | null = {}) {
      const port = 21_000 + records.rows.size;
      const document = JSON.stringify({ metadata: { name }, spec: { runtime: 'python', handler: 'main:handler' } });
      records.insert({
        ...newFunction(name, 'default', date),
        document,
        state: 'ready',
        running_image: 'image',
        has_runtime: 1,
        container_id: name,
        port,
        ...row,
      });
      if (container !== null) engine.all.set(name, { ...facts, id: name, functionName: name, port, ...container });
    },
    async call(name = 'model'): Promise<string> {
      const invocation = { method: 'POST', path: '/', headers: {}, body: [], timeoutMs: 1000 };
      return (await runtimes.provider.invoke(name, invocation)).body.toString();
    },
    state: (name = 'model') => records.require(name).row.state,
    message: (name = 'model') => records.require(name).row.message,
  };
}
