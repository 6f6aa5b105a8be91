import { useText } from '../../../i18n/index.ts';
import { Button, Group, Modal, QuietButton, ScrollArea, Stack, Table, Text } from '../../../ui/kit.ts';
import { Problem } from '../../../ui/page.tsx';
import { RunningView } from '../../../shared/dataset/running-view.tsx';
import { formatBytes } from '../../../shared/format-text.ts';
import type { CreationStep, SkippedFile } from './create-task.ts';
import { useCreation } from './creation-store.ts';

const Running = ({ step }: { readonly step: CreationStep }) => {
  const t = useText();
  const cancel = useCreation((store) => store.cancel);
  if (step.kind === 'preparing')
    return <RunningView text={t('newTask.preparing')} progress={step.progress} onCancel={cancel} />;
  const { sentBytes: sent, totalBytes: total } = step;
  return (
    <RunningView
      text={t('newTask.uploading', { sent: formatBytes(sent), total: formatBytes(total) })}
      name={t('newTask.preparing')}
      progress={sent / Math.max(1, total)}
      onCancel={cancel}
    />
  );
};

interface SkippedListProps {
  readonly files: readonly SkippedFile[];
  readonly count: number;
}

const SkippedList = ({ files, count }: SkippedListProps) => {
  const t = useText();
  return (
    <Stack gap="sm">
      <Text fz="sm">{t('newTask.skippedText', { count })}</Text>
      <ScrollArea.Autosize mah={320}>
        <Table fz="sm" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('newTask.file')}</Table.Th>
              <Table.Th>{t('newTask.reason')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {files.map((item, index) => (
              <Table.Tr key={`${index} ${item.file}`}>
                <Table.Td>{item.file}</Table.Td>
                <Table.Td>{item.reason}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      {count > files.length && <Text fz="sm">{t('report.moreInvalid', { count: count - files.length })}</Text>}
    </Stack>
  );
};

export function CreationDialog() {
  const t = useText();
  const state = useCreation((store) => store.state);
  const dismiss = useCreation((store) => store.dismiss);
  if (state.phase === 'idle') return null;
  const running = state.phase === 'running';
  const close = state.phase === 'damaged' ? () => state.decide(false) : dismiss;
  const title = {
    damaged: t('newTask.damaged'),
    running: t(state.phase === 'running' && !state.isNew ? 'newTask.filling' : 'newTask.creating', {
      name: state.name,
    }),
    failed: t(state.phase === 'failed' && !state.isNew ? 'newTask.fillFailed' : 'newTask.failed'),
    done: t('newTask.skippedTitle'),
  };
  return (
    <Modal
      opened
      onClose={running ? () => undefined : close}
      withCloseButton={!running}
      closeOnEscape={!running}
      title={title[state.phase]}
      size={running ? 'md' : 'lg'}
    >
      {running && <Running step={state.step} />}
      {state.phase === 'failed' && (
        <Stack gap="sm">
          <Problem title={state.name} message={`${state.message} ${t('newTask.failedKept')}`} />
          <Group justify="flex-end">
            <Button onClick={dismiss}>{t('common.close')}</Button>
          </Group>
        </Stack>
      )}
      {state.phase === 'damaged' && (
        <Stack gap="sm">
          <Problem title={state.name} message={state.message} />
          <Group justify="flex-end" gap="sm">
            <QuietButton onClick={close}>{t('common.cancel')}</QuietButton>
            <Button onClick={() => state.decide(true)}>{t('newTask.takeDamaged')}</Button>
          </Group>
        </Stack>
      )}
      {state.phase === 'done' && (
        <Stack gap="md">
          <SkippedList files={state.created.skipped} count={state.created.skippedCount} />
          <Group justify="flex-end">
            <Button onClick={dismiss}>{t('common.close')}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
