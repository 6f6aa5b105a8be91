import type { z } from 'zod';
import type { engineWriteSchema, ModelEngine } from '../../../preload/contract/schema/functions.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import { EngineUnavailable } from '../engines/docker/engine-problem.ts';
import type { EngineDirectory, KnownEngine } from '../engines/engine-directory.ts';
import type { FunctionEngines } from '../runtime/function-engines.ts';
import type { FunctionRecords } from '../records/function-records.ts';
import { localEngine } from '../records/function-repository.ts';

const manage = (actor: Actor) => requireAllowed(actor, 'function', 'manage', noFacts);

interface Tested {
  readonly problem: (Pick<EngineUnavailable, 'message'> & { readonly kind: EngineUnavailable['kind'] }) | null;
  readonly date: string;
}

/** The Docker Engines of this and other computers. */
export function createEnginesService({
  directory,
  engines,
  records,
  clock,
}: {
  readonly directory: EngineDirectory;
  readonly engines: FunctionEngines;
  readonly records: Pick<FunctionRecords, 'list'>;
  readonly clock: Clock;
}) {
  const tests = new Map<string, Tested>();
  const functionsOn = (name: string): string[] =>
    records.list().flatMap(({ row }) => (row.provider === 'docker' && row.engine === name ? row.name : []));

  /** Every Engine, also one that only a function names because its context is gone. */
  function known(): KnownEngine[] {
    const place = engines.of(localEngine).containers.engine.place();
    const local = { name: localEngine, source: 'local', transport: 'local', address: place } as const;
    const listed = [local, ...directory.list()];
    const names = new Set<string>(listed.map(({ name }) => name));
    const used = engines.all().flatMap(({ name }) => (names.has(name) ? [] : name));
    return [...listed, ...used.map((name) => ({ name, source: 'context', transport: 'ssh', address: '' }) as const)];
  }

  async function present(one: KnownEngine): Promise<ModelEngine> {
    const test = tests.get(one.name);
    const { scheduler, containers } = engines.of(one.name);
    const { engine } = containers;
    // Also known from calls, without a test.
    const facts = engine.isConnected() ? (await engine.connect()).facts : null;
    const problem = facts === null ? (engine.lost() ?? test?.problem ?? null) : null;
    const latencyMs = engine.latencyMs();
    return {
      ...one,
      state: facts === null ? (problem?.kind ?? 'unknown') : 'connected',
      message: problem?.message ?? '',
      version: facts?.version ?? null,
      cpu_cores: facts?.cpuCores ?? null,
      memory_bytes: facts?.memoryBytes ?? null,
      latency_ms: facts === null || latencyMs === null ? null : Math.round(latencyMs * 10) / 10,
      tested_date: test?.date ?? null,
      gpus: facts === null ? [] : await scheduler.status(),
      functions: functionsOn(one.name),
    };
  }

  function required(name: string): KnownEngine {
    const one = known().find((engine) => engine.name === name);
    if (one) return one;
    throw notFound(`There is no Engine "${name}".`);
  }

  return {
    engines(actor: Actor): Promise<ModelEngine[]> {
      manage(actor);
      return Promise.all(known().map(present));
    },
    async testEngine(actor: Actor, name: string): Promise<ModelEngine> {
      manage(actor);
      const one = required(name);
      const { containers, runtimes } = engines.of(name);
      try {
        await containers.engine.test();
        tests.set(name, { problem: null, date: clock() });
        // Its functions are shown as they are now.
        if (functionsOn(name).length > 0) await runtimes.attached();
      } catch (error) {
        tests.set(name, { problem: problemOf(error), date: clock() });
      }
      return present(one);
    },
    async addEngine(actor: Actor, body: z.output<typeof engineWriteSchema>): Promise<ModelEngine> {
      manage(actor);
      directory.add(body);
      engines.forget(body.name);
      return present(required(body.name));
    },
    /** @throws AppError 409 while functions are deployed there */
    removeEngine(actor: Actor, name: string): void {
      manage(actor);
      const [first] = functionsOn(name);
      if (first !== undefined) {
        const message = `Cannot remove the Engine "${name}": the function "${first}" is deployed on it. Delete its functions first.`;
        throw new AppError('conflict', message);
      }
      directory.remove(name);
      tests.delete(name);
      engines.forget(name);
    },
  };
}

function problemOf(error: unknown): Tested['problem'] {
  if (error instanceof EngineUnavailable) return error;
  return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
}
