import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RemoteServer, RemoteServerPatch } from '../../../preload/contract/schema/remotes.ts';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useText } from '../../i18n/index.ts';
import { ChooseFile } from '../../shared/files/file-buttons.tsx';
import { useChange } from '../../shared/use-change.ts';
import { PolicySwitches } from '../../shared/webhook-policy.tsx';
import { ask } from '../../ui/confirm.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { Group, PasswordInput, SmallButton, Switch, Textarea, TextInput } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';

/** Larger files are no certificates in PEM format. */
const maxBytes = 100_000;

interface ServerDialogProps {
  /** Null connects a new server. */
  readonly server: RemoteServer | null;
  readonly onDone: (server: RemoteServer) => void;
  readonly onClose: () => void;
}

export function ServerDialog({ server, onDone, onClose }: ServerDialogProps) {
  const t = useText();
  const [given, setGiven] = useState({
    name: server?.name ?? '',
    address: server?.address ?? '',
    token: '',
    certificate: '',
  });
  const [keepsCertificate, setKeepsCertificate] = useState(server?.has_certificate === true);
  const [showsPolicy, setShowsPolicy] = useState(false);
  const set = (field: keyof typeof given) => (value: string) => setGiven((before) => ({ ...before, [field]: value }));
  const save = useChange(
    () => {
      const { name, address, token, certificate } = given;
      if (server === null) return call('createRemoteServer', { body: given, organization: null });
      const body: RemoteServerPatch = {
        name,
        ...(address.trim() === server.address ? {} : { address }),
        ...(token === '' ? {} : { token }),
        ...(keepsCertificate ? {} : { certificate }),
      };
      return call('updateRemoteServer', { params: { id: server.id }, body, organization: null });
    },
    { reloads: ['remotes'], done: onDone },
  );
  const { of, rest } = fieldErrors(save.error, ['name', 'address', 'token', 'certificate']);
  const take = async (file: File): Promise<void> =>
    set('certificate')(file.size > maxBytes ? file.name : await file.text());
  const isReady =
    given.name.trim() !== '' && given.address.trim() !== '' && (server !== null || given.token.trim() !== '');
  return (
    <FormDialog
      title={server === null ? t('remote.connectTitle') : t('remote.editTitle', { name: server.name })}
      size="lg"
      submit={server === null ? t('remote.connect') : t('common.save')}
      change={save}
      onClose={onClose}
      isReady={isReady}
      error={rest}
    >
      <TextInput
        label={t('common.name')}
        data-autofocus
        maxLength={64}
        value={given.name}
        error={of.name}
        onChange={set('name')}
      />
      <TextInput
        label={t('remote.address')}
        description={t('remote.addressHint')}
        placeholder="https://cvat.example.org"
        spellCheck={false}
        value={given.address}
        error={of.address}
        onChange={set('address')}
      />
      <PasswordInput
        label={t('remote.token')}
        description={t(server === null ? 'remote.tokenHint' : 'remote.tokenKept')}
        autoComplete="off"
        value={given.token}
        error={of.token}
        onChange={set('token')}
      />
      {server?.has_certificate === true && (
        <Switch label={t('remote.keepCertificate')} checked={keepsCertificate} onChange={setKeepsCertificate} />
      )}
      {!keepsCertificate && (
        <>
          <Textarea
            label={t('remote.certificate')}
            description={t('remote.certificateHint')}
            rows={3}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            spellCheck={false}
            value={given.certificate}
            error={of.certificate}
            onChange={set('certificate')}
          />
          <Group>
            <ChooseFile onFile={(file) => void take(file)}>{t('sshKeys.chooseFile')}</ChooseFile>
          </Group>
        </>
      )}
      {rest !== '' && !showsPolicy && (
        <Group>
          <SmallButton onClick={() => setShowsPolicy(true)}>{t('remote.policy')}</SmallButton>
        </Group>
      )}
      {showsPolicy && <PolicySwitches />}
    </FormDialog>
  );
}

/** Asks, and disconnects a server; true if it is gone. */
export function useDisconnect(): (server: RemoteServer) => Promise<boolean> {
  const t = useText();
  const client = useQueryClient();
  return async ({ id, name, job_count: count }) => {
    const title = t('remote.disconnectTitle', { name });
    const text = t('remote.disconnectText', { count });
    if (!(await ask({ title, text, confirm: t('remote.disconnect') }))) return false;
    try {
      await call('deleteRemoteServer', { params: { id }, organization: null });
    } catch (error) {
      notify.failure(name, error);
      return false;
    }
    notify.success(t('remote.disconnected', { name }));
    for (const key of ['remotes', 'remote-jobs']) void client.invalidateQueries({ queryKey: [key] });
    return true;
  };
}
