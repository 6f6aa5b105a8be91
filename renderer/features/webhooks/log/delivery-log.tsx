import { IconFilterOff, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Webhook, WebhookDelivery } from '../../../../preload/contract/schema/webhooks.ts';
import { webhookQueries } from '../../../api/webhook-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { formatDuration, formatMoment, formatWhen } from '../../../shared/format-text.ts';
import { listPageSize } from '../../../shared/lists/list-address.ts';
import { ListPages } from '../../../shared/lists/list-controls.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Badge, Group, Select, Text } from '../../../ui/kit.ts';
import { RowText } from '../../../ui/list.tsx';
import { Empty, PageLoader, Problem } from '../../../ui/page.tsx';
import { allEvents } from '../form/event-text.ts';
import { DeliveryDetail } from './delivery-detail.tsx';
import { SplitList } from './split-list.tsx';
import { StatusBadge } from './status-badge.tsx';
import { logRefreshMs, type WebhookAddress } from './webhook-address.ts';

const outcomes = ['ok', 'bad'] as const;
const attemptKinds = ['first', 'retries', 'redeliveries'] as const;
const filterNames = ['event', 'outcome', 'attempt', 'message'] as const;

interface DeliveryFiltersProps {
  readonly webhook: Webhook;
  readonly search: WebhookAddress;
  readonly onChange: (change: WebhookAddress) => void;
}

function DeliveryFilters({ webhook, search, onChange }: DeliveryFiltersProps) {
  const t = useText();
  const filter = (change: WebhookAddress): void => onChange({ ...change, page: 1, delivery: undefined });
  const isFiltered = filterNames.some((name) => search[name] !== undefined);
  return (
    <Group gap="sm" mb={12}>
      <Select
        w={288}
        aria-label={t('webhookLog.eventFilter')}
        placeholder={t('webhookLog.anyEvent')}
        searchable
        clearable
        data={['ping', ...allEvents(webhook.type)]}
        value={search.event ?? null}
        onChange={(event) => filter({ event: event ?? undefined })}
      />
      <Select
        w={136}
        aria-label={t('webhookLog.outcomeFilter')}
        placeholder={t('webhookLog.anyOutcome')}
        clearable
        data={outcomes.map((value) => ({ value, label: t(`webhookLog.outcome.${value}`) }))}
        value={search.outcome ?? null}
        onChange={(outcome) => filter({ outcome: outcome ?? undefined })}
      />
      <Select
        w={144}
        aria-label={t('webhookLog.attemptFilter')}
        placeholder={t('webhookLog.anyAttempt')}
        clearable
        data={attemptKinds.map((value) => ({ value, label: t(`webhookLog.attempts.${value}`) }))}
        value={search.attempt ?? null}
        onChange={(attempt) => filter({ attempt: attempt ?? undefined })}
      />
      {search.message !== undefined && (
        <Badge variant="default" size="lg" tt="none">
          {t('webhookLog.oneMessage')}
        </Badge>
      )}
      {isFiltered && (
        <IconButton
          label={t('webhookLog.clearFilters')}
          size="lg"
          icon={<IconFilterOff size={18} stroke={1.5} />}
          onClick={() => filter({ event: undefined, outcome: undefined, attempt: undefined, message: undefined })}
        />
      )}
    </Group>
  );
}

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
    return <Problem title={t('common.loadFailed')} message={deliveries.error} retry={deliveries.refetch} />;
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
