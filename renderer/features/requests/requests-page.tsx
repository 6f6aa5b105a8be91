import { IconListDetails, IconPlayerStop } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Request } from '../../../preload/contract/schema/resources.ts';
import { queries } from '../../api/queries.ts';
import { cancelRequest } from '../../api/requests.ts';
import { useChange } from '../../shared/use-change.ts';
import { useText } from '../../i18n/index.ts';
import { BulkDialog } from '../../shared/lists/rows/bulk-run-dialog.tsx';
import { ReportDialog } from '../../shared/dataset/report-view.tsx';
import { formatDate, requestTypeText } from '../../shared/format-text.ts';
import { useColumns } from '../../shared/lists/columns.tsx';
import { requestFields, filterOf } from '../../shared/lists/filter/list-filter.ts';
import { type ListAddress, listOf, loadAll, rangeSize } from '../../shared/lists/list-address.ts';
import { ListPage } from '../../shared/lists/list-page.tsx';
import type { BulkAction } from '../../shared/lists/rows/bulk-bar.tsx';
import { ItemRows } from '../../shared/lists/rows/item-rows.tsx';
import { Cell, RowNote } from '../../ui/list.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { isRunning, requestActionsWidth, RequestButtons, Target, tones, useRequestColumns } from './request-row.tsx';
import { targetOf, useWorkNames } from './use-work-names.ts';

const newestFirst = '-created_date';

function useCancelAction(nameOf: (request: Request) => string): BulkAction<Request> {
  const t = useText();
  return {
    key: 'cancel',
    label: t('bulk.cancelRequests'),
    icon: <IconPlayerStop size={15} />,
    renderDialog: (dialog) => (
      <BulkDialog
        {...dialog}
        nameOf={nameOf}
        title={t('bulk.cancelTitle', { count: dialog.items.length })}
        text={t('bulk.cancelText')}
        confirm={t('bulk.cancelRequests')}
        run={({ id }) => cancelRequest(id)}
        stale={['requests']}
      />
    ),
  };
}

export function RequestsPage({ search }: { readonly search: ListAddress }) {
  const t = useText();
  const client = useQueryClient();
  const [report, setReport] = useState<string | null>(null);
  const listQuery = listOf(search, requestFields, newestFirst);
  const requests = useQuery({
    ...queries.requestPage(listQuery),
    refetchOnMount: 'always',
    refetchInterval: (query) => (query.state.data?.results.some(isRunning) === true ? 700 : 5_000),
  });
  const names = useWorkNames(requests.data?.results ?? []);
  const cancel = useChange((id: string) => cancelRequest(id), {
    reloads: ['requests'],
    failed: t('requests.cancelFailed'),
  });
  const all = useRequestColumns();
  const columns = useColumns('requests', all);
  const nameOf = (request: Request): string => {
    const { task, project } = targetOf(request);
    const target = task === null ? names.projects.get(project ?? 0) : names.tasks.get(task);
    const what = requestTypeText(request.operation.type, t);
    return target === undefined ? what : `${what} · ${target}`;
  };
  const bulk = [useCancelAction(nameOf)];
  const view = (key: 'running' | 'waiting' | 'failed', status: Request['status']) => ({
    name: t(`requests.tabs.${key}`),
    filter: filterOf({ status }),
  });
  return (
    <ListPage
      words="requests"
      icon={IconListDetails}
      query={requests}
      controls={{
        list: 'requests',
        search,
        fields: requestFields,
        sorts: [
          { value: newestFirst, label: t('lists.sorts.newest') },
          { value: 'created_date', label: t('lists.sorts.oldest') },
        ],
        views: [view('running', 'started'), view('waiting', 'queued'), view('failed', 'failed')],
        columns: all,
      }}
      dialogs={report !== null && <ReportDialog id={report} onClose={() => setReport(null)} />}
    >
      {(found) => (
        <ItemRows
          items={found}
          columns={columns}
          nameHead={t('requests.request')}
          nameOf={nameOf}
          titleOf={({ operation }) => requestTypeText(operation.type, t)}
          renderName={(request) => (
            <>
              {requestTypeText(request.operation.type, t)}
              {Object.values(targetOf(request)).some((id) => id !== null) && ' · '}
              <Target request={request} names={names} />
            </>
          )}
          // The subject is a separate link.
          renderLink={(_, row) => <div {...row} />}
          renderLead={({ status }) => <StateDot tone={tones[status]} />}
          leadHead={<span style={{ width: 8 }} />}
          meta={({ result_url: url, expiry_date: end }) => [
            url === null || end === null ? null : t('requests.kept', { date: formatDate(end) }),
          ]}
          renderNote={({ message, status }) =>
            message !== '' && <RowNote text={message} failed={status === 'failed'} whole={status === 'failed'} />
          }
          renderTail={(request) => (
            <RequestButtons
              request={request}
              onCancel={() => cancel.mutate(request.id)}
              onReport={() => setReport(request.id)}
            />
          )}
          tailHead={<Cell width={requestActionsWidth} />}
          bulk={bulk}
          total={requests.data?.count ?? 0}
          loadAll={() =>
            loadAll((page) => client.fetchQuery(queries.requestPage({ ...listQuery, page, pageSize: rangeSize })))
          }
        />
      )}
    </ListPage>
  );
}
