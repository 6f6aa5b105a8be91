import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { HistoryEntry } from '../../../preload/contract/schema/history.ts';
import { historyQueries, type HistoryOf } from '../../api/history-queries.ts';
import { useText } from '../../i18n/index.ts';
import { Button, Group, Text } from '../../ui/kit.ts';
import { List, Row } from '../../ui/list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/page.tsx';
import { formatWhen } from '../format-text.ts';
import { changeTexts, entryText } from './history-text.ts';

/** Who has changed what, the newest first. */
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
