import { IconListDetails } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Request } from '../../../preload/contract/schema/resources.ts';
import { messageOf } from '../../api/api-error.ts';
import { queries } from '../../api/queries.ts';
import { cancelRequest } from '../../api/requests.ts';
import { useText } from '../../i18n/index.ts';
import { ReportDialog } from '../../parts/dataset/report-view.tsx';
import { ListPage } from '../../parts/lists/list-page.tsx';
import { List } from '../../ui/list.tsx';
import { notify } from '../../ui/notify.ts';
import { PageTabs } from '../../parts/pages/page-tabs.tsx';
import { Text } from '../../ui/kit.ts';
import { RequestHead, RequestRow } from './request-row.tsx';
import { useWorkNames } from './use-work-names.ts';

const isRunning = (request: Request): boolean => request.status === 'queued' || request.status === 'started';

const kinds = [
  { value: 'all', states: ['queued', 'started', 'failed', 'finished'] },
  { value: 'running', states: ['started'] },
  { value: 'waiting', states: ['queued'] },
  { value: 'failed', states: ['failed'] },
] as const satisfies readonly { readonly value: string; readonly states: readonly Request['status'][] }[];

/** Imports, exports and preparations, running and done. */
export function RequestsPage({ tab }: { readonly tab: string | undefined }) {
  const t = useText();
  const client = useQueryClient();
  const [report, setReport] = useState<string | null>(null);
  const requests = useQuery({
    ...queries.requests(),
    refetchOnMount: 'always',
    refetchInterval: (query) => (query.state.data?.results.some(isRunning) === true ? 700 : 5_000),
  });
  const names = useWorkNames(requests.data?.results ?? []);
  const cancel = useMutation({
    mutationFn: (id: string) => cancelRequest(id),
    onSettled: () => client.invalidateQueries({ queryKey: ['requests'] }),
    onError: (error) => notify.failure(t('requests.cancelFailed'), messageOf(error)),
  });
  return (
    <ListPage
      title={t('requests.title')}
      query={requests}
      empty={{
        icon: <IconListDetails size={48} stroke={1.25} />,
        title: t('requests.emptyTitle'),
        text: t('requests.emptyText'),
      }}
      dialogs={report !== null && <ReportDialog id={report} onClose={() => setReport(null)} />}
    >
      {(all) => (
        <PageTabs
          tab={tab}
          tabs={kinds.map(({ value, states }) => {
            const found = all.filter(({ status }) => (states as readonly string[]).includes(status));
            return {
              value,
              label: t(`requests.tabs.${value}`),
              count: found.length,
              render: () =>
                found.length === 0 ? (
                  <Text c="dimmed">{t('requests.noneOfThese')}</Text>
                ) : (
                  <>
                    <RequestHead />
                    <List>
                      {found.map((request) => (
                        <RequestRow
                          key={request.id}
                          request={request}
                          names={names}
                          running={isRunning(request)}
                          onCancel={() => cancel.mutate(request.id)}
                          onReport={() => setReport(request.id)}
                        />
                      ))}
                    </List>
                  </>
                ),
            };
          })}
        />
      )}
    </ListPage>
  );
}
