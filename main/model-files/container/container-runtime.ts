import type { Invocation, InvocationAnswer } from '../../functions/engines/provider.ts';
import { RuntimeProblem, type ModelRuntime } from '../runtime/runtime-process.ts';
import type { Outputs } from '../tensor.ts';
import { tensorsFromFrame, tensorsToFrame } from './tensor-frame.ts';

interface ContainerRuntimeInput {
  readonly name: string;
  readonly invoke: (invocation: Invocation) => Promise<InvocationAnswer>;
  readonly timeoutMs: number;
  readonly onSend?: (() => void) | undefined;
}

/** Runs a model's files in a container, with the same input and output as in a local process. */
export function containerRuntime(input: ContainerRuntimeInput): Pick<ModelRuntime, 'run'> {
  const { name, invoke, timeoutMs, onSend } = input;
  return {
    async run(file, feeds, signal): Promise<Outputs> {
      const answer = await invoke({
        method: 'POST',
        path: '/',
        headers: { 'Content-Type': 'application/octet-stream' },
        body: tensorsToFrame(file, feeds),
        timeoutMs,
        signal,
        onSend,
      });
      if (answer.status !== 200) throw refused(name, answer);
      try {
        return tensorsFromFrame(answer.body);
      } catch (cause) {
        throw new RuntimeProblem(
          `The container of "${name}" did not return tensors. Deploy it again.`,
          'unavailable',
          cause,
        );
      }
    },
  };
}

function refused(name: string, { status, body }: InvocationAnswer): RuntimeProblem {
  if (status === 408) return new RuntimeProblem(`"${name}" took too long, and its worker was replaced.`, 'timeout');
  if (status === 503) return new RuntimeProblem(`No worker of "${name}" became free in time.`);
  const words = body.toString('utf8', 0, 1000).replaceAll(/\s+/g, ' ').trim();
  return new RuntimeProblem(`Cannot run "${name}" in its container (${status}): ${words}`, 'invalid');
}
