import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import { useText } from '../../../i18n/index.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { Dimmed, Text } from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import { PathInput } from '../path-input.tsx';

/** Asks where files that are used in place are now. */
export function RelinkDialog({ folder, onClose }: { readonly folder: string; readonly onClose: () => void }) {
  const t = useText();
  const client = useQueryClient();
  const [to, setTo] = useState('');
  const relink = useMutation({
    mutationFn: () => call('relinkImages', { body: { from: folder, to: to.trim() } }),
    onSuccess({ message, missing }) {
      if (missing === 0) notify.success(message);
      else notify.failure(t('storage.relinked'), message);
      void client.invalidateQueries();
      onClose();
    },
  });
  const { of, rest } = fieldErrors(relink.error, ['to']);
  return (
    <FormDialog
      title={t('storage.relinkTitle')}
      submit={t('storage.relinkSubmit')}
      onSubmit={() => relink.mutate()}
      onClose={onClose}
      isBusy={relink.isPending}
      isReady={to.trim() !== ''}
      error={rest}
    >
      <Text fz="sm">{t('storage.relinkText')}</Text>
      <Dimmed style={{ overflowWrap: 'anywhere' }}>{t('storage.relinkFrom', { folder })}</Dimmed>
      <PathInput
        kind="folder"
        label={t('storage.relinkTo')}
        hint={t('storage.relinkToHint')}
        value={to}
        onChange={setTo}
        error={of.to}
      />
    </FormDialog>
  );
}
