import { IconBucket, IconFile, IconFileText, IconFolder, IconLock, IconPhoto, IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import type { CloudStorage, CloudStorageContent } from '../../../preload/contract/schema/cloud-storages.ts';
import { bucketQueries } from '../../api/bucket-queries.ts';
import { useText } from '../../i18n/index.ts';
import { formatBytes, formatDate, formatShort } from '../format-text.ts';
import { SearchField } from '../../ui/fields.tsx';
import {
  Anchor,
  Button,
  Checkbox,
  Dimmed,
  Group,
  Hint,
  ScrollArea,
  Select,
  SimpleGrid,
  SmallButton,
  Stack,
  TextInput,
  useDebouncedValue,
} from '../../ui/kit.ts';
import { Cell, List, Row } from '../../ui/list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { noBucket, type BucketChoice } from './bucket-choice.ts';
import { BucketDialog } from './bucket-dialog.tsx';
import { hostOf, kindOf } from './bucket-form.ts';
import { BucketState } from './bucket-state.tsx';
import classes from './bucket-chooser.module.css';

interface BucketChooserProps {
  readonly choice: BucketChoice;
  readonly onChange: (choice: BucketChoice) => void;
}

/** Chooses a bucket, and prefixes, images or a manifest in it. */
export function BucketChooser({ choice, onChange }: BucketChooserProps) {
  const t = useText();
  const [isNew, setNew] = useState(false);
  const buckets = useQuery(bucketQueries.list());
  return (
    <>
      <Loaded query={buckets}>
        {({ results }) => {
          const storage = results.find(({ id }) => id === choice.storageId) ?? results[0];
          return storage === undefined ? (
            <Stack gap="sm" align="flex-start">
              <Dimmed>{t('buckets.emptyText')}</Dimmed>
              <ConnectButton onClick={() => setNew(true)} />
            </Stack>
          ) : (
            <Chosen
              {...{ storage, choice, onChange }}
              all={results}
              connect={<ConnectButton onClick={() => setNew(true)} />}
            />
          );
        }}
      </Loaded>
      {isNew && (
        <BucketDialog
          storage={null}
          onClose={() => setNew(false)}
          onSaved={({ id }) => onChange({ ...noBucket, storageId: id })}
        />
      )}
    </>
  );
}

const ConnectButton = ({ onClick }: { readonly onClick: () => void }) => {
  const t = useText();
  return (
    <Button variant="default" leftSection={<IconPlus size={16} />} onClick={onClick}>
      {t('buckets.connect')}
    </Button>
  );
};

interface ChosenProps extends BucketChooserProps {
  readonly storage: CloudStorage;
  readonly all: readonly CloudStorage[];
  readonly connect: ReactNode;
}

function Chosen({ storage, all, connect, choice, onChange }: ChosenProps) {
  const t = useText();
  // The first bucket is shown before one is chosen.
  const now = { ...choice, storageId: storage.id };
  return (
    <Stack gap="sm">
      <Group gap={8} align="flex-end" wrap="nowrap">
        <Select
          style={{ flex: 1, minWidth: 0 }}
          label={t('buckets.bucket')}
          leftSection={<IconBucket size={16} stroke={1.5} />}
          allowDeselect={false}
          searchable
          data={all.map(({ id, display_name: label }) => ({ value: String(id), label }))}
          value={String(storage.id)}
          onChange={(value) => value !== null && onChange({ ...noBucket, storageId: Number(value) })}
        />
        {connect}
      </Group>
      <div className={classes.state}>
        <BucketState storage={storage} />
        <Hint>
          {hostOf(storage) === '' ? t(`buckets.kinds.${kindOf(storage)}`) : hostOf(storage)}
          {storage.credentials_type !== 'ANONYMOUS_ACCESS' && (
            <>
              {' · '}
              <IconLock size={12} aria-hidden /> {t('buckets.keySealed')}
            </>
          )}
        </Hint>
      </div>
      <Browser key={`${storage.id} ${now.manifest}`} storage={storage} choice={now} onChange={onChange} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={t('buckets.manifest')}
          description={t('buckets.manifestHint')}
          placeholder={t('buckets.noManifest')}
          clearable
          data={[...new Set([...storage.manifests, ...(now.manifest === null ? [] : [now.manifest])])]}
          value={now.manifest}
          onChange={(manifest) => onChange({ ...now, manifest, keys: [] })}
        />
        <TextInput
          label={t('buckets.pattern')}
          description={t('buckets.patternHint')}
          placeholder="*.jpg"
          spellCheck={false}
          value={now.pattern}
          onChange={(pattern) => onChange({ ...now, pattern })}
        />
      </SimpleGrid>
    </Stack>
  );
}

type Entry = CloudStorageContent['content'][number];

const isManifestName = (name: string): boolean => name.endsWith('.jsonl');

function EntryIcon({ entry: { type, name, mime_type: kind } }: { readonly entry: Entry }) {
  if (type === 'DIR') return <IconFolder size={16} stroke={1.5} aria-hidden />;
  if (isManifestName(name)) return <IconFileText size={16} stroke={1.5} aria-hidden />;
  return kind === 'image' ? (
    <IconPhoto size={16} stroke={1.5} aria-hidden />
  ) : (
    <IconFile size={16} stroke={1.5} aria-hidden />
  );
}

const waitMs = 300;

function Browser({ storage, choice, onChange }: Pick<ChosenProps, 'storage' | 'choice' | 'onChange'>) {
  const t = useText();
  const [folder, setFolder] = useState('');
  const [start, setStart] = useState('');
  const [typed] = useDebouncedValue(start, waitMs);
  const content = useInfiniteQuery(
    bucketQueries.content({ storageId: storage.id, prefix: `${folder}${typed}`, manifest: choice.manifest }),
  );
  const open = (next: string): void => {
    setFolder(next);
    setStart('');
  };
  const toggle = (key: string): void => {
    const keys = choice.keys.includes(key) ? choice.keys.filter((one) => one !== key) : [...choice.keys, key];
    onChange({ ...choice, keys });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Backspace' || folder === '') return;
    event.preventDefault();
    open(folder.slice(0, folder.slice(0, -1).lastIndexOf('/') + 1));
  };
  const steps = folder.split('/').slice(0, -1);
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = content;
  const more = (): void => void (hasNextPage && !isFetchingNextPage && fetchNextPage());
  return (
    <section className={classes.picker} aria-label={t('buckets.objects')}>
      <div className={classes.path}>
        <Group component="nav" gap={4} aria-label={t('buckets.path')}>
          <Anchor component="button" type="button" fz="sm" fw={500} onClick={() => open('')}>
            {storage.resource}
          </Anchor>
          {steps.map((step, index) => (
            <Anchor
              key={`${index} ${step}`}
              component="button"
              type="button"
              fz="sm"
              onClick={() => open(`${steps.slice(0, index + 1).join('/')}/`)}
            >
              / {step}
            </Anchor>
          ))}
        </Group>
        <SearchField label={t('buckets.startsWith')} value={start} onChange={setStart} />
      </div>
      <ScrollArea.Autosize mah={260} onBottomReached={more}>
        <div className={classes.rows}>
          <Loaded query={content}>
            {({ pages }) => {
              const entries = pages.flatMap((page) => page.content);
              if (entries.length === 0) return <Dimmed className={classes.note ?? ''}>{t('buckets.noObjects')}</Dimmed>;
              return (
                <>
                  <List onKeyDown={onKeyDown}>
                    {entries.map((entry) => (
                      <EntryRow
                        key={`${entry.type} ${entry.name}`}
                        {...{ entry, folder, choice, open, toggle }}
                        onManifest={(manifest) => onChange({ ...choice, manifest, keys: [] })}
                      />
                    ))}
                  </List>
                  {hasNextPage && (
                    <Button size="xs" my={8} variant="subtle" loading={isFetchingNextPage} onClick={more}>
                      {t('buckets.more')}
                    </Button>
                  )}
                </>
              );
            }}
          </Loaded>
        </div>
      </ScrollArea.Autosize>
      <div className={classes.foot}>
        <Hint role="status">{useChosenWords(choice)}</Hint>
        {choice.keys.length > 0 && (
          <SmallButton onClick={() => onChange({ ...choice, keys: [] })}>{t('buckets.clear')}</SmallButton>
        )}
      </div>
    </section>
  );
}

function useChosenWords({ keys, manifest, pattern }: BucketChoice): string {
  const t = useText();
  const [first] = keys;
  if (first !== undefined)
    return keys.length === 1 ? t('buckets.chosenOne', { key: first }) : t('buckets.chosenMany', { count: keys.length });
  if (manifest !== null) return t('buckets.chosenManifest', { key: manifest });
  return pattern.trim() === '' ? t('buckets.chosenNone') : t('buckets.chosenPattern', { pattern: pattern.trim() });
}

interface EntryRowProps {
  readonly entry: Entry;
  readonly folder: string;
  readonly choice: BucketChoice;
  readonly open: (folder: string) => void;
  readonly toggle: (key: string) => void;
  readonly onManifest: (key: string) => void;
}

function EntryRow({ entry, folder, choice, open, toggle, onManifest }: EntryRowProps) {
  const t = useText();
  const { name, size, modified } = entry;
  const isFolder = entry.type === 'DIR';
  const key = `${folder}${name}${isFolder ? '/' : ''}`;
  const isManifest = !isFolder && isManifestName(name);
  // A chosen prefix above has this object too.
  const isWithin = choice.keys.some((one) => one !== key && one.endsWith('/') && key.startsWith(one));
  const isChosen = isManifest ? choice.manifest === key : isWithin || choice.keys.includes(key);
  return (
    <Row
      before={
        <Checkbox
          aria-label={t('newTask.take', { name })}
          disabled={isWithin || (!isFolder && !isManifest && entry.mime_type !== 'image')}
          checked={isChosen}
          onChange={() => (isManifest ? onManifest(key) : toggle(key))}
        />
      }
      isSelected={isChosen}
      lead={<EntryIcon entry={entry} />}
      name={
        isFolder ? (
          <Anchor component="button" type="button" fz="sm" fw={500} onClick={() => open(key)}>
            {name}/
          </Anchor>
        ) : (
          name
        )
      }
      title={key}
      cells={
        <>
          <Cell width={80} end>
            {size === undefined ? '' : formatBytes(size)}
          </Cell>
          <Cell width={88} end from="middle" title={modified === undefined ? undefined : formatDate(modified)}>
            {modified === undefined ? '' : formatShort(modified)}
          </Cell>
        </>
      }
    />
  );
}
