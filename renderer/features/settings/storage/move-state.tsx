import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Volume } from '../../../../preload/contract/schema/storage.ts';
import { call } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import { storageQueries } from '../../../api/storage-queries.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { PathField } from '../../../shared/files/file-buttons.tsx';
import { formatWhen } from '../../../shared/format-text.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { Button, Dimmed, Group, Progress, Stack, Text } from '../../../ui/kit.ts';
import classes from './storage-section.module.css';

interface MoveDialogProps {
  readonly volume: Volume;
  readonly root: string;
  readonly onClose: () => void;
}

export function MoveDialog({ volume, root, onClose }: MoveDialogProps) {
  const t = useText();
  const [folder, setFolder] = useState(volume.moved ? root : '');
  const move = useChange(() => call('moveVolume', { body: { volume: volume.name, folder: folder.trim() } }), {
    keeps: storageQueries.move().queryKey,
    done: () => onClose(),
  });
  const { of, rest } = fieldErrors(move.error, ['folder']);
  return (
    <FormDialog
      title={t('storage.moveTitle', { name: t(`storage.names.${volume.name}`) })}
      submit={t('storage.submit')}
      change={move}
      onClose={onClose}
      isReady={folder.trim() !== ''}
      error={rest}
    >
      <Text fz="sm">{t('storage.moveText')}</Text>
      <Dimmed style={{ overflowWrap: 'anywhere' }}>{t('storage.from', { folder: volume.folder })}</Dimmed>
      <PathField
        kind="folder"
        browse={t('backup.browse')}
        data-autofocus
        label={t('storage.folder')}
        description={t('storage.folderHint', { root })}
        value={folder}
        onChange={setFolder}
        error={of.folder}
      />
    </FormDialog>
  );
}

export function MoveState() {
  const t = useText();
  const client = useQueryClient();
  const { data, isError } = useQuery(storageQueries.move());
  const cancel = useChange(() => call('cancelVolumeMove', {}), { keeps: storageQueries.move().queryKey });
  const ended = data?.running === null ? (data.last?.date ?? '') : undefined;
  const seen = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (ended === undefined) return;
    // Sizes and paths have changed.
    if (seen.current !== undefined && seen.current !== ended)
      void client.invalidateQueries({ queryKey: storageQueries.all().queryKey, exact: true });
    seen.current = ended;
  }, [client, ended]);
  if (!data) return null;
  const { running, last } = data;
  if (running !== null) {
    const title = t('storage.moving', { name: t(`storage.names.${running.volume}`), folder: running.folder });
    return (
      <Stack gap={6} role="status" className={classes.state ?? ''}>
        <Group justify="space-between" wrap="nowrap">
          <Text fz="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Text>
          <Button size="compact-xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('common.cancel')}
          </Button>
        </Group>
        <Progress value={isError ? 100 : running.progress * 100} animated={isError} aria-label={title} />
        <Dimmed>{isError ? t('storage.beginning') : running.message || t('storage.begun')}</Dimmed>
      </Stack>
    );
  }
  if (last === null) return null;
  const words = { name: t(`storage.names.${last.volume}`), when: formatWhen(last.date) };
  return (
    <Group gap={12} wrap="nowrap" align="flex-start" className={classes.state ?? ''}>
      {last.succeeded ? (
        <IconCircleCheck size={20} color="var(--mantine-color-teal-filled)" aria-hidden />
      ) : (
        <IconAlertCircle size={20} color="var(--mantine-color-red-filled)" aria-hidden />
      )}
      <div style={{ minWidth: 0 }}>
        <Text fz="sm" fw={600}>
          {t(last.succeeded ? 'storage.moved' : 'storage.failed', words)}
        </Text>
        <Dimmed style={{ overflowWrap: 'anywhere' }}>{last.message}</Dimmed>
      </div>
    </Group>
  );
}
