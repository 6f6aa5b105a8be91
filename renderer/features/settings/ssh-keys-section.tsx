import { IconFingerprint, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SshKey } from '../../../preload/contract/schema/git.ts';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { gitQueries } from '../../api/git-queries.ts';
import { useChange } from '../../shared/use-change.ts';
import { useText } from '../../i18n/index.ts';
import { CopyIconButton } from '../../shared/code/code-view.tsx';
import { ChooseFile } from '../../shared/files/file-buttons.tsx';
import { formatWhen } from '../../shared/format-text.ts';
import { ask } from '../../ui/confirm.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Button, Group, PasswordInput, SmallButton, Stack, Textarea, TextInput } from '../../ui/kit.ts';
import { List, Row } from '../../ui/list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { notify } from '../../ui/notify.ts';
import { Empty } from '../../ui/page.tsx';
import { SectionHead } from '../../ui/section-head.tsx';

type KeyOrigin = 'new' | 'existing';

/** Keys are small; larger files were chosen by mistake. */
const maxBytes = 65_536;

function NewKeyDialog({ origin, onClose }: { readonly origin: KeyOrigin; readonly onClose: () => void }) {
  const t = useText();
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const isNew = origin === 'new';
  const create = useChange(
    () =>
      call('createSshKey', {
        body: {
          name: name.trim(),
          ...(isNew ? {} : { private_key: text }),
          ...(passphrase === '' ? {} : { passphrase }),
        },
        organization: null,
      }),
    { reloads: ['ssh-keys'], done: onClose },
  );
  const { of, rest } = fieldErrors(create.error, ['name', 'private_key', 'passphrase']);
  const take = async (file: File): Promise<void> => {
    setText(file.size > maxBytes ? file.name : await file.text());
    if (name === '') setName(file.name);
  };
  return (
    <FormDialog
      title={t(isNew ? 'sshKeys.new' : 'sshKeys.import')}
      submit={t(isNew ? 'common.create' : 'sshKeys.import')}
      change={create}
      onClose={onClose}
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
        onChange={setName}
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
            onChange={setText}
          />
          <Group>
            <ChooseFile onFile={(file) => void take(file)}>{t('sshKeys.chooseFile')}</ChooseFile>
          </Group>
        </>
      )}
      <PasswordInput
        label={t('sshKeys.passphrase')}
        description={t(isNew ? 'sshKeys.newPassphraseHint' : 'sshKeys.importPassphraseHint')}
        autoComplete="off"
        value={passphrase}
        error={of.passphrase}
        onChange={setPassphrase}
      />
    </FormDialog>
  );
}

export function SshKeysSection() {
  const t = useText();
  const [dialog, setDialog] = useState<KeyOrigin | null>(null);
  const keys = useQuery({ ...gitQueries.keys(), refetchOnMount: 'always' });
  const buttons = (
    <Group gap={8} wrap="nowrap" style={{ flex: 'none' }}>
      <SmallButton onClick={() => setDialog('existing')}>{t('sshKeys.import')}</SmallButton>
      <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => setDialog('new')}>
        {t('sshKeys.new')}
      </Button>
    </Group>
  );
  return (
    <Stack gap="md">
      <SectionHead
        title={t('sshKeys.title')}
        mb={0}
        action={keys.data !== undefined && keys.data.length > 0 && buttons}
      >
        {t('sshKeys.intro')}
      </SectionHead>
      <Loaded query={keys}>
        {(all) =>
          all.length > 0 ? (
            <KeyList keys={all} />
          ) : (
            <Empty
              icon={<IconFingerprint size={40} stroke={1.25} />}
              title={t('sshKeys.emptyTitle')}
              text={t('sshKeys.emptyText')}
              action={buttons}
            />
          )
        }
      </Loaded>
      {dialog !== null && <NewKeyDialog origin={dialog} onClose={() => setDialog(null)} />}
    </Stack>
  );
}

function KeyList({ keys }: { readonly keys: readonly SshKey[] }) {
  const t = useText();
  const remove = useChange(({ id }: SshKey) => call('deleteSshKey', { params: { id }, organization: null }), {
    reloads: ['ssh-keys'],
    done: (_, { name }) => notify.success(t('sshKeys.deleted', { name })),
    failed: ({ name }) => name,
  });
  const askAndRemove = async (key: SshKey): Promise<void> => {
    const title = t('sshKeys.deleteTitle', { name: key.name });
    const confirm = t('common.delete');
    if (await ask({ title, text: t('sshKeys.deleteText'), confirm })) remove.mutate(key);
  };
  return (
    <List>
      {keys.map((key) => (
        <Row
          key={key.id}
          name={key.name}
          title={key.name}
          meta={[
            key.type.replace(/^ssh-/, ''),
            key.fingerprint,
            key.has_passphrase ? t('sshKeys.locked') : null,
            key.last_used_date === null
              ? t('sshKeys.neverUsed')
              : t('sshKeys.used', { when: formatWhen(key.last_used_date) }),
          ]}
        >
          <CopyIconButton value={key.public_key} label={t('sshKeys.copy', { name: key.name })} />
          <IconButton
            label={t('sshKeys.delete', { name: key.name })}
            icon={<IconTrash size={16} stroke={1.5} />}
            onClick={() => void askAndRemove(key)}
          />
        </Row>
      ))}
    </List>
  );
}
