import { useEffect, useRef, useState, type ReactNode } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { cancelRequest, waitForRequest } from '../../api/requests.ts';
import { wasCancelled } from '../../api/client.ts';
import { useText } from '../../i18n/index.ts';
import { Group, Hint, Modal, Progress, QuietButton, Stack, Text } from '../../ui/kit.ts';
import { Problem } from '../../ui/page.tsx';

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

interface RunningViewProps {
  readonly text: string;
  /** Accessible name of the bar, if the text changes at every step. */
  readonly name?: string;
  readonly progress: number | null;
  readonly note?: string;
  readonly onCancel: () => void;
}

export const RunningView = ({ text, name = text, progress, note, onCancel }: RunningViewProps) => {
  const t = useText();
  return (
    <Stack gap="sm">
      <Text fz="sm" aria-live="polite">
        {text}
      </Text>
      <Progress value={progress === null ? 100 : progress * 100} animated={progress === null} aria-label={name} />
      {note !== undefined && <Hint>{note}</Hint>}
      <Group justify="flex-end">
        <QuietButton onClick={onCancel}>{t('common.cancel')}</QuietButton>
      </Group>
    </Stack>
  );
};

interface RunDialogProps<Result> {
  readonly title: string;
  readonly size?: string | number;
  readonly run: Run<Result>;
  /** Shown while it runs. */
  readonly note: string;
  readonly failed: string;
  readonly form: ReactNode;
  readonly renderResult: (result: Result) => ReactNode;
  readonly onClose: () => void;
}

export function RunDialog<Result>(props: RunDialogProps<Result>) {
  const { title, size = 'md', run, note, failed, form, renderResult, onClose } = props;
  const { state } = run;
  return (
    <Modal opened onClose={onClose} title={title} size={size}>
      {state.phase === 'form' && form}
      {state.phase === 'running' && (
        <RunningView text={state.text} progress={state.progress} note={note} onCancel={run.cancel} />
      )}
      {state.phase === 'failed' && <Problem title={failed} message={state.message} retry={run.back} />}
      {state.phase === 'done' && renderResult(state.result)}
    </Modal>
  );
}
