import type { Logger } from '../../platform/log.ts';
import type { ContainerFacts, DockerFunctions } from '../engines/docker/docker-functions.ts';
import type { FunctionConfiguration } from '../configuration/function-configuration.ts';
import { functionNetwork } from '../engines/docker/network.ts';
import { openNetworkGrant, reachOf } from '../engines/docker/reach.ts';
import { PortTaken } from '../engines/docker/start-problem.ts';
import type { FunctionRecord } from './function-record.ts';
import type { FunctionRecords } from './function-records.ts';

/**
 * What is known of containers: looked up once for every connection to the Engine, then kept up by its events. Containers
 * that no function has are removed: they are what a killed Limner left.
 */
export function createContainerSight(dependencies: {
  readonly records: FunctionRecords;
  readonly containers: DockerFunctions;
  readonly log: Logger;
  /** Functions that are being deployed or started: what happens to their containers is somebody's doing. */
  readonly isBusy: (name: string) => boolean;
  readonly onAttached: () => void;
}) {
  const { records, containers, log, isBusy, onAttached } = dependencies;
  const refreshing = new Map<string, Promise<void>>();
  const closing = new AbortController();
  let attaching: Promise<void> | null = null;

  async function attach(): Promise<void> {
    const found = await containers.list();
    const own = records.list().filter(({ row }) => row.provider === 'docker');
    for (const record of own) {
      if (isBusy(record.row.name)) continue;
      await takeFacts(record, found.find(({ id }) => id === record.row.container_id) ?? null);
    }
    for (const facts of found) {
      const isKnown = own.some(({ row }) => row.container_id === facts.id);
      if (isKnown || isBusy(facts.functionName)) continue;
      log.info('A container that no function has is removed', { function: facts.functionName, container: facts.id });
      await containers.removeContainer(facts.id);
    }
    await containers.watch((id, name) => {
      // Calls wait for it: another program may have the port by now.
      const looking = refresh(id, name).finally(() => {
        if (refreshing.get(name) === looking) refreshing.delete(name);
      });
      refreshing.set(name, looking);
    }, closing.signal);
    onAttached();
  }

  async function refresh(containerId: string, name: string): Promise<void> {
    if (isBusy(name) || records.get(name)?.row.container_id !== containerId) return;
    const facts = await containers.inspect(containerId).catch(() => undefined);
    const current = records.get(name);
    if (facts !== undefined && current?.row.container_id === containerId && !isBusy(name))
      await takeFacts(current, facts);
  }

  /** What the Engine tells of a container becomes what the record says of its function. */
  async function takeFacts(record: FunctionRecord, facts: ContainerFacts | null): Promise<void> {
    const { row, configuration } = record;
    if (facts !== null && (await isOutdated(record, facts))) {
      await containers.removeContainer(facts.id);
      records.note(row.name, { state: 'scaledToZero', message: withoutWall });
      return;
    }
    const problem = facts === null ? null : await attend(configuration, facts);
    const found = stateAfter(row, facts);
    const change = problem !== null && found !== null ? { ...found, message: problem } : found;
    if (change === null) return;
    const port = (facts?.isRunning === true ? facts.port : null) ?? row.port;
    if (change.state === row.state && change.message === row.message && port === row.port) return;
    records.note(row.name, { ...change, port });
  }

  /** Answers the function's port again, or no longer. Calls of Limner's own need no port. */
  async function attend(configuration: FunctionConfiguration, facts: ContainerFacts): Promise<string | null> {
    try {
      await containers.attend(configuration, facts);
      return null;
    } catch (error) {
      if (!(error instanceof PortTaken)) throw error;
      log.warn('A port of a function is taken', { function: configuration.name, port: facts.port });
      return `Port ${facts.port} is used by another program, so only Limner itself can call it. Stop it and start it again for another port.`;
    }
  }

  /** Whether it runs on a network that nobody granted it: Limner did not always keep functions from it. */
  async function isOutdated({ configuration, row, grants }: FunctionRecord, facts: ContainerFacts): Promise<boolean> {
    if (facts.network !== functionNetwork || grants.includes(openNetworkGrant)) return false;
    const { facts: engine } = await containers.engine.connect();
    return reachOf(configuration, row.has_runtime === 1, engine) === 'link';
  }

  return {
    /** Once for every connection to the Engine. */
    async attached(): Promise<void> {
      if (attaching !== null && containers.engine.isConnected()) return attaching;
      attaching = attach().catch((error: unknown) => {
        attaching = null;
        throw error;
      });
      return attaching;
    },
    /** Waits until an event of the function's container is understood. */
    settled: async (name: string): Promise<void> => refreshing.get(name),
    /** Looks at a function's container now. */
    async look(name: string): Promise<FunctionRecord> {
      const record = records.require(name);
      const { container_id: id } = record.row;
      await takeFacts(record, id === null ? null : await containers.inspect(id));
      return records.require(name);
    },
    close: () => closing.abort(),
  };
}

const withoutWall =
  'Its container stood on a network, which functions no longer get. It is made again, without one, when it is called.';

type Row = FunctionRecord['row'];

/** Null where the record stays as it is. */
function stateAfter(row: Row, facts: ContainerFacts | null): Pick<Row, 'state' | 'message'> | null {
  if (facts?.isRunning) return { state: 'ready', message: row.state === 'ready' ? row.message : '' };
  if (row.state === 'building') {
    return { state: 'error', message: 'Limner stopped while this function was deployed. Deploy it again.' };
  }
  if (row.state === 'stopped' || row.container_id === null) return null;
  if (facts === null) {
    const message = 'Its container is gone. It is made again when the function is called or started.';
    return { state: 'unhealthy', message };
  }
  if (facts.isOutOfMemory) {
    const message = 'It ended because its memory limit was reached (spec.resources.limits.memory).';
    return { state: 'unhealthy', message };
  }
  if (row.state !== 'ready') return null;
  if (facts.exitCode !== 0 && facts.restarts > 0) {
    const message = `It ended again and again, last with exit code ${facts.exitCode}. Its log tells more.`;
    return { state: 'unhealthy', message };
  }
  return { state: 'scaledToZero', message: '' };
}
