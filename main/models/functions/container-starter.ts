import { AppError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { requireGrants, resolveVolumes } from '../policy/demands.ts';
import { planResources } from '../policy/resource-plan.ts';
import type { DockerFunctions } from '../engines/docker/docker-functions.ts';
import { reachDemands } from '../engines/docker/reach.ts';
import { PortTaken } from '../engines/docker/start-problem.ts';
import { perWorkerMiB, workersOf, type FunctionRecord } from './function-record.ts';
import type { FunctionRecords } from './function-records.ts';
import type { CardChoice, GpuKeeper } from './gpu-keeper.ts';

interface Started {
  readonly containerId: string;
  readonly port: number;
  readonly cards?: readonly string[];
}

/** Starts functions that were deployed before: in their old container, or in a new one of their image. */
export function createContainerStarter(dependencies: {
  readonly records: FunctionRecords;
  readonly containers: DockerFunctions;
  readonly gpu: GpuKeeper;
  readonly log: Logger;
  readonly owner: string;
  /** Stops one function that rests on a card; false where there is none. */
  readonly makeRoom: (except: string) => Promise<boolean>;
  readonly onStarted: (name: string) => void;
}) {
  const { records, containers, gpu, log, owner, makeRoom, onStarted } = dependencies;
  const starting = new Map<string, Promise<FunctionRecord>>();

  async function startNow(record: FunctionRecord): Promise<FunctionRecord> {
    const { name, container_id: containerId, running_image: image } = record.row;
    if (image === null) {
      const message = `"${name}" was never deployed well. Deploy it again.`;
      throw new AppError('unavailable', message, message);
    }
    try {
      const cards = await cardsFor(record);
      const old = await startOld(record, containerId).catch((error: unknown) => {
        if (error instanceof PortTaken || (error instanceof AppError && error.code === 'not-found')) return null;
        throw error;
      });
      const running = old ?? (await startNew(record, image, cards));
      records.note(name, {
        state: 'ready',
        message: '',
        container_id: running.containerId,
        port: running.port,
        ...(running.cards === undefined ? {} : { cards: JSON.stringify(running.cards) }),
      });
      onStarted(name);
      return records.require(name);
    } catch (error) {
      records.note(name, { state: 'unhealthy', message: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  }

  async function startOld(record: FunctionRecord, containerId: string | null): Promise<Started | null> {
    if (containerId === null || (await containers.inspect(containerId)) === null) return null;
    return containers.start(record.configuration, containerId, record.row.has_runtime === 1);
  }

  async function startNew(record: FunctionRecord, imageName: string, cards: CardChoice['cards']): Promise<Started> {
    const { configuration, row, commands } = record;
    const { facts } = await containers.engine.connect();
    requireGrants(row.name, reachDemands(configuration, row.has_runtime === 1, facts), record.grants);
    const running = await containers.run({
      configuration,
      imageName,
      commands,
      hasRuntime: row.has_runtime === 1,
      volumes: await resolveVolumes({ configuration, handlerDirectory: row.directory }),
      plan: planResources(configuration, facts),
      cards,
      owner,
      previousPort: row.port,
      heldPorts: heldPorts(records, row.name),
      log: (line) => log.debug(line, { function: row.name }),
    });
    return { ...running, cards: Array.isArray(cards) ? cards : [] };
  }

  /** A function that is called may take the place of functions that rest on its card, the longest first. */
  async function cardsFor(record: FunctionRecord): Promise<CardChoice['cards']> {
    const { gpuCount, gpuDevices } = record.configuration.resources;
    const need = {
      functionName: record.row.name,
      count: gpuCount,
      devices: gpuDevices.length > 0 ? gpuDevices : record.cards,
      workers: workersOf(record),
      perWorkerMiB: perWorkerMiB(record),
    };
    for (;;) {
      try {
        return (await gpu.choose(need)).cards;
      } catch (error) {
        if (!(await makeRoom(record.row.name))) throw error;
      }
    }
  }

  return {
    isStarting: (name: string): boolean => starting.has(name),
    /** Calls that come meanwhile wait for the same start. */
    start(record: FunctionRecord): Promise<FunctionRecord> {
      const { name } = record.row;
      const known = starting.get(name);
      if (known) return known;
      const work = startNow(record).finally(() => starting.delete(name));
      starting.set(name, work);
      return work;
    },
    close: async (): Promise<void> => void (await Promise.allSettled(starting.values())),
  };
}

/** Ports of other functions, whether they run or not. */
export function heldPorts(records: FunctionRecords, except: string): Set<number> {
  const others = records.list().filter(({ row }) => row.provider === 'docker' && row.name !== except);
  return new Set(others.flatMap(({ row }) => row.port ?? []));
}
