import type { FunctionState } from '../../../preload/contract/schema/functions.ts';
import type { ContainerFacts } from '../engines/docker/docker-functions.ts';

/**
 * State of a function in a container. `deploying` and `starting` are states of this process; the record stores the
 * others. `interrupted`: a process was stopped while it deployed the function.
 */
export type RuntimeState =
  | 'interrupted'
  | 'deploying'
  | 'undeployed'
  | 'stopped'
  | 'starting'
  | 'ready'
  | 'resting'
  | 'failed';

type Sighting = 'runs' | 'ended' | 'died' | 'out-of-memory' | 'gone' | 'outdated';
export type RuntimeEvent = 'start' | 'started' | 'unstartable' | 'stop' | 'rest' | Sighting;

type Moves = Readonly<Partial<Record<RuntimeEvent, RuntimeState>>>;

/** Transitions of a function that is not running: it can be started, or be found running. */
const atRest: Moves = {
  start: 'starting',
  stop: 'stopped',
  runs: 'ready',
  'out-of-memory': 'failed',
  gone: 'failed',
  outdated: 'resting',
};

/** All state transitions. Unlisted events change nothing. */
export const transitions: Readonly<Record<RuntimeState, Moves>> = {
  interrupted: {
    runs: 'ready',
    ended: 'undeployed',
    died: 'undeployed',
    'out-of-memory': 'undeployed',
    gone: 'undeployed',
    outdated: 'resting',
  },
  // The deployment writes the record at its end.
  deploying: {},
  undeployed: atRest,
  stopped: { start: 'starting', stop: 'stopped', runs: 'ready', outdated: 'stopped' },
  starting: { started: 'ready', unstartable: 'failed' },
  ready: { ...atRest, rest: 'resting', ended: 'resting', died: 'failed' },
  resting: atRest,
  failed: atRest,
};

/** Effect of a call: it is sent, starts a container, or is rejected. */
export const onCall: Readonly<Record<RuntimeState, 'send' | 'start' | 'refuse'>> = {
  interrupted: 'refuse',
  deploying: 'refuse',
  undeployed: 'refuse',
  stopped: 'refuse',
  starting: 'start',
  ready: 'send',
  resting: 'start',
  failed: 'start',
};

/** Nuclio's name of the state in the record; null for states of this process only. */
export const recorded: Readonly<Record<RuntimeState, FunctionState | null>> = {
  interrupted: 'building',
  deploying: null,
  undeployed: 'error',
  stopped: 'stopped',
  starting: null,
  ready: 'ready',
  resting: 'scaledToZero',
  failed: 'unhealthy',
};

export const stateOf: Readonly<Record<FunctionState, RuntimeState>> = {
  building: 'interrupted',
  error: 'undeployed',
  imported: 'undeployed',
  stopped: 'stopped',
  ready: 'ready',
  scaledToZero: 'resting',
  unhealthy: 'failed',
};

/** Event for the observed state of a container; null if the container does not exist. */
export function snapshotOf(facts: ContainerFacts | null): { readonly event: Sighting; readonly message: string } {
  if (facts === null) {
    const message = 'Its container no longer exists. The next call or start creates it again.';
    return { event: 'gone', message };
  }
  if (facts.isRunning) return { event: 'runs', message: '' };
  if (facts.isOutOfMemory) {
    const message = 'It exited because it reached its memory limit (spec.resources.limits.memory).';
    return { event: 'out-of-memory', message };
  }
  if (facts.exitCode !== 0 && facts.restarts > 0) {
    const message = `It exited repeatedly, last with exit code ${facts.exitCode}. See its log.`;
    return { event: 'died', message };
  }
  return { event: 'ended', message: '' };
}
