import { IconDownload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { Button, Group, Hint, QuietButton, Stack, Text } from '../../../ui/kit.ts';
import { sameOrigin, startDownload } from '../../../shared/files/save-file.ts';
import { RunDialog, follow, useRun } from '../../../shared/dataset/run-dialog.tsx';

interface BackupDialogProps {
  readonly target: { readonly kind: 'project' | 'task'; readonly id: number; readonly name: string };
  readonly onClose: () => void;
}

const operationOf = { project: 'exportProjectBackup', task: 'exportTaskBackup' } as const;

export function BackupDialog({ target, onClose }: BackupDialogProps) {
  const t = useText();
  const client = useQueryClient();
  const run = useRun<string>(async (tools) => {
    const { rq_id: id } = await call(operationOf[target.kind], {
      params: { id: target.id },
      query: { location: 'local' },
      signal: tools.signal,
    });
    const done = await follow(id, tools, t('workBackup.running'));
    void client.invalidateQueries({ queryKey: ['requests'] });
    const url = sameOrigin(done.result_url ?? '');
    startDownload(url);
    return url;
  });
  return (
    <RunDialog
      title={t('workBackup.title', { name: target.name })}
      run={run}
      note={t('workBackup.background')}
      failed={t('workBackup.failed')}
      onClose={onClose}
      form={
        <Stack gap="md">
          <Text fz="sm">{t(target.kind === 'task' ? 'workBackup.textTask' : 'workBackup.textProject')}</Text>
          <Hint>{t('workBackup.open')}</Hint>
          <Group justify="flex-end" gap="sm">
            <QuietButton onClick={onClose}>{t('common.cancel')}</QuietButton>
            <Button data-autofocus onClick={() => void run.start(t('workBackup.running'))}>
              {t('workBackup.start')}
            </Button>
          </Group>
        </Stack>
      }
      renderResult={(url) => (
        <Group justify="space-between">
          <Text fz="sm">{t('exporting.ready')}</Text>
          <Button component="a" href={url} download leftSection={<IconDownload size={16} />}>
            {t('exporting.download')}
          </Button>
        </Group>
      )}
    />
  );
}
