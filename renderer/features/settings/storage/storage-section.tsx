import {
  IconAlertCircle,
  IconChartBar,
  IconDatabase,
  IconFileText,
  IconKey,
  IconPhoto,
  IconRefresh,
} from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import type { ImageFolder, Storage, Volume, VolumeKind } from '../../../../preload/contract/schema/storage.ts';
import { call } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import { storageQueries } from '../../../api/storage-queries.ts';
import { settingsQuery } from '../../../api/settings-queries.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { PathField } from '../../../shared/files/file-buttons.tsx';
import { formatBytes } from '../../../shared/format-text.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { Button, Dimmed, Group, Hint, NumberInput, PartName, SmallButton, Text, Title } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { notify } from '../../../ui/notify.ts';
import { SectionHead } from '../../../ui/section-head.tsx';
import { SettingRow } from '../setting-row.tsx';
import { MoveDialog, MoveState } from './move-state.tsx';
import classes from './storage-section.module.css';

function RelinkDialog({ folder, onClose }: { readonly folder: string; readonly onClose: () => void }) {
  const t = useText();
  const client = useQueryClient();
  const [to, setTo] = useState('');
  const relink = useMutation({
    mutationFn: () => call('relinkImages', { body: { from: folder, to: to.trim() } }),
    onSuccess({ message, missing }) {
      if (missing === 0) notify.success(message);
      else notify.failure(t('storage.relinked'), message);
      void client.invalidateQueries();
      onClose();
    },
  });
  const { of, rest } = fieldErrors(relink.error, ['to']);
  return (
    <FormDialog
      title={t('storage.relinkTitle')}
      submit={t('storage.relinkSubmit')}
      change={relink}
      onClose={onClose}
      isReady={to.trim() !== ''}
      error={rest}
    >
      <Text fz="sm">{t('storage.relinkText')}</Text>
      <Dimmed style={{ overflowWrap: 'anywhere' }}>{t('storage.relinkFrom', { folder })}</Dimmed>
      <PathField
        kind="folder"
        browse={t('backup.browse')}
        data-autofocus
        label={t('storage.relinkTo')}
        description={t('storage.relinkToHint')}
        value={to}
        onChange={setTo}
        error={of.to}
      />
    </FormDialog>
  );
}

const order: readonly VolumeKind[] = ['media', 'database', 'events', 'logs', 'keys'];

const icons: Readonly<Record<VolumeKind, ComponentType<{ size: number; stroke: number; color: string }>>> = {
  media: IconPhoto,
  database: IconDatabase,
  events: IconChartBar,
  logs: IconFileText,
  keys: IconKey,
};

const colors: Readonly<Record<VolumeKind, string>> = {
  media: 'var(--mantine-color-blue-6)',
  database: 'var(--mantine-color-teal-6)',
  events: 'var(--mantine-color-yellow-6)',
  logs: 'var(--mantine-color-grape-6)',
  keys: 'var(--mantine-color-gray-6)',
};

const sorted = (volumes: readonly Volume[]): readonly Volume[] =>
  order.flatMap((kind) => volumes.find(({ name }) => name === kind) ?? []);

/** Size of the volumes, and free space on the data directory's disk. */
function Used({ volumes, free_bytes: freeBytes }: Pick<Storage, 'volumes' | 'free_bytes'>) {
  const t = useText();
  const client = useQueryClient();
  const used = volumes.reduce((sum, { size_bytes: size }) => sum + size, 0);
  const all = used + (freeBytes ?? 0);
  return (
    <section>
      <Group justify="space-between" mb={8}>
        <Group gap={8} align="baseline">
          <Title order={2} fz={24}>
            {formatBytes(used)}
          </Title>
          <Dimmed>{t('storage.used', { free: formatBytes(freeBytes ?? 0) })}</Dimmed>
        </Group>
        <SmallButton
          leftSection={<IconRefresh size={14} />}
          onClick={() => void client.invalidateQueries({ queryKey: ['storage'] })}
        >
          {t('storage.check')}
        </SmallButton>
      </Group>
      <div className={classes.bar} aria-hidden>
        {sorted(volumes).map(({ name, size_bytes: size }) => (
          <span key={name} style={{ width: `${all === 0 ? 0 : (size / all) * 100}%`, background: colors[name] }} />
        ))}
      </div>
    </section>
  );
}

