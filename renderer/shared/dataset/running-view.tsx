import type { ReactNode } from 'react';
import { useText } from '../../i18n/index.ts';
import { Group, Hint, Modal, Progress, QuietButton, Stack, Text } from '../../ui/kit.ts';
import { Problem } from '../../ui/page.tsx';
import type { Run } from './run-state.ts';

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
  const t = useText();
  const { state } = run;
  return (
    <Modal opened onClose={onClose} title={title} size={size}>
      {state.phase === 'form' && form}
      {state.phase === 'running' && (
        <RunningView text={state.text} progress={state.progress} note={note} onCancel={run.cancel} />
      )}
      {state.phase === 'failed' && (
        <Problem title={failed} message={state.message} retry={{ label: t('common.retry'), run: run.back }} />
      )}
      {state.phase === 'done' && renderResult(state.result)}
    </Modal>
  );
}
