import { useState } from 'react';
import type { CloudStorage } from '../../../preload/contract/schema/cloud-storages.ts';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useText } from '../../i18n/index.ts';
import { useChange } from '../use-change.ts';
import { FormDialog } from '../../ui/form.tsx';
import { ChoiceField, Hint, PasswordInput, SimpleGrid, Textarea, TextInput } from '../../ui/kit.ts';
import {
  accessTypes,
  bucketKinds,
  formOf,
  isComplete,
  needsSecrets,
  secretFields,
  secretsOf,
  writeOfForm,
  type BucketForm,
  type SecretField,
} from './bucket-form.ts';

interface BucketDialogProps {
  /** Null connects a new bucket. */
  readonly storage: CloudStorage | null;
  readonly onClose: () => void;
  readonly onSaved: (storage: CloudStorage) => void;
}

const isSecret = (name: SecretField): boolean => name !== 'key' && name !== 'account_name';

interface AccessFieldsProps {
  readonly form: BucketForm;
  readonly storage: CloudStorage | null;
  readonly change: (part: Partial<BucketForm>) => void;
  readonly errors: Partial<Record<SecretField, string>>;
}

function AccessFields({ form, storage, change, errors }: AccessFieldsProps) {
  const t = useText();
  const keeps = !needsSecrets(form, storage);
  const names = secretsOf(form);
  return (
    <>
      <ChoiceField
        label={t('buckets.access')}
        data={accessTypes(form.kind).map((value) => ({ value, label: t(`buckets.accesses.${accessWord(value)}`) }))}
        value={form.access}
        onChange={(access) => change({ access })}
      />
      {names.length > 0 && (
        <SimpleGrid cols={{ base: 1, xs: Math.min(2, names.length) }}>
          {names.map((name) => {
            const Field = isSecret(name) ? PasswordInput : TextInput;
            return (
              <Field
                key={name}
                label={t(`buckets.secrets.${name}`)}
                placeholder={keeps ? t('buckets.kept') : ''}
                autoComplete="off"
                spellCheck={false}
                value={form[name]}
                onChange={(value: string) => change({ [name]: value })}
                error={errors[name]}
              />
            );
          })}
        </SimpleGrid>
      )}
      <Hint>{t(keeps ? 'buckets.keptHint' : storage === null ? 'buckets.sealed' : 'buckets.enterAgain')}</Hint>
    </>
  );
}

/** Connects a bucket or changes its connection. The service checks the connection before it saves. */
export function BucketDialog({ storage, onClose, onSaved }: BucketDialogProps) {
  const t = useText();
  const [form, setForm] = useState(() => formOf(storage));
  const change = (part: Partial<BucketForm>): void => setForm((now) => ({ ...now, ...part }));
  const save = useChange(
    () => {
      const body = writeOfForm(form, storage);
      return storage === null
        ? call('createCloudStorage', { body })
        : call('updateCloudStorage', { params: { id: storage.id }, body });
    },
    {
      reloads: ['cloudstorages'],
      done: (saved) => {
        onSaved(saved);
        onClose();
      },
    },
  );
  const { of, rest } = fieldErrors(save.error, [
    'display_name',
    'resource',
    'specific_attributes',
    'credentials',
    'manifests',
    ...secretFields,
  ]);
  const isAzure = form.kind === 'azure';
  return (
    <FormDialog
      title={storage === null ? t('buckets.connect') : t('buckets.editTitle', { name: storage.display_name })}
      size="lg"
      submit={t(storage === null ? 'buckets.connectSubmit' : 'common.save')}
      change={save}
      onClose={onClose}
      isReady={isComplete(form, storage)}
      error={[of.credentials, rest].filter((text) => text !== undefined && text !== '').join(' ')}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <ChoiceField
          label={t('buckets.kind')}
          data={bucketKinds.map((value) => ({ value, label: t(`buckets.kinds.${value}`) }))}
          value={form.kind}
          onChange={(kind) => {
            const [first = form.access, ...others] = accessTypes(kind);
            change({ kind, access: [first, ...others].includes(form.access) ? form.access : first });
          }}
        />
        <TextInput
          label={t(isAzure ? 'buckets.container' : 'buckets.bucket')}
          required
          data-autofocus
          maxLength={222}
          spellCheck={false}
          value={form.resource}
          onChange={(resource) => change({ resource })}
          error={of.resource}
        />
        {form.kind !== 's3' && (
          <TextInput
            label={t('buckets.endpoint')}
            placeholder={form.kind === 'compatible' ? 'http://127.0.0.1:9000' : t('buckets.endpointOwn')}
            required={form.kind === 'compatible'}
            spellCheck={false}
            value={form.endpoint}
            onChange={(endpoint) => change({ endpoint })}
            error={of.specific_attributes}
          />
        )}
        {!isAzure && (
          <TextInput
            label={t('buckets.region')}
            placeholder={form.kind === 'google' ? 'auto' : 'us-east-1'}
            spellCheck={false}
            value={form.region}
            onChange={(region) => change({ region })}
            error={form.kind === 's3' ? of.specific_attributes : undefined}
          />
        )}
        <TextInput
          label={t('buckets.name')}
          placeholder={t('buckets.namePlaceholder')}
          maxLength={63}
          value={form.name}
          onChange={(name) => change({ name })}
          error={of.display_name}
        />
        <TextInput
          label={t('buckets.prefix')}
          placeholder={t('buckets.prefixPlaceholder')}
          spellCheck={false}
          value={form.prefix}
          onChange={(prefix) => change({ prefix })}
        />
      </SimpleGrid>
      <AccessFields {...{ form, storage, change }} errors={of} />
      <Textarea
        label={t('buckets.manifests')}
        description={t('buckets.manifestsHint')}
        autosize
        minRows={1}
        maxRows={6}
        spellCheck={false}
        value={form.manifests}
        onChange={(manifests) => change({ manifests })}
        error={of.manifests}
      />
    </FormDialog>
  );
}

function accessWord(access: BucketForm['access']): 'keys' | 'token' | 'connection' | 'anonymous' {
  if (access === 'ACCOUNT_NAME_TOKEN_PAIR') return 'token';
  if (access === 'CONNECTION_STRING') return 'connection';
  return access === 'ANONYMOUS_ACCESS' ? 'anonymous' : 'keys';
}
