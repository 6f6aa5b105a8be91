import { ForwardedError } from '../../platform/errors.ts';
import type { AgentParameters } from '../native/agent-queues.ts';
import { questionBody } from '../native/native-provider.ts';
import { badRequest } from './lambda-errors.ts';
import type { Model, ModelCaller } from './model-caller.ts';
import { nativeInteraction, regionFields } from './native-call.ts';
import type { Region } from './region.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface NativeCall {
  readonly models: ModelCaller;
  readonly model: Model;
  readonly task: number;
  readonly frame: number;
  readonly signal?: AbortSignal;
}

export const isNative = ({ provided }: Model): boolean => provided.provider === 'native';

const ask = (
  { models, model, task, frame, signal }: NativeCall,
  parameters: Omit<AgentParameters, 'task' | 'frame'> & Pick<AgentParameters, 'type'>,
  agentId: string | null = null,
): Promise<unknown> =>
  models.call(
    model,
    questionBody({ category: 'interactive', agentId, parameters: { ...parameters, task, frame } }),
    signal,
  );

/** Rejects fields that the agent protocol would drop. */
function refuse(fields: Fields, kind: string): void {
  const given = ['text_prompts', 'threshold'].find((name) => fields[name] !== undefined);
  if (given !== undefined) throw badRequest(`A native function that is ${kind} does not support ${given}`);
}

/** @param fields points and box in coordinates of the region */
export async function interactNatively(call: NativeCall, region: Region | null, fields: Fields): Promise<object> {
  refuse(fields, 'an interactor');
  const { pos_points, neg_points, obj_bbox } = fields;
  const prompts = { pos_points, neg_points, obj_bbox: obj_bbox ?? [] };
  return nativeInteraction(await ask(call, { type: 'interact', ...prompts, ...regionFields(region) }));
}

/** State of a tracked object and the agent that holds it. */
interface AgentState {
  readonly agent: string;
  readonly state: string;
}

/**
 * Initializes tracking with the first call and continues it with later ones. States stay in one agent, so only that
 * agent can continue.
 * @param fields of `trackerFields`
 */
export async function trackNatively(call: NativeCall, fields: Fields): Promise<object> {
  refuse(fields, 'a tracker');
  const states = listOf(fields['states']);
  if (states.length === 0) {
    const shapes = listOf(fields['shapes']);
    const begun = await ask(call, { type: 'init_tracking', shapes: shapes.filter((shape) => shape !== null) });
    const [agent, found] = [
      String(Reflect.get(Object(begun), 'agent_id')),
      listOf(Reflect.get(Object(begun), 'states')),
    ];
    let next = 0;
    return {
      shapes,
      states: shapes.map((shape) => (shape === null ? null : { agent, state: String(found[next++]) })),
    };
  }
  const known = states.map((state) => (state === null ? null : readState(state)));
  const shapes: unknown[] = known.map(() => null);
  for (const agent of new Set(known.flatMap((one) => (one === null ? [] : [one.agent])))) {
    const places = [...known.keys()].filter((index) => known[index]?.agent === agent);
    const own = places.map((index) => known[index]?.state);
    const answer = await ask(call, { type: 'track', states: own }, agent);
    const found = listOf(Reflect.get(Object(answer), 'shapes'));
    for (const [at, index] of places.entries()) shapes[index] = found[at] ?? null;
  }
  return { shapes, states: known };
}

function readState(value: unknown): AgentState {
  const [agent, state]: unknown[] = [Reflect.get(Object(value), 'agent'), Reflect.get(Object(value), 'state')];
  if (typeof agent === 'string' && typeof state === 'string') return { agent, state };
  throw new ForwardedError(400, 'Invalid or expired tracker state');
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
