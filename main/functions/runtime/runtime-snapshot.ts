import type { FunctionConfiguration } from '../configuration/parse-configuration.ts';
import type { ContainerFacts, DockerFunctions } from '../engines/docker/docker-functions.ts';
import { functionNetwork } from '../engines/docker/network.ts';
import { openNetworkGrant, reachOf } from '../engines/docker/reach.ts';
import { PortTaken } from '../engines/docker/start-problem.ts';
import type { FunctionRecord } from '../records/function-record.ts';
import type { StartFunctionDependencies } from './start-function.ts';
import type { RuntimeMachine } from './runtime-machine.ts';
import { snapshotOf, transitions } from './runtime-states.ts';

/** Updates a function's record from the state of its container. */
export function createRuntimeSnapshot(
  name: string,
  machine: RuntimeMachine,
  { records, containers, log }: Pick<StartFunctionDependencies, 'records' | 'containers' | 'log'>,
) {
  async function take(record: FunctionRecord, facts: ContainerFacts | null): Promise<void> {
    const { row, configuration } = record;
    if (facts !== null && (await isOutdated(containers, record, facts))) {
      await containers.removeContainer(facts.id);
      machine.move('outdated', { message: withoutWall });
      return;
    }
    const problem = facts === null ? null : await attend(configuration, facts);
    const state = machine.state();
    if (row.container_id === null && state !== 'interrupted') return;
    const { event, message } = snapshotOf(facts);
    const told = state === 'ready' && event === 'runs' ? row.message : message;
    const port = (facts?.isRunning === true ? facts.port : null) ?? row.port;
    const isLost = transitions[state][event] === 'undeployed';
    machine.move(event, { message: problem ?? (isLost ? interrupted : told), port });
  }

  /** Opens or closes the function's port. Limner's own calls need no port. */
  async function attend(configuration: FunctionConfiguration, facts: ContainerFacts): Promise<string | null> {
    try {
      await containers.attend(configuration, facts);
      return null;
    } catch (error) {
      if (!(error instanceof PortTaken)) throw error;
      log.warn('The port of a function is in use', { function: name, port: facts.port });
      return `Port ${facts.port} is in use by another program, so only Limner itself can call the function. Stop and start it to get another port.`;
    }
  }

  /** @param find returns undefined if nothing was observed */
  async function look(find: (id: string | null) => Promise<ContainerFacts | null | undefined>): Promise<void> {
    if (machine.isOurs()) return;
    await machine.serialized(async () => {
      const before = records.get(name);
      if (before === undefined || machine.isOurs()) return;
      const { container_id: id } = before.row;
      const facts = await find(id);
      const record = records.get(name);
      if (facts !== undefined && record?.row.container_id === id && !machine.isOurs()) await take(record, facts);
    });
  }

  return {
    look: (): Promise<void> => look(async (id) => (id === null ? null : containers.inspect(id))),
    /** Takes the containers that were found after a connection to Docker. */
    found: (all: readonly ContainerFacts[]): Promise<void> =>
      look(async (id) => all.find((one) => one.id === id) ?? null),
    /** Handles a Docker event. Calls wait for it, because another program may use the port by then. */
    changed: (containerId: string): Promise<void> =>
      look(async (id) => (id === containerId ? containers.inspect(id).catch(() => undefined) : undefined)),
  };
}

/**
 * True if the function runs on a network without permission, because an older version of Limner created its container.
 */
async function isOutdated(
  { engine }: DockerFunctions,
  { configuration, row, grants }: FunctionRecord,
  { network }: ContainerFacts,
): Promise<boolean> {
  if (network !== functionNetwork || grants.includes(openNetworkGrant)) return false;
  const { facts } = await engine.connect();
  return reachOf(configuration, row.has_runtime === 1, facts) === 'link';
}

const withoutWall =
  'Its container used a network, which functions no longer get. The next call creates it again without a network.';
const interrupted = 'Limner was stopped while this function was deployed. Deploy it again.';
