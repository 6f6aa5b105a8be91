import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { create } from 'zustand';
import { IconArchive } from '@tabler/icons-react';
import { type BackupKind, readBackupKind } from '../../../../preload/contract/backup-kind.ts';
import { messageOf } from '../../../api/api-error.ts';
import { cancelRequest, waitForRequest } from '../../../api/requests.ts';
import { wasCancelled } from '../../../api/client.ts';
import { uploadWorkBackup } from '../../../api/uploads.ts';
import { useText } from '../../../i18n/index.ts';
import { notify } from '../../../ui/notify.ts';
import { ChooseFile } from '../../../shared/files/file-buttons.tsx';
import { Button, Group, Modal, type SmallButton, Stack } from '../../../ui/kit.ts';
import { Problem } from '../../../ui/page.tsx';
import { RunningView } from '../../../shared/dataset/run-dialog.tsx';

export interface WorkBackup {
  readonly file: File;
  readonly kind: BackupKind;
}

export interface Restored {
  readonly kind: BackupKind;
  readonly id: number;
}

type Step = { readonly kind: 'uploading' | 'restoring'; readonly share: number | null };
type State =
  | { readonly phase: 'idle' }
  | { readonly phase: 'running'; readonly name: string; readonly step: Step }
  | { readonly phase: 'failed'; readonly name: string; readonly message: string };

/** Backups of a task or project among some files, detected locally. */
export async function backupsAmong(files: readonly File[]): Promise<readonly WorkBackup[]> {
  const found: WorkBackup[] = [];
  for (const file of files) {
    if (!/\.zip$/i.test(file.name)) continue;
    const read = async (start: number, end: number) => new Uint8Array(await file.slice(start, end).arrayBuffer());
    // An unreadable file is no backup; its next reader reports the error.
    const kind = await readBackupKind(read, file.size).catch(() => null);
    if (kind !== null) found.push({ file, kind });
  }
  return found;
}

interface Restoring {
  readonly state: State;
  start(backup: WorkBackup): Promise<Restored | null>;
  cancel(): void;
  dismiss(): void;
}

/** The backup being restored, for the window's dialog; one at a time. */
const useRestoring = create<Restoring>((set, get) => {
  let abort: AbortController | null = null;
  return {
    state: { phase: 'idle' },
    async start({ file, kind }) {
      if (get().state.phase === 'running') return null;
      abort = new AbortController();
      const { signal } = abort;
      const { name } = file;
      const show = (step: Step): void => set({ state: { phase: 'running', name, step } });
      let request: string | null = null;
      try {
        show({ kind: 'uploading', share: 0 });
        request = await uploadWorkBackup(kind, file, {
          signal,
          onProgress: (sent, total) => show({ kind: 'uploading', share: sent / Math.max(1, total) }),
        });
        const done = await waitForRequest(request, {
          signal,
          onProgress: ({ progress }) => show({ kind: 'restoring', share: progress }),
        });
        set({ state: { phase: 'idle' } });
        return done.result_id === null ? null : { kind, id: done.result_id };
      } catch (error) {
        if (request !== null) await cancelRequest(request).catch(() => undefined);
        set({ state: wasCancelled(error) ? { phase: 'idle' } : { phase: 'failed', name, message: messageOf(error) } });
        return null;
      }
    },
    cancel: () => abort?.abort(),
    dismiss: () => set({ state: { phase: 'idle' } }),
  };
});

export function useRestore(): (backups: readonly WorkBackup[]) => Promise<void> {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const start = useRestoring((store) => store.start);
  return async (backups) => {
    for (const backup of backups) {
      const restored = await start(backup);
      for (const key of ['tasks', 'projects', 'jobs', 'requests']) void client.invalidateQueries({ queryKey: [key] });
      if (restored === null) return;
      notify.success(t('workBackup.restored', { name: backup.file.name }));
      const id = String(restored.id);
      if (restored.kind === 'task') await navigate({ to: '/tasks/$taskId', params: { taskId: id } });
      else await navigate({ to: '/projects/$projectId', params: { projectId: id } });
    }
  };
}

export function RestoreButton(look: ComponentProps<typeof SmallButton>) {
  const t = useText();
  const restore = useRestore();
  const take = async (file: File): Promise<void> => {
    const found = await backupsAmong([file]);
    if (found.length === 0) notify.failure(t('workBackup.none'), t('workBackup.noneText', { name: file.name }));
    else await restore(found);
  };
  return (
    <ChooseFile accept=".zip" leftSection={<IconArchive size={16} />} {...look} onFile={(file) => void take(file)}>
      {t('workBackup.from')}
    </ChooseFile>
  );
}

export function RestoreDialog() {
  const t = useText();
  const { state, cancel, dismiss } = useRestoring();
  if (state.phase === 'idle') return null;
  const running = state.phase === 'running';
  return (
    <Modal
      opened
      onClose={running ? () => undefined : dismiss}
      withCloseButton={!running}
      closeOnEscape={!running}
      title={t(running ? 'workBackup.restoring' : 'workBackup.notRestored', { name: state.name })}
    >
      {state.phase === 'running' ? (
        <RunningView
          text={t(state.step.kind === 'uploading' ? 'workBackup.sending' : 'workBackup.reading')}
          progress={state.step.share}
          onCancel={cancel}
        />
      ) : (
        <Stack gap="sm">
          <Problem title={state.name} message={`${state.message} ${t('workBackup.kept')}`} />
          <Group justify="flex-end">
            <Button onClick={dismiss}>{t('common.close')}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
