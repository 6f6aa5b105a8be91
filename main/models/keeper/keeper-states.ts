import type { FunctionState } from '../../../preload/contract/schema/functions.ts';
import type { ContainerFacts } from '../engines/docker/docker-functions.ts';

/**
 * Where a function in a container stands. `deploying` and `starting` are what this Limner is doing; the record keeps the
 * others. `interrupted`: a Limner was stopped while it deployed the function.
 */
export type KeeperState =
  | 'interrupted'
  | 'deploying'
  | 'undeployed'
  | 'stopped'
  | 'starting'
  | 'ready'
  | 'resting'
  | 'failed';

/** What the Engine tells of a container: it runs, or how it ended. */
type Sighting = 'runs' | 'ended' | 'died' | 'out-of-memory' | 'gone' | 'outdated';
export type KeeperEvent = 'start' | 'started' | 'unstartable' | 'stop' | 'rest' | Sighting;

type Moves = Readonly<Partial<Record<KeeperEvent, KeeperState>>>;

/** Of one that does not run: it may be started again, or be found running after all. */
const atRest: Moves = {
  start: 'starting',
  stop: 'stopped',
  runs: 'ready',
  'out-of-memory': 'failed',
  gone: 'failed',
  outdated: 'resting',
};

/** Everything that happens to a function. What is not listed changes nothing. */
export const transitions: Readonly<Record<KeeperState, Moves>> = {
  interrupted: {
    runs: 'ready',
    ended: 'undeployed',
    died: 'undeployed',
    'out-of-memory': 'undeployed',
    gone: 'undeployed',
    outdated: 'resting',
  },
  // Its end writes the record: the new one is ready, or the one before is as it was.
  deploying: {},
  undeployed: atRest,
  stopped: { start: 'starting', stop: 'stopped', runs: 'ready', outdated: 'stopped' },
  starting: { started: 'ready', unstartable: 'failed' },
  ready: { ...atRest, rest: 'resting', ended: 'resting', died: 'failed' },
  resting: atRest,
  failed: atRest,
};

/** What a call does: it goes to the container, has one started, or is told why not. */
export const onCall: Readonly<Record<KeeperState, 'send' | 'start' | 'refuse'>> = {
  interrupted: 'refuse',
  deploying: 'refuse',
  undeployed: 'refuse',
  stopped: 'refuse',
  starting: 'start',
  ready: 'send',
  resting: 'start',
  failed: 'start',
};

/** The word of the record, which is Nuclio's; null for what only this Limner is doing. */
export const recorded: Readonly<Record<KeeperState, FunctionState | null>> = {
  interrupted: 'building',
  deploying: null,
  undeployed: 'error',
  stopped: 'stopped',
  starting: null,
  ready: 'ready',
  resting: 'scaledToZero',
  failed: 'unhealthy',
};

export const stateOf: Readonly<Record<FunctionState, KeeperState>> = {
  building: 'interrupted',
  error: 'undeployed',
  imported: 'undeployed',
  stopped: 'stopped',
  ready: 'ready',
  scaledToZero: 'resting',
  unhealthy: 'failed',
};

/** What happened to a container that the Engine tells this of; null: it is gone. */
export function sighting(facts: ContainerFacts | null): { readonly event: Sighting; readonly message: string } {
  if (facts === null) {
    const message = 'Its container is gone. It is made again when the function is called or started.';
    return { event: 'gone', message };
  }
  if (facts.isRunning) return { event: 'runs', message: '' };
  if (facts.isOutOfMemory) {
    const message = 'It ended because its memory limit was reached (spec.resources.limits.memory).';
    return { event: 'out-of-memory', message };
  }
  if (facts.exitCode !== 0 && facts.restarts > 0) {
    const message = `It ended again and again, last with exit code ${facts.exitCode}. Its log tells more.`;
    return { event: 'died', message };
  }
  return { event: 'ended', message: '' };
}
