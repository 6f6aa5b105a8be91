import { useText } from '../../../i18n/index.ts';
import { Button, Group, Modal, Stack } from '../../../ui/kit.ts';
import { Problem } from '../../../ui/page.tsx';
import { RunningView } from '../../../shared/dataset/running-view.tsx';
import { useRestoring } from './restoring.ts';

export function RestoreDialog() {
  const t = useText();
  const { state, cancel, dismiss } = useRestoring();
  if (state.phase === 'idle') return null;
  const running = state.phase === 'running';
  return (
    <Modal
      opened
      onClose={running ? () => undefined : dismiss}
      withCloseButton={!running}
      closeOnEscape={!running}
      title={t(running ? 'workBackup.restoring' : 'workBackup.notRestored', { name: state.name })}
    >
      {state.phase === 'running' ? (
        <RunningView
          text={t(state.step.kind === 'uploading' ? 'workBackup.sending' : 'workBackup.reading')}
          progress={state.step.share}
          onCancel={cancel}
        />
      ) : (
        <Stack gap="sm">
          <Problem title={state.name} message={`${state.message} ${t('workBackup.kept')}`} />
          <Group justify="flex-end">
            <Button onClick={dismiss}>{t('common.close')}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
