import { z } from 'zod';
import { requestCategorySchema } from '../../../preload/contract/schema/native-functions.ts';
import { InvocationProblem } from '../engines/invoke.ts';
import {
  defaultTimeoutMs,
  type FunctionProvider,
  type InvocationAnswer,
  type ProvidedFunction,
} from '../engines/provider.ts';
import { notFound } from '../../platform/errors.ts';
import type { AgentQuestion, AgentQueues } from './agent-queues.ts';
import { described, fromRow } from './describe-native.ts';
import type { NativeRepository, NativeRow } from './native-repository.ts';

/**
 * Frames that wait for agents at the same time: enough work for several agents, and an agent with `--burst` does not
 * exit early.
 */
const waitingFrames = 8;

const questionSchema = z.object({
  category: requestCategorySchema,
  parameters: z.looseObject({ type: z.enum(['annotate_frame', 'interact', 'init_tracking', 'track']) }),
  agentId: z.string().nullable(),
}) satisfies z.ZodType<AgentQuestion>;

/** Body of a native function call. Agents download images themselves. */
export const questionBody = (question: AgentQuestion): Buffer[] => [Buffer.from(JSON.stringify(question))];

export const noAgent = ({ id, title }: Pick<NativeRow, 'id' | 'title'>): string =>
  `No agent of "${title}" is connected. Start one: cvat-cli function run-agent ${id} --function-file FILE.py`;

/** Native functions as a provider. A call waits in the queue until an agent has answered it. */
export function createNativeProvider({
  rows,
  queues,
}: {
  readonly rows: NativeRepository;
  readonly queues: AgentQueues;
}): FunctionProvider {
  const provided = (row: NativeRow): ProvidedFunction => {
    const isThere = queues.isThere(row.id);
    return {
      ...described(fromRow(row)),
      provider: 'native',
      isPrivate: row.visibility === 'private',
      project: 'default',
      state: isThere ? 'ready' : 'stopped',
      message: isThere ? '' : noAgent(row),
      port: null,
      workers: waitingFrames,
      timeoutMs: defaultTimeoutMs,
    };
  };
  return {
    list: async () => rows.list().map(provided),
    async find(name) {
      const row = rows.named(name);
      return row === undefined ? null : provided(row);
    },
    async invoke(name, { body, signal, onSend, timeoutMs }) {
      const row = rows.named(name);
      if (row === undefined) throw notFound(`There is no function "${name}".`);
      const question = questionFrom(Buffer.concat(body).toString('utf8'));
      if (question === null)
        return plain(400, 'it needs frames of tasks and accepts no images. Run it on a task or a frame.');
      // Interactive calls fail without an agent because a user waits; a run waits for an agent.
      const isUrgent = question.category === 'interactive';
      if (isUrgent && !queues.isThere(row.id)) throw new InvocationProblem('unreachable', noAgent(row));
      const late = isUrgent ? AbortSignal.timeout(timeoutMs) : undefined;
      const signals = [signal, late].filter((one) => one !== undefined);
      try {
        const answer = await queues.ask(row.id, question, {
          signal: signals.length === 0 ? undefined : AbortSignal.any(signals),
          onTaken: () => onSend?.(),
        });
        if ('failure' in answer) return plain(500, answer.failure);
        return json({ ...answer.result, agent_id: answer.agentId });
      } catch (error) {
        if (late?.aborted !== true || signal?.aborted === true) throw error;
        throw new InvocationProblem('late', `No agent answered within ${Math.round(timeoutMs / 1000)} s.`, error);
      }
    },
  };
}

function questionFrom(text: string): AgentQuestion | null {
  try {
    return questionSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const plain = (status: number, said: string): InvocationAnswer => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body: Buffer.from(said),
});
const json = (value: object): InvocationAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});
