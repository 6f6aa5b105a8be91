import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  applySettings,
  defaultSettings,
  NoSettingsFile,
  parseSettingsFile,
  readSettings,
  type SettingsFile,
} from '../../../preload/contract/settings-file.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { settingsQuery } from '../../api/settings-queries.ts';
import { useText } from '../../i18n/index.ts';
import { ChooseFile } from '../../shared/files/file-buttons.tsx';
import { saveFile } from '../../shared/files/save-file.ts';
import { ask } from '../../ui/confirm.tsx';
import { Alert, SmallButton } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import { SectionHead } from '../../ui/section-head.tsx';
import { SettingRow } from './setting-row.tsx';

export function SettingsFileSection() {
  const t = useText();
  const client = useQueryClient();
  const notice = useQuery({ ...settingsQuery(), refetchOnMount: 'always' }).data?.notice ?? null;
  const [problem, setProblem] = useState<string | null>(null);
  const change = useMutation({
    mutationFn: ({ settings }: { settings: SettingsFile; done: string }) => applySettings(call, settings),
    onSuccess: (_, { done }) => notify.success(done),
    onError: (error) => setProblem(t('settingsFile.refused', { reason: messageOf(error) })),
    // Every section shows some of them.
    onSettled: () => client.invalidateQueries(),
  });
  const save = useMutation({
    mutationFn: () => readSettings(call),
    onSuccess: ({ file }) =>
      saveFile('limner-settings.json', new Blob([`${JSON.stringify(file, null, 2)}\n`], { type: 'application/json' })),
    onError: (error) => setProblem(messageOf(error)),
  });

  async function take(file: File): Promise<void> {
    setProblem(null);
    try {
      const settings = parseSettingsFile(await file.text());
      change.mutate({ settings, done: t('settingsFile.taken', { name: file.name }) });
    } catch (error) {
      if (!(error instanceof NoSettingsFile)) throw error;
      setProblem(t('settingsFile.noFile', { name: file.name, reason: error.message }));
    }
  }

  async function reset(): Promise<void> {
    setProblem(null);
    const confirm = t('settingsFile.reset');
    if (!(await ask({ title: t('settingsFile.resetTitle'), text: t('settingsFile.resetText'), confirm }))) return;
    change.mutate({ settings: defaultSettings, done: t('settingsFile.resetDone') });
  }

  return (
    <section>
      <SectionHead title={t('settingsFile.title')}>{t('settingsFile.text')}</SectionHead>
      {notice !== null && (
        <Alert color="yellow" mb={12}>
          {notice}
        </Alert>
      )}
      {problem !== null && (
        <Alert color="red" mb={12} role="alert">
          {problem}
        </Alert>
      )}
      <SettingRow name={t('settingsFile.save')} hint={t('settingsFile.saveHint')}>
        <SmallButton loading={save.isPending} onClick={() => save.mutate()}>
          {t('settingsFile.saveButton')}
        </SmallButton>
      </SettingRow>
      <SettingRow name={t('settingsFile.take')} hint={t('settingsFile.takeHint')}>
        <ChooseFile accept="application/json,.json" loading={change.isPending} onFile={(file) => void take(file)}>
          {t('settingsFile.takeButton')}
        </ChooseFile>
      </SettingRow>
      <SettingRow name={t('settingsFile.resetRow')} hint={t('settingsFile.resetHint')}>
        <SmallButton disabled={change.isPending} onClick={() => void reset()}>
          {t('settingsFile.reset')}
        </SmallButton>
      </SettingRow>
    </section>
  );
}
