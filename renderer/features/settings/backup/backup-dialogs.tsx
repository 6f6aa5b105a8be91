import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BackupFile, Backups } from '../../../../preload/contract/schema/backups.ts';
import { ApiError } from '../../../api/api-error.ts';
import { backupsQuery } from '../../../api/backup-queries.ts';
import { call } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { PathField } from '../../../shared/files/file-buttons.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { Dimmed, PartName, PasswordInput, Progress, Stack, Text } from '../../../ui/kit.ts';

interface Given {
  readonly file: string;
  readonly passphrase: string;
}

interface RestoreStep {
  /** Null while the service restarts. */
  readonly progress: number | null;
}

const pollMs = 400;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pollMs));

/** Restores and opens the restored data. After a failure everything is unchanged. */
function useRestore() {
  const client = useQueryClient();
  const [step, setStep] = useState<RestoreStep | null>(null);
  const run = useChange(
    async ({ file, passphrase }: Given) => {
      const before = (await client.fetchQuery({ ...backupsQuery(), staleTime: 0 })).last?.date;
      const body = { file, ...(passphrase === '' ? {} : { passphrase }) };
      const { launch_token: token } = await call('restoreBackup', { body });
      for (;;) {
        const state = await call('getBackups', {}).catch(meanwhile);
        if (state === 'signed-out' || (state !== 'away' && isDone(state.last, before))) break;
        setStep({ progress: state === 'away' ? null : (state.running?.progress ?? null) });
        await pause();
      }
      globalThis.location.assign(`/launch?token=${encodeURIComponent(token)}`);
    },
    { reloads: [backupsQuery().queryKey] },
  );
  return { step: run.isPending ? step : null, run };
}

/** The service restarts with the sessions of the backup. */
function meanwhile(error: unknown): 'away' | 'signed-out' {
  if (error instanceof ApiError && error.kind === 'unreachable') return 'away';
  if (error instanceof ApiError && error.kind === 'signed-out') return 'signed-out';
  throw error;
}

type Outcome = { readonly date: string; readonly succeeded: boolean; readonly message: string } | null;

function isDone(last: Outcome, before: string | undefined): boolean {
  if (last === null || last.date === before) return false;
  if (!last.succeeded) throw new Error(last.message);
  return true;
}

interface DialogProps {
  readonly onClose: () => void;
}

function useBackupChange(mutationFn: () => Promise<Backups>, onDone: () => void) {
  return useChange(mutationFn, { keeps: backupsQuery().queryKey, done: () => onDone() });
}

interface NewPassphraseProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const NewPassphrase = ({ label, value, onChange }: NewPassphraseProps) => (
  <PasswordInput
    label={label}
    description={useText()('backup.passphraseHint')}
    autoComplete="new-password"
    value={value}
    onChange={onChange}
  />
);

export function MakeBackupDialog({ onClose }: DialogProps) {
  const t = useText();
  const [passphrase, setPassphrase] = useState('');
  const make = useBackupChange(() => call('createBackup', { body: passphrase === '' ? {} : { passphrase } }), onClose);
  return (
    <FormDialog title={t('backup.makeTitle')} submit={t('backup.make')} change={make} onClose={onClose}>
      <Text fz="sm">{t('backup.makeText')}</Text>
      <NewPassphrase label={t('backup.passphraseOptional')} value={passphrase} onChange={setPassphrase} />
    </FormDialog>
  );
}

export function FolderDialog({ folder, onClose }: DialogProps & { readonly folder: string }) {
  const t = useText();
  const [path, setPath] = useState(folder);
  const change = useBackupChange(() => call('changeBackupSettings', { body: { folder: path.trim() } }), onClose);
  const { of, rest } = fieldErrors(change.error, ['folder']);
  return (
    <FormDialog
      title={t('backup.folderTitle')}
      submit={t('common.save')}
      change={change}
      onClose={onClose}
      isReady={path.trim() !== ''}
      error={rest}
    >
      <PathField
        kind="folder"
        browse={t('backup.browse')}
        data-autofocus
        label={t('backup.folder')}
        description={t('backup.folderHint')}
        value={path}
        onChange={setPath}
        error={of.folder}
      />
    </FormDialog>
  );
}

export function PassphraseDialog({ onClose }: DialogProps) {
  const t = useText();
  const [passphrase, setPassphrase] = useState('');
  const change = useBackupChange(() => call('changeBackupSettings', { body: { passphrase } }), onClose);
  return (
    <FormDialog
      title={t('backup.passphraseTitle')}
      submit={t('common.save')}
      change={change}
      onClose={onClose}
      isReady={passphrase !== ''}
    >
      <Text fz="sm">{t('backup.passphraseText')}</Text>
      <NewPassphrase label={t('backup.passphrase')} value={passphrase} onChange={setPassphrase} />
    </FormDialog>
  );
}

interface RestoreDialogProps extends DialogProps {
  /** Empty if the user enters the path. */
  readonly file: string;
  readonly backups: readonly BackupFile[];
}

export function RestoreDialog({ file, backups, onClose }: RestoreDialogProps) {
  const t = useText();
  const [path, setPath] = useState(file);
  const [passphrase, setPassphrase] = useState('');
  const listed = backups.find((one) => one.file === path.trim());
  const { step, run } = useRestore();
  const { of, rest } = fieldErrors(run.error, ['file']);
  return (
    <FormDialog
      title={t('backup.restoreTitle')}
      submit={t('backup.restoreSubmit')}
      onSubmit={() => run.mutate({ file: path.trim(), passphrase })}
      onClose={() => {
        // Restoring cannot be cancelled, reading can.
        if (run.isPending) void call('cancelBackup', {}).catch(() => undefined);
        onClose();
      }}
      isBusy={run.isPending}
      isReady={path.trim() !== '' && (listed?.encrypted !== true || passphrase !== '')}
      error={rest}
    >
      <Text fz="sm">{t('backup.restoreText')}</Text>
      <PartName>{t('backup.restoreKept')}</PartName>
      <PathField
        kind="file"
        browse={t('backup.browse')}
        data-autofocus
        filters={[{ name: t('backup.filter'), extensions: ['limner'] }]}
        label={t('backup.file')}
        description={t('backup.fileHint')}
        value={path}
        onChange={setPath}
        error={of.file}
      />
      {listed?.encrypted !== false && (
        <PasswordInput
          label={listed?.encrypted ? t('backup.passphrase') : `${t('backup.passphrase')} (${t('backup.encrypted')})`}
          autoComplete="off"
          value={passphrase}
          onChange={setPassphrase}
        />
      )}
      {run.isPending && (
        <Stack gap={4} role="status">
          <Dimmed>{step?.progress === null ? t('backup.beginning') : t('backup.restoringTitle')}</Dimmed>
          <Progress
            value={(step?.progress ?? 1) * 100}
            animated={step?.progress === null}
            aria-label={t('backup.restoringTitle')}
          />
        </Stack>
      )}
    </FormDialog>
  );
}
