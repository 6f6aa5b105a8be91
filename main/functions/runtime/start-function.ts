import { AppError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { DockerFunctions } from '../engines/docker/docker-functions.ts';
import { reachPermissions } from '../engines/docker/reach.ts';
import { PortTaken } from '../engines/docker/start-problem.ts';
import { requireGrants, resolveVolumes } from '../policy/permissions.ts';
import { planResources } from '../policy/resource-plan.ts';
import { cardNeedOf, type FunctionRecord } from '../records/function-record.ts';
import type { FunctionChange } from '../records/function-repository.ts';
import type { FunctionRecords } from '../records/function-records.ts';
import type { GpuChoice, Resident } from './gpu-queue.ts';
import type { GpuScheduler } from './gpu-scheduler.ts';

export interface StartFunctionDependencies {
  readonly records: FunctionRecords;
  readonly containers: DockerFunctions;
  readonly scheduler: GpuScheduler;
  readonly log: Logger;
  /** Owner label of containers that no deployment starts. */
  readonly owner: string;
  /** All functions in containers; idle ones can give up their GPUs. */
  readonly residents: () => readonly Resident[];
}

/** Starts a deployed function: its existing container, or a new one from its image. */
export async function startFunction(
  dependencies: StartFunctionDependencies,
  record: FunctionRecord,
  signal: AbortSignal,
): Promise<FunctionChange> {
  const { name, running_image: image } = record.row;
  if (image === null) {
    const message = `"${name}" was never deployed successfully. Deploy it again.`;
    throw new AppError('unavailable', message, message);
  }
  const cards = await cardsFor(dependencies, record, signal);
  const old = await startOld(dependencies, record, cards, signal).catch((error: unknown) => {
    if (error instanceof PortTaken || (error instanceof AppError && error.code === 'not-found')) return null;
    throw error;
  });
  return old ?? (await startNew(dependencies, record, image, cards, signal));
}

/** Callers have given up after this time. */
const longestWaitMs = 10 * 60 * 1000;

/** Evicts idle functions, longest idle first. If that is not enough, the start waits in the GPU queue. */
function cardsFor(
  { scheduler, residents, log }: StartFunctionDependencies,
  record: FunctionRecord,
  signal: AbortSignal,
): Promise<GpuChoice> {
  return scheduler.place(cardNeedOf(record), residents, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(longestWaitMs)]),
    onWait: (words) => log.debug(words, { function: record.row.name }),
  });
}

async function startOld(
  { containers }: StartFunctionDependencies,
  { configuration, row, cards: before }: FunctionRecord,
  { cards }: GpuChoice,
  signal: AbortSignal,
): Promise<FunctionChange | null> {
  // A container keeps the GPUs that it was created with.
  const isElsewhere = Array.isArray(cards) && cards.toSorted().join() !== before.toSorted().join();
  if (isElsewhere || row.container_id === null || (await containers.inspect(row.container_id)) === null) return null;
  const { containerId, port } = await containers.start(configuration, row.container_id, row.has_runtime === 1, signal);
  return { container_id: containerId, port };
}

async function startNew(
  { containers, records, log, owner }: StartFunctionDependencies,
  record: FunctionRecord,
  imageName: string,
  { cards }: GpuChoice,
  signal: AbortSignal,
): Promise<FunctionChange> {
  const { configuration, row, commands } = record;
  const { facts } = await containers.engine.connect();
  requireGrants(row.name, reachPermissions(configuration, row.has_runtime === 1, facts), record.grants);
  const { containerId, port } = await containers.run({
    configuration,
    imageName,
    commands,
    hasRuntime: row.has_runtime === 1,
    volumes: await resolveVolumes({ configuration, handlerDirectory: row.directory }),
    plan: planResources(configuration, facts),
    cards,
    owner,
    previousPort: row.port,
    heldPorts: records.heldPorts(row.name),
    log: (line) => log.debug(line, { function: row.name }),
    signal,
  });
  return { container_id: containerId, port, cards: JSON.stringify(Array.isArray(cards) ? cards : []) };
}
