import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useText } from '../../i18n/index.ts';
import { Button, Group, Modal, Radio, Select, Stack, Text, TextInput } from '../../ui/kit.ts';
import { expiryChoices, expiryDate, type Expiry } from './token-expiry.ts';

export interface MadeToken {
  readonly name: string;
  readonly value: string;
}

interface NewTokenDialogProps {
  readonly onMade: (token: MadeToken) => void;
  readonly onClose: () => void;
}

/** Asks for name, access and end of a new access token. */
export function NewTokenDialog({ onMade, onClose }: NewTokenDialogProps) {
  const t = useText();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [access, setAccess] = useState('read');
  const [expiry, setExpiry] = useState<Expiry>('90');
  const [day, setDay] = useState('');
  const expires = expiryDate(expiry, day);
  const create = useMutation({
    mutationFn: () =>
      call('createAccessToken', {
        body: { name: name.trim(), read_only: access === 'read', expiry_date: expires ?? null },
      }),
    onSuccess: (token) => {
      void client.invalidateQueries({ queryKey: ['access-tokens'] });
      onMade({ name: token.name, value: token.value });
    },
  });
  const { of, rest } = fieldErrors(create.error, ['name', 'expiry_date']);
  const ready = name.trim() !== '' && expires !== undefined;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (ready) create.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t('settings.api.newToken')}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={t('settings.api.name')}
            placeholder={t('settings.api.namePlaceholder')}
            data-autofocus
            maxLength={64}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={of.name}
          />
          <Radio.Group label={t('settings.api.access')} value={access} onChange={setAccess}>
            <Stack gap={8} mt={4}>
              <Radio value="read" label={t('settings.api.readOnly')} description={t('settings.api.readOnlyHint')} />
              <Radio value="write" label={t('settings.api.readWrite')} description={t('settings.api.readWriteHint')} />
            </Stack>
          </Radio.Group>
          <Group gap="sm" align="flex-start" grow>
            <Select
              label={t('settings.api.expires')}
              data={expiryChoices.map((value) => ({ value, label: t(`settings.api.expiry.${value}`) }))}
              value={expiry}
              allowDeselect={false}
              // The values are those of the list.
              onChange={(value) => setExpiry((value ?? '90') as Expiry)}
            />
            {expiry === 'date' && (
              <TextInput
                type="date"
                label={t('settings.api.expiryDate')}
                value={day}
                onChange={(event) => setDay(event.currentTarget.value)}
                error={day !== '' && expires === undefined ? t('settings.api.expiryPast') : of.expiry_date}
              />
            )}
          </Group>
          <Text fz="xs" c="dimmed">
            {t('settings.api.staleHint')}
          </Text>
          {rest !== '' && (
            <Text c="red" fz="sm" role="alert">
              {rest}
            </Text>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={!ready}>
              {t('common.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
