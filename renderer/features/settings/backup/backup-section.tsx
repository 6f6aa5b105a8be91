import { IconAlertCircle, IconArchive, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BackupFile, Backups, BackupSettings } from '../../../../preload/contract/schema/backups.ts';
import { backupsQuery } from '../../../api/backup-queries.ts';
import { call } from '../../../api/client.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { locale } from '../../../i18n/language.ts';
import { useOpenedBackup } from '../../../shared/backup/opened-backup.ts';
import { formatBytes, formatDate, formatWhen } from '../../../shared/format-text.ts';
import {
  Anchor,
  Button,
  Code,
  Dimmed,
  Group,
  NumberInput,
  Progress,
  SmallButton,
  Stack,
  Switch,
  Text,
  Title,
  ChoiceField,
} from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { DataTable, NumberCell, RowActions } from '../../../ui/table.tsx';
import { SectionHead } from '../../../ui/section-head.tsx';
import { SettingRow } from '../setting-row.tsx';
import { FolderDialog, MakeBackupDialog, PassphraseDialog, RestoreDialog } from './backup-dialogs.tsx';

function State({ running, last }: Pick<Backups, 'running' | 'last'>) {
  const t = useText();
  const cancel = useChange(() => call('cancelBackup', {}), { keeps: backupsQuery().queryKey });
  if (running !== null) {
    const title = t(running.kind === 'backup' ? 'backup.makingTitle' : 'backup.restoringTitle');
    return (
      <Stack gap={6} role="status">
        <Group justify="space-between">
          <Text fz="sm" fw={600}>
            {title}
          </Text>
          <Button size="compact-xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('common.cancel')}
          </Button>
        </Group>
        <Progress value={running.progress * 100} aria-label={title} />
        <Dimmed>{running.message || t('backup.begun')}</Dimmed>
      </Stack>
    );
  }
  if (last === null) return <Line title={t('backup.none')} text={t('backup.noneText')} kind="none" />;
  const when = formatWhen(last.date);
  const titles = {
    backup: [t('backup.failedBackup', { when }), t('backup.made', { when })],
    restore: [t('backup.failedRestore', { when }), t('backup.restored', { when })],
  } as const;
  const title = titles[last.kind][last.succeeded ? 1 : 0];
  return <Line title={title} text={last.message} kind={last.succeeded ? 'good' : 'bad'} />;
}

interface LineProps {
  readonly title: string;
  readonly text: string;
  readonly kind: 'none' | 'good' | 'bad';
}

const Line = ({ title, text, kind }: LineProps) => (
  <Group gap={12} wrap="nowrap" align="flex-start">
    {kind === 'good' && <IconCircleCheck size={20} color="var(--mantine-color-teal-filled)" aria-hidden />}
    {kind === 'bad' && <IconAlertCircle size={20} color="var(--mantine-color-red-filled)" aria-hidden />}
    <div style={{ minWidth: 0 }}>
      <Text fz="sm" fw={600}>
        {title}
      </Text>
      <Dimmed style={{ overflowWrap: 'anywhere' }}>{text}</Dimmed>
    </div>
  </Group>
);

const anyHour = 'any';
const hourText = (hour: number): string =>
  new Intl.DateTimeFormat(locale(), { hour: 'numeric', minute: '2-digit' }).format(new Date(2026, 0, 1, hour));

