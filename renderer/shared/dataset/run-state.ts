import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { cancelRequest, waitForRequest } from '../../api/requests.ts';
import { wasCancelled } from '../../api/client.ts';

/** `progress` 0 to 1; null if unknown. */
export type RunState<Result> =
  | { readonly phase: 'form'; readonly cancelled?: boolean }
  | { readonly phase: 'running'; readonly text: string; readonly progress: number | null }
  | { readonly phase: 'failed'; readonly message: string }
  | { readonly phase: 'done'; readonly result: Result };

interface RunTools {
  readonly signal: AbortSignal;
  readonly step: (text: string, progress: number | null) => void;
}

export type Run<Result> = ReturnType<typeof useRun<Result>>;

/** Follows a background request to its end. Aborting the signal cancels the request. */
export function follow(id: string, { signal, step }: RunTools, text: string) {
  signal.addEventListener('abort', () => void cancelRequest(id).catch(() => undefined), { once: true });
  return waitForRequest(id, {
    signal,
    onProgress: ({ message, progress }) => step(message === '' ? text : message, progress),
  });
}

export function useRun<Result>(run: (tools: RunTools) => Promise<Result>) {
  const [state, setState] = useState<RunState<Result>>({ phase: 'form' });
  const abort = useRef<AbortController | null>(null);
  const alive = useRef(true);
  useEffect(() => {
    alive.current = true;
    return () => void (alive.current = false);
  }, []);
  const show = (next: RunState<Result>): void => {
    if (alive.current) setState(next);
  };
  return {
    state,
    cancel: () => abort.current?.abort(),
    back: () => setState({ phase: 'form' }),
    async start(text: string): Promise<void> {
      const controller = new AbortController();
      abort.current = controller;
      show({ phase: 'running', text, progress: null });
      try {
        const step: RunTools['step'] = (text, progress) => show({ phase: 'running', text, progress });
        show({ phase: 'done', result: await run({ signal: controller.signal, step }) });
      } catch (error) {
        show(wasCancelled(error) ? { phase: 'form', cancelled: true } : { phase: 'failed', message: messageOf(error) });
      }
    },
  };
}
