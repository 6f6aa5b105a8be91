import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { HistoryEntry } from '../../preload/contract/schema/history.ts';
import { type HistoryOf, historyQueries } from '../api/history-queries.ts';
import { type TextFunction, useText } from '../i18n/index.ts';
import { Button, Group, Text } from '../ui/kit.ts';
import { List, Row } from '../ui/list.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Empty } from '../ui/page.tsx';
import { formatWhen } from './format-text.ts';

const fields = [
  'name',
  'owner',
  'assignee',
  'state',
  'stage',
  'status',
  'subset',
  'bug_tracker',
  'project_id',
  'organization_id',
  'resolved',
  'message',
  'position',
  'role',
  'is_active',
  'data_id',
  'mode',
  'overlap',
  'segment_size',
  'target_storage_id',
  'source_storage_id',
] as const;
type Field = (typeof fields)[number];
const isKnown = (field: string): field is Field => (fields as readonly string[]).includes(field);
const longest = 80;

/** For example `Task pier changed`. */
function entryText(t: TextFunction, { action, kind, name, object_id: id }: HistoryEntry): string {
  // An invitation's id is its secret key.
  const own = name === '' ? (kind === 'invitation' ? '' : ` #${id}`) : ` ${name}`;
  return t(`history.${action}`, { what: t(`history.kinds.${kind}`) + own });
}

/** For example `name: quay → pier`. */
const changeTexts = (t: TextFunction, { changes }: HistoryEntry): string[] =>
  changes.map(({ field, from, to }) =>
    t('history.change', {
      field: isKnown(field) ? t(`history.fields.${field}`) : field.replaceAll('_', ' '),
      from: valueText(t, from, field),
      to: valueText(t, to, field),
    }),
  );

const steps = ['annotation', 'validation', 'acceptance', 'completed', 'new', 'in progress', 'rejected'] as const;
const stepFields: ReadonlySet<string> = new Set(['state', 'stage', 'status']);

function valueText(t: TextFunction, value: unknown, field: string): string {
  const step = stepFields.has(field) ? steps.find((one) => one === value) : undefined;
  if (step !== undefined) return t(`tasks.status.${step}`);
  if (value === null || value === undefined || value === '') return t('history.nothing');
  if (typeof value === 'boolean') return t(value ? 'history.yes' : 'history.no');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

export function HistoryList({ of }: { readonly of: HistoryOf }) {
  const t = useText();
  const query = useInfiniteQuery({ ...historyQueries.of(of), refetchOnMount: 'always' });
  const isNarrowed = (of.search ?? '') !== '' || of.kind !== undefined;
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const entries = pages.flatMap(({ results }) => results);
        if (entries.length === 0 && isNarrowed) return <Text c="dimmed">{t('history.nothingFound')}</Text>;
        if (entries.length === 0) {
          const icon = <IconHistory size={40} stroke={1.25} />;
          return <Empty icon={icon} title={t('history.emptyTitle')} text={t('history.emptyText')} />;
        }
        return (
          <>
            <List>
              {entries.map((entry) => (
                <EntryRow key={entry.id} entry={entry} />
              ))}
            </List>
            {query.hasNextPage && (
              <Group mt={8}>
                <Button
                  variant="subtle"
                  size="compact-sm"
                  loading={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  {t('history.older')}
                </Button>
              </Group>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function EntryRow({ entry }: { readonly entry: HistoryEntry }) {
  const t = useText();
  const what = entryText(t, entry);
  const changes = changeTexts(t, entry);
  const who = entry.username === '' ? t('history.somebody') : entry.username;
  return (
    <Row
      name={what}
      title={[what, ...changes, new Date(entry.created_date).toLocaleString()].join('\n')}
      meta={[who, formatWhen(entry.created_date), ...changes]}
    />
  );
}
