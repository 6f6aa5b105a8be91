import { IconDownload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { cancelRequest, waitForRequest } from '../../api/requests.ts';
import { useText } from '../../i18n/index.ts';
import { Button, Group, Modal, Stack, Text } from '../../ui/kit.ts';
import { Problem } from '../../ui/page.tsx';
import { sameOrigin, startDownload } from '../dataset/downloads.ts';
import { RunningView } from '../dataset/running-view.tsx';
import { useRun } from '../dataset/run-state.ts';

interface BackupDialogProps {
  readonly target: { readonly kind: 'project' | 'task'; readonly id: number; readonly name: string };
  readonly onClose: () => void;
}

const operationOf = { project: 'exportProjectBackup', task: 'exportTaskBackup' } as const;

/** Backs one task or project up: what is in the file, then progress, then the file. */
export function BackupDialog({ target, onClose }: BackupDialogProps) {
  const t = useText();
  const client = useQueryClient();
  const run = useRun<string>(async ({ signal, step }) => {
    const { rq_id: id } = await call(operationOf[target.kind], { params: { id: target.id }, signal });
    signal.addEventListener('abort', () => void cancelRequest(id).catch(() => undefined));
    const done = await waitForRequest(id, {
      signal,
      onProgress: ({ message, progress }) => step(message === '' ? t('workBackup.running') : message, progress),
    });
    void client.invalidateQueries({ queryKey: ['requests'] });
    const url = sameOrigin(done.result_url ?? '');
    startDownload(url);
    return url;
  });
  const { state } = run;
  return (
    <Modal opened onClose={onClose} title={t('workBackup.title', { name: target.name })} size="md">
      {state.phase === 'form' && (
        <Stack gap="md">
          <Text fz="sm">{t(target.kind === 'task' ? 'workBackup.textTask' : 'workBackup.textProject')}</Text>
          <Text fz="xs" c="dimmed">
            {t('workBackup.open')}
          </Text>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button data-autofocus onClick={() => void run.start(t('workBackup.running'))}>
              {t('workBackup.start')}
            </Button>
          </Group>
        </Stack>
      )}
      {state.phase === 'running' && (
        <RunningView
          text={state.text}
          progress={state.progress}
          note={t('workBackup.background')}
          onCancel={run.cancel}
        />
      )}
      {state.phase === 'failed' && (
        <Problem
          title={t('workBackup.failed')}
          message={state.message}
          retry={{ label: t('common.retry'), run: run.back }}
        />
      )}
      {state.phase === 'done' && (
        <Group justify="space-between">
          <Text fz="sm">{t('exporting.ready')}</Text>
          <Button component="a" href={state.result} download leftSection={<IconDownload size={16} />}>
            {t('exporting.download')}
          </Button>
        </Group>
      )}
    </Modal>
  );
}
