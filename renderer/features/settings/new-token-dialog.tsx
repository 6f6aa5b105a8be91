import { useState } from 'react';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useChange } from '../../shared/use-change.ts';
import { useText } from '../../i18n/index.ts';
import { FormDialog } from '../../ui/form.tsx';
import { Group, Hint, Radio, Stack, TextInput, ChoiceField } from '../../ui/kit.ts';
import { expiryChoices, expiryDate, type Expiry } from './token-expiry.ts';

export interface MadeToken {
  readonly name: string;
  readonly value: string;
}

interface NewTokenDialogProps {
  readonly onMade: (token: MadeToken) => void;
  readonly onClose: () => void;
}

export function NewTokenDialog({ onMade, onClose }: NewTokenDialogProps) {
  const t = useText();
  const [name, setName] = useState('');
  const [access, setAccess] = useState('read');
  const [expiry, setExpiry] = useState<Expiry>('90');
  const [day, setDay] = useState('');
  const expires = expiryDate(expiry, day);
  const create = useChange(
    () =>
      call('createAccessToken', {
        body: { name: name.trim(), read_only: access === 'read', expiry_date: expires ?? null },
      }),
    { reloads: ['access-tokens'], done: (token) => onMade({ name: token.name, value: token.value }) },
  );
  const { of, rest } = fieldErrors(create.error, ['name', 'expiry_date']);
  const ready = name.trim() !== '' && expires !== undefined;
  return (
    <FormDialog
      title={t('settings.api.newToken')}
      submit={t('common.create')}
      change={create}
      onClose={onClose}
      isReady={ready}
      error={rest}
    >
      <TextInput
        label={t('settings.api.name')}
        placeholder={t('settings.api.namePlaceholder')}
        data-autofocus
        maxLength={64}
        value={name}
        onChange={setName}
        error={of.name}
      />
      <Radio.Group label={t('settings.api.access')} value={access} onChange={setAccess}>
        <Stack gap={8} mt={4}>
          <Radio value="read" label={t('settings.api.readOnly')} description={t('settings.api.readOnlyHint')} />
          <Radio value="write" label={t('settings.api.readWrite')} description={t('settings.api.readWriteHint')} />
        </Stack>
      </Radio.Group>
      <Group gap="sm" align="flex-start" grow>
        <ChoiceField
          label={t('settings.api.expires')}
          data={expiryChoices.map((value) => ({ value, label: t(`settings.api.expiry.${value}`) }))}
          value={expiry}
          // The values come from the list.
          onChange={(value) => setExpiry(value as Expiry)}
        />
        {expiry === 'date' && (
          <TextInput
            type="date"
            label={t('settings.api.expiryDate')}
            value={day}
            onChange={setDay}
            error={day !== '' && expires === undefined ? t('settings.api.expiryPast') : of.expiry_date}
          />
        )}
      </Group>
      <Hint>{t('settings.api.staleHint')}</Hint>
    </FormDialog>
  );
}