function VolumeRow({ volume, onMove }: { readonly volume: Volume; readonly onMove: () => void }) {
  const t = useText();
  const { name, folder, files, size_bytes: size } = volume;
  const Icon = icons[name];
  const title = t(`storage.names.${name}`);
  return (
    <li className={classes.volume}>
      <Icon size={18} stroke={1.5} color={colors[name]} />
      <div>
        <PartName>{title}</PartName>
        <Hint>
          {t(`storage.hints.${name}`)} · {t('storage.files', { count: files })}
        </Hint>
      </div>
      <Text className={classes.folder ?? ''} fz="xs" ff="monospace" title={folder}>
        {folder}
      </Text>
      <Text fz="sm" ta="right">
        {formatBytes(size)}
      </Text>
      <Button size="compact-sm" variant="subtle" aria-label={t('storage.moveOne', { name: title })} onClick={onMove}>
        {t('storage.move')}
      </Button>
    </li>
  );
}

function FolderRow({ place, onRelink }: { readonly place: ImageFolder; readonly onRelink: () => void }) {
  const t = useText();
  const { folder, files, missing, tasks } = place;
  const counts = { files: t('storage.files', { count: files }), tasks: t('storage.tasks', { count: tasks.length }) };
  const label = missing === 0 ? 'storage.relink' : 'storage.show';
  const task = tasks.find((one) => one.missing > 0)?.name ?? '';
  return (
    <li className={classes.place}>
      <div>
        <PartName className={classes.folder ?? ''}>{folder}</PartName>
        <Group gap={6} wrap="nowrap">
          {missing > 0 && <IconAlertCircle size={14} color="var(--mantine-color-red-filled)" aria-hidden />}
          <Dimmed>{missing === 0 ? t('storage.found', counts) : t('storage.missing', { count: missing, task })}</Dimmed>
        </Group>
      </div>
      <Button
        size="compact-sm"
        variant={missing === 0 ? 'subtle' : 'default'}
        aria-label={`${t(label)}: ${folder}`}
        onClick={onRelink}
      >
        {t(label)}
      </Button>
    </li>
  );
}

/** Limit in GB of the images that are kept of buckets. */
function BucketCache() {
  const t = useText();
  const settings = useQuery({ ...settingsQuery(), refetchOnMount: 'always' });
  const change = useChange((limitGb: number) => call('changeSettings', { body: { bucket_cache_gb: limitGb } }), {
    keeps: settingsQuery().queryKey,
    failed: t('storage.bucketCacheFailed'),
  });
  return (
    <section>
      <SectionHead title={t('storage.bucketCache')} />
      <Loaded query={settings}>
        {({ bucket_cache_gb: limitGb }) => (
          <SettingRow name={t('storage.bucketCacheName')} hint={t('storage.bucketCacheHint')}>
            <NumberInput
              // Remounts the field after an external change (a file, a reset).
              key={limitGb}
              w={160}
              aria-label={t('storage.bucketCacheName')}
              min={0.1}
              max={100_000}
              decimalScale={1}
              suffix=" GB"
              defaultValue={limitGb}
              onBlur={(event) => {
                const typed = Number.parseFloat(event.currentTarget.value);
                if (!Number.isNaN(typed) && typed !== limitGb) change.mutate(typed);
              }}
            />
          </SettingRow>
        )}
      </Loaded>
    </section>
  );
}

export function StorageSection() {
  const t = useText();
  const query = useQuery({ ...storageQueries.all(), refetchOnMount: 'always' });
  const [moving, setMoving] = useState<Volume | null>(null);
  const [relinking, setRelinking] = useState<ImageFolder | null>(null);
  return (
    <Loaded query={query}>
      {({ volumes, in_place: places, free_bytes: freeBytes, data_directory: root }) => (
        <>
          <Used volumes={volumes} free_bytes={freeBytes} />
          <section>
            <Group justify="space-between" align="baseline" className={classes.head ?? ''}>
              <Title order={2}>{t('storage.volumes')}</Title>
              <Hint>{t('storage.volumesHint')}</Hint>
            </Group>
            <ul>
              {sorted(volumes).map((volume) => (
                <VolumeRow key={volume.name} volume={volume} onMove={() => setMoving(volume)} />
              ))}
            </ul>
            <MoveState />
          </section>
          <section>
            <SectionHead title={t('storage.inPlace')} />
            {places.length === 0 && <Dimmed>{t('storage.inPlaceNone')}</Dimmed>}
            <ul>
              {places.map((place) => (
                <FolderRow key={place.folder} place={place} onRelink={() => setRelinking(place)} />
              ))}
            </ul>
          </section>
          <BucketCache />
          {moving !== null && <MoveDialog volume={moving} root={root} onClose={() => setMoving(null)} />}
          {relinking !== null && <RelinkDialog folder={relinking.folder} onClose={() => setRelinking(null)} />}
        </>
      )}
    </Loaded>
  );
}
