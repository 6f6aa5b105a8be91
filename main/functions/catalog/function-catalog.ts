import type { Logger } from '../../platform/log.ts';
import { AppError } from '../../platform/errors.ts';
import type { CallNumbers } from '../numbers/call-numbers.ts';
import type { FunctionProvider, Invocation, InvocationAnswer, ProvidedFunction } from '../engines/provider.ts';

export type FunctionCatalog = ReturnType<typeof createFunctionCatalog>;

/** Functions of all providers, which register here, so that none of them has to know the others. */
export function createFunctionCatalog({
  numbers,
  log,
}: {
  readonly numbers: Pick<CallNumbers, 'took'>;
  readonly log: Logger;
}) {
  const sources: (() => readonly FunctionProvider[])[] = [];
  const providers = (): FunctionProvider[] => sources.flatMap((source) => source());

  async function holder(name: string): Promise<{ provider: FunctionProvider; found: ProvidedFunction } | null> {
    let failure: unknown = null;
    for (const provider of providers()) {
      try {
        const found = await provider.find(name);
        if (found) return { provider, found };
      } catch (error) {
        // An unreachable dashboard must not hide the functions of the others.
        failure ??= error;
      }
    }
    if (failure) throw failure;
    return null;
  }

  /** Counts a call, unless the caller aborted it, because that says nothing about the function. */
  async function counted(
    provider: FunctionProvider,
    { name, version = 1 }: ProvidedFunction,
    invocation: Invocation,
  ): Promise<InvocationAnswer> {
    const begunMs = performance.now();
    let sentMs: number | null = null;
    const onSend = () => void (sentMs ??= performance.now());
    const took = (isError: boolean): void => {
      const nowMs = performance.now();
      const queueMs = sentMs === null ? 0 : sentMs - begunMs;
      numbers.took({ functionId: name, version, durationMs: nowMs - begunMs, queueMs, isError });
    };
    try {
      const answer = await provider.invoke(name, { ...invocation, onSend });
      took(answer.status >= 400);
      return answer;
    } catch (error) {
      if (invocation.signal?.aborted !== true) took(true);
      throw error;
    }
  }

  return {
    /** On duplicate names, the provider that was registered last wins. The earlier ones are not queried. */
    register(source: () => readonly FunctionProvider[]): void {
      sources.unshift(source);
    },
    /** Throws a dashboard's error only if no provider returned functions. */
    async list(): Promise<ProvidedFunction[]> {
      const all: ProvidedFunction[] = [];
      const failures: unknown[] = [];
      for (const provider of providers()) {
        try {
          for (const one of await provider.list()) {
            if (!all.some(({ name }) => name === one.name)) all.push(one);
          }
        } catch (error) {
          failures.push(error);
          log.warn('Functions of a provider could not be listed', { error });
        }
      }
      if (all.length === 0 && failures.length > 0) throw failures[0];
      return all;
    },
    find: async (name: string): Promise<ProvidedFunction | null> => (await holder(name))?.found ?? null,
    async invoke(name: string, invocation: Invocation): Promise<InvocationAnswer> {
      const held = await holder(name);
      if (!held) throw new AppError('not-found', `There is no function "${name}".`, { detail: 'Not found.' });
      return counted(held.provider, held.found, invocation);
    },
  };
}