function Schedule({
  settings,
  encrypts,
  free_bytes: freeBytes,
}: Pick<Backups, 'settings' | 'encrypts' | 'free_bytes'>) {
  const t = useText();
  const [choosing, setChoosing] = useState(false);
  const [locking, setLocking] = useState(false);
  const change = useChange(
    (body: Partial<BackupSettings> & { passphrase?: null }) => call('changeBackupSettings', { body }),
    { keeps: backupsQuery().queryKey, failed: t('backup.title') },
  );
  const free = freeBytes === null ? t('backup.noFolder') : t('backup.free', { size: formatBytes(freeBytes) });
  return (
    <section>
      <SectionHead title={t('backup.schedule')} />
      <SettingRow name={t('backup.every')} hint={t('backup.everyHint')}>
        <ChoiceField
          w={160}
          aria-label={t('backup.every')}
          data={(['never', 'day', 'week'] as const).map((value) => ({ value, label: t(`backup.intervals.${value}`) }))}
          value={settings.every}
          // The values come from the list above.
          onChange={(value) => change.mutate({ every: value })}
        />
      </SettingRow>
      {settings.every !== 'never' && (
        <SettingRow name={t('backup.hour')} hint={t('backup.hourHint')}>
          <ChoiceField
            w={160}
            aria-label={t('backup.hour')}
            data={[
              { value: anyHour, label: t('backup.anyHour') },
              ...Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) })),
            ]}
            value={settings.hour === null ? anyHour : String(settings.hour)}
            onChange={(value) => change.mutate({ hour: value === anyHour ? null : Number(value) })}
          />
        </SettingRow>
      )}
      <SettingRow
        name={t('backup.where')}
        hint={
          <>
            <Code fz={12}>{settings.folder}</Code> · {free}
          </>
        }
      >
        <SmallButton onClick={() => setChoosing(true)}>{t('backup.change')}</SmallButton>
      </SettingRow>
      <SettingRow name={t('backup.keep')} hint={t('backup.keepHint')}>
        <NumberInput
          w={90}
          aria-label={t('backup.keep')}
          min={1}
          max={1000}
          allowDecimal={false}
          defaultValue={settings.keep}
          onBlur={(event) => {
            const keep = Number(event.currentTarget.value);
            if (keep >= 1 && keep !== settings.keep) change.mutate({ keep });
          }}
        />
      </SettingRow>
      <SettingRow name={t('backup.incremental')} hint={t('backup.incrementalHint')}>
        <Switch
          aria-label={t('backup.incremental')}
          checked={settings.incremental}
          onChange={(isOn) => change.mutate({ incremental: isOn })}
        />
      </SettingRow>
      <SettingRow name={t('backup.encrypt')} hint={encrypts ? t('backup.passphraseSet') : t('backup.encryptHint')}>
        {encrypts ? (
          <SmallButton onClick={() => change.mutate({ passphrase: null })}>{t('backup.removePassphrase')}</SmallButton>
        ) : (
          <SmallButton onClick={() => setLocking(true)}>{t('backup.setPassphrase')}</SmallButton>
        )}
      </SettingRow>
      {locking && <PassphraseDialog onClose={() => setLocking(false)} />}
      {choosing && <FolderDialog folder={settings.folder} onClose={() => setChoosing(false)} />}
    </section>
  );
}

interface ListProps {
  readonly backups: readonly BackupFile[];
  readonly onRestore: (file: string) => void;
}

function List({ backups, onRestore }: ListProps) {
  const t = useText();
  return (
    <section>
      <Group justify="space-between" mb={8}>
        <Title order={2}>{t('backup.list')}</Title>
        <Anchor component="button" type="button" fz="sm" onClick={() => onRestore('')}>
          {t('backup.fromFile')}
        </Anchor>
      </Group>
      {backups.length > 0 && (
        <DataTable
          label={t('backup.list')}
          columns={[
            t('backup.columns.made'),
            t('backup.columns.size'),
            t('backup.columns.news'),
            t('backup.columns.kind'),
          ]}
          numbers={new Set([t('backup.columns.size'), t('backup.columns.news')])}
        >
          {backups.map(
            ({ name, file, created_date: created, size_bytes: size, new_bytes: news, encrypted, scheduled }) => (
              <tr key={name}>
                <td title={name}>{formatDate(created)}</td>
                <NumberCell>{formatBytes(size)}</NumberCell>
                <NumberCell>{news === null ? '–' : formatBytes(news)}</NumberCell>
                <td>
                  {t(scheduled ? 'backup.byItself' : 'backup.byHand')}
                  {encrypted && `, ${t('backup.encrypted')}`}
                </td>
                <RowActions>
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    aria-label={t('backup.restoreOne', { name })}
                    onClick={() => onRestore(file)}
                  >
                    {t('backup.restore')}
                  </Button>
                </RowActions>
              </tr>
            ),
          )}
        </DataTable>
      )}
    </section>
  );
}

export function BackupSection() {
  const t = useText();
  const state = useQuery({ ...backupsQuery(), refetchOnMount: 'always' });
  const [making, setMaking] = useState(false);
  const { file: opened, set: setOpened } = useOpenedBackup();
  return (
    <Loaded query={state}>
      {({ settings, encrypts, running, last, backups, free_bytes }) => (
        <>
          <section>
            <Group justify="space-between" mb={12} mih={30}>
              <Title order={2}>{t('backup.title')}</Title>
              <Button
                size="xs"
                leftSection={<IconArchive size={14} />}
                disabled={running !== null}
                onClick={() => setMaking(true)}
              >
                {t('backup.now')}
              </Button>
            </Group>
            <State running={running} last={last} />
          </section>
          <Schedule settings={settings} encrypts={encrypts} free_bytes={free_bytes} />
          <List backups={backups} onRestore={setOpened} />
          {making && <MakeBackupDialog onClose={() => setMaking(false)} />}
          {opened !== null && (
            <RestoreDialog key={opened} file={opened} backups={backups} onClose={() => setOpened(null)} />
          )}
        </>
      )}
    </Loaded>
  );
}
