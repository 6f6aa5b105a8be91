import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Volume } from '../../../../preload/contract/schema/storage.ts';
import { call } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import { storageQueries } from '../../../api/storage-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { Dimmed, Text } from '../../../ui/kit.ts';
import { PathInput } from '../path-input.tsx';

interface MoveDialogProps {
  readonly volume: Volume;
  /** The data directory. */
  readonly root: string;
  readonly onClose: () => void;
}

/** Asks where a volume is to go, and says what happens. */
export function MoveDialog({ volume, root, onClose }: MoveDialogProps) {
  const t = useText();
  const client = useQueryClient();
  const [folder, setFolder] = useState(volume.moved ? root : '');
  const move = useMutation({
    mutationFn: () => call('moveVolume', { body: { volume: volume.name, folder: folder.trim() } }),
    onSuccess(state) {
      client.setQueryData(storageQueries.move().queryKey, state);
      onClose();
    },
  });
  const { of, rest } = fieldErrors(move.error, ['folder']);
  return (
    <FormDialog
      title={t('storage.moveTitle', { name: t(`storage.names.${volume.name}`) })}
      submit={t('storage.submit')}
      onSubmit={() => move.mutate()}
      onClose={onClose}
      isBusy={move.isPending}
      isReady={folder.trim() !== ''}
      error={rest}
    >
      <Text fz="sm">{t('storage.moveText')}</Text>
      <Dimmed style={{ overflowWrap: 'anywhere' }}>{t('storage.from', { folder: volume.folder })}</Dimmed>
      <PathInput
        kind="folder"
        label={t('storage.folder')}
        hint={t('storage.folderHint', { root })}
        value={folder}
        onChange={setFolder}
        error={of.folder}
      />
    </FormDialog>
  );
}
