import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import { useText } from '../../../i18n/index.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { FileButton, Group, PasswordInput, SmallButton, TextInput, Textarea } from '../../../ui/kit.ts';

/** A key that is made here, or one that the person has. */
export type KeyOrigin = 'new' | 'existing';

/** Keys are small; anything else that is chosen by mistake is not read. */
const maxBytes = 65_536;

export function NewKeyDialog({ origin, onClose }: { readonly origin: KeyOrigin; readonly onClose: () => void }) {
  const t = useText();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const isNew = origin === 'new';
  const create = useMutation({
    mutationFn: () =>
      call('createSshKey', {
        body: {
          name: name.trim(),
          ...(isNew ? {} : { private_key: text }),
          ...(passphrase === '' ? {} : { passphrase }),
        },
        organization: null,
      }),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: ['ssh-keys'] }),
  });
  const { of, rest } = fieldErrors(create.error, ['name', 'private_key', 'passphrase']);
  const take = async (file: File | null): Promise<void> => {
    if (file === null) return;
    setText(file.size > maxBytes ? file.name : await file.text());
    if (name === '') setName(file.name);
  };
  return (
    <FormDialog
      title={t(isNew ? 'sshKeys.new' : 'sshKeys.import')}
      submit={t(isNew ? 'common.create' : 'sshKeys.import')}
      onSubmit={() => create.mutate()}
      onClose={onClose}
      isBusy={create.isPending}
      isReady={name.trim() !== '' && (isNew || text.trim() !== '')}
      error={rest}
    >
      <TextInput
        label={t('sshKeys.name')}
        placeholder={t('sshKeys.namePlaceholder')}
        data-autofocus
        maxLength={100}
        value={name}
        error={of.name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {!isNew && (
        <>
          <Textarea
            label={t('sshKeys.privateKey')}
            description={t('sshKeys.privateKeyHint')}
            rows={6}
            ff="monospace"
            spellCheck={false}
            value={text}
            error={of.private_key}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group>
            <FileButton onChange={(file) => void take(file)}>
              {(props) => <SmallButton {...props}>{t('sshKeys.chooseFile')}</SmallButton>}
            </FileButton>
          </Group>
        </>
      )}
      <PasswordInput
        label={t('sshKeys.passphrase')}
        description={t(isNew ? 'sshKeys.newPassphraseHint' : 'sshKeys.importPassphraseHint')}
        autoComplete="off"
        value={passphrase}
        error={of.passphrase}
        onChange={(event) => setPassphrase(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
