import { useState } from 'react';
import type { CloudStorage } from '../../../preload/contract/schema/cloud-storages.ts';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useText } from '../../i18n/index.ts';
import { useFollowRequest } from '../../shared/remotes/follow-request.ts';
import { useChange } from '../../shared/use-change.ts';
import { FormDialog } from '../../ui/form.tsx';
import { Checkbox, Dimmed, TextInput } from '../../ui/kit.ts';

interface ManifestDialogProps {
  readonly storage: CloudStorage;
  readonly onClose: () => void;
}

/** Writes a manifest of the images below a prefix to the bucket. */
export function ManifestDialog({ storage, onClose }: ManifestDialogProps) {
  const t = useText();
  const follow = useFollowRequest(['cloudstorages', 'requests']);
  const [prefix, setPrefix] = useState('');
  const [path, setPath] = useState('');
  const [replace, setReplace] = useState(false);
  // A prefix is a folder, with or without the slash.
  const folder = prefix.trim() === '' || prefix.endsWith('/') ? prefix.trim() : `${prefix.trim()}/`;
  const start = useChange(
    () =>
      call('createCloudStorageManifest', {
        params: { id: storage.id },
        body: { prefix: folder, path: path.trim(), replace },
      }),
    {
      done: ({ rq_id: id }) => {
        follow(id, t('buckets.manifestFailed', { name: storage.display_name }));
        onClose();
      },
    },
  );
  const { of, rest } = fieldErrors(start.error, ['prefix', 'path']);
  return (
    <FormDialog
      title={t('buckets.manifestTitle', { name: storage.display_name })}
      submit={t('buckets.writeManifest')}
      change={start}
      onClose={onClose}
      error={rest}
    >
      <Dimmed>{t('buckets.manifestText')}</Dimmed>
      <TextInput
        label={t('buckets.prefix')}
        placeholder={t('buckets.prefixPlaceholder')}
        data-autofocus
        spellCheck={false}
        value={prefix}
        onChange={setPrefix}
        error={of.prefix}
      />
      <TextInput
        label={t('buckets.manifest')}
        placeholder={`${folder}manifest.jsonl`}
        spellCheck={false}
        value={path}
        onChange={setPath}
        error={of.path}
      />
      <Checkbox label={t('buckets.replaceManifest')} checked={replace} onChange={setReplace} />
    </FormDialog>
  );
}
