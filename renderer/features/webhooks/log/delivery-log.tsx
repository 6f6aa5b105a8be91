import { IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Webhook, WebhookDelivery } from '../../../../preload/contract/schema/webhooks.ts';
import { webhookQueries } from '../../../api/webhook-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { formatMoment, formatDuration, formatWhen } from '../../../parts/format-text.ts';
import { listPageSize } from '../../../parts/lists/list-address.ts';
import { ListPages } from '../../../parts/lists/list-controls.tsx';
import { Text } from '../../../ui/kit.ts';
import { RowText } from '../../../ui/list.tsx';
import { Empty, PageLoader, Problem } from '../../../ui/page.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';
import { attemptKinds, DeliveryFilters, filterNames, outcomes } from './delivery-filters.tsx';
import { SplitList } from './split-list.tsx';
import { StatusBadge } from './status-badge.tsx';
import type { WebhookAddress } from './webhook-address.ts';
import { logRefreshMs } from './webhook-timing.ts';

const DeliveryRow = ({ delivery }: { readonly delivery: WebhookDelivery }) => {
  const t = useText();
  const { attempt, redelivery, request_duration: durationMs } = delivery;
  return (
    <>
      <StatusBadge code={delivery.status_code} />
      <RowText
        name={delivery.event}
        mono
        meta={[
          formatWhen(delivery.created_date),
          durationMs === null ? null : formatDuration(durationMs),
          attempt !== null && attempt > 1 ? t('webhookLog.attempt', { number: attempt }) : null,
          redelivery ? t('webhookLog.again') : null,
        ]}
        metaTitle={formatMoment(delivery.created_date)}
      />
    </>
  );
};

interface DeliveryLogProps {
  readonly webhook: Webhook;
  readonly search: WebhookAddress;
  readonly onChange: (change: WebhookAddress) => void;
}

/** Every attempt to deliver, the newest first, and one of them in full. */
export function DeliveryLog({ webhook, search, onChange }: DeliveryLogProps) {
  const t = useText();
  const deliveries = useQuery({
    ...webhookQueries.deliveries(webhook.id, {
      page: search.page ?? 1,
      pageSize: listPageSize,
      event: search.event,
      outcome: outcomes.find((one) => one === search.outcome),
      attempt: attemptKinds.find((one) => one === search.attempt),
      message: search.message,
    }),
    refetchOnMount: 'always',
    refetchInterval: logRefreshMs,
  });
  const isFiltered = filterNames.some((name) => search[name] !== undefined);
  const list = deliveries.data?.results ?? [];
  const selected = search.delivery === undefined ? (list[0]?.id ?? null) : Number(search.delivery);
  if (deliveries.isPending) return <PageLoader label={t('app.loading')} />;
  if (deliveries.data === undefined) {
    const retry = { label: t('common.retry'), run: () => void deliveries.refetch() };
    return <Problem title={t('common.loadFailed')} message={deliveries.error.message} retry={retry} />;
  }
  if (list.length === 0 && !isFiltered && selected === null) {
    return (
      <Empty
        icon={<IconSend size={40} stroke={1.25} />}
        title={t('webhookLog.emptyTitle')}
        text={t('webhookLog.emptyText')}
      />
    );
  }
  return (
    <>
      <DeliveryFilters webhook={webhook} search={search} onChange={onChange} />
      {list.length === 0 && <Text c="dimmed">{t('webhookLog.noMatch')}</Text>}
      {list.length > 0 && (
        <SplitList
          items={list}
          label={t('webhookLog.list')}
          keyOf={(delivery) => delivery.id}
          selected={selected}
          onSelect={(id) => onChange({ delivery: String(id) })}
          renderRow={(delivery) => <DeliveryRow delivery={delivery} />}
          footer={<ListPages search={search} count={deliveries.data.count} />}
          detail={
            selected === null ? (
              <Text c="dimmed">{t('webhookLog.choose')}</Text>
            ) : (
              <DeliveryDetail
                key={selected}
                webhook={webhook}
                deliveryId={selected}
                onShowMessage={(message) =>
                  onChange({ message, event: undefined, outcome: undefined, attempt: undefined, page: 1 })
                }
              />
            )
          }
        />
      )}
    </>
  );
}
