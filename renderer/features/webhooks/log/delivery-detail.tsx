import { IconRepeat, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Webhook, WebhookExchange, WebhookMessage } from '../../../../preload/contract/schema/webhooks.ts';
import { call } from '../../../api/client.ts';
import { webhookQueries } from '../../../api/webhook-queries.ts';
import { useChange } from '../../../shared/use-change.ts';
import { type TextFunction, useText } from '../../../i18n/index.ts';
import { formatDuration, formatMoment, formatSoon } from '../../../shared/format-text.ts';
import { Button, CopyButton, Group, Hint, Tabs, Text } from '../../../ui/kit.ts';
import { joined, RowText } from '../../../ui/list.tsx';
import { notify } from '../../../ui/notify.ts';
import { PageLoader, Problem } from '../../../ui/page.tsx';
import { HttpMessage } from './http-message.tsx';
import { MessageActions } from './message-actions.tsx';
import { StatusBadge } from './status-badge.tsx';
import { logRefreshMs } from './webhook-address.ts';

function stateSentence(t: TextFunction, message: WebhookMessage): string {
  const { state, next_attempt_date: next, reason } = message;
  if (state !== 'waiting') return t(`webhookLog.state.${state}`, { reason });
  return next === null ? '' : t('webhookLog.state.waiting', { when: formatSoon(next), date: formatMoment(next) });
}

interface ActionsProps {
  readonly webhook: Webhook;
  readonly deliveryId: number;
  readonly exchange: WebhookExchange;
  readonly onShowMessage: (messageId: string) => void;
}

function DeliveryActions({ webhook, deliveryId, exchange, onShowMessage }: ActionsProps) {
  const t = useText();
  const again = useChange(
    () => call('redeliverWebhookDelivery', { params: { id: webhook.id, delivery_id: deliveryId } }),
    {
      reloads: ['webhooks'],
      done: () => notify.success(t('webhookLog.redelivered')),
      failed: t('webhookLog.redeliverFailedTitle'),
    },
  );
  const { message } = exchange;
  return (
    <Group gap={8}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconRepeat size={14} />}
        loading={again.isPending}
        onClick={() => again.mutate()}
      >
        {t('webhookLog.redeliver')}
      </Button>
      <MessageActions message={message} />
      <CopyButton value={exchange.curl} timeout={1_500}>
        {({ copied, copy }) => (
          <Button size="compact-sm" variant="default" leftSection={<IconTerminal2 size={14} />} onClick={copy}>
            {t(copied ? 'common.copied' : 'webhookLog.copyCurl')}
          </Button>
        )}
      </CopyButton>
      {message.attempts > 1 && (
        <Button size="compact-sm" variant="subtle" onClick={() => onShowMessage(message.message_id)}>
          {t('webhookLog.allAttempts')}
        </Button>
      )}
    </Group>
  );
}

interface DeliveryDetailProps {
  readonly webhook: Webhook;
  readonly deliveryId: number;
  readonly onShowMessage: (messageId: string) => void;
}

/** An attempt with request and response, the state of its event, and actions. */
export function DeliveryDetail({ webhook, deliveryId, onShowMessage }: DeliveryDetailProps) {
  const t = useText();
  const delivery = useQuery(webhookQueries.delivery(webhook.id, deliveryId));
  const exchange = useQuery({
    ...webhookQueries.exchange(webhook.id, deliveryId),
    refetchInterval: ({ state }) => (state.data?.message.state === 'waiting' ? logRefreshMs : false),
  });
  const failed = [delivery, exchange].find((query) => query.isError && query.data === undefined);
  if (failed !== undefined) return <Problem title={t('common.loadFailed')} message={failed.error} />;
  if (delivery.data === undefined || exchange.data === undefined) return <PageLoader label={t('app.loading')} />;
  const { event, status_code: code, attempt, request_duration: durationMs, created_date: date } = delivery.data;
  const { message } = exchange.data;
  const facts = joined([
    formatMoment(date),
    durationMs === null ? null : formatDuration(durationMs),
    attempt === null ? null : t('webhookLog.attempt', { number: attempt }),
    delivery.data.redelivery ? t('webhookLog.again') : null,
  ]);
  const hasAnswer = Object.keys(exchange.data.response_headers).length > 0;
  return (
    <article aria-label={event} data-testid="delivery-detail">
      <Group gap={10} mb={4} wrap="nowrap">
        <StatusBadge code={code} />
        <RowText name={event} mono meta={[facts]} />
      </Group>
      {message.changed_fields !== '' && (
        <Hint>{t('webhookLog.changedFields', { fields: message.changed_fields.replaceAll(',', ', ') })}</Hint>
      )}
      <Text fz="sm" mb={8} data-testid="message-state">
        {stateSentence(t, message)}
      </Text>
      <DeliveryActions
        webhook={webhook}
        deliveryId={deliveryId}
        exchange={exchange.data}
        onShowMessage={onShowMessage}
      />
      <Tabs defaultValue="request" mt={12} keepMounted={false}>
        <Tabs.List mb={8}>
          <Tabs.Tab value="request">{t('webhookLog.request')}</Tabs.Tab>
          <Tabs.Tab value="response">{t('webhookLog.response')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="request">
          <HttpMessage
            line={`${exchange.data.method} ${exchange.data.url}`}
            headers={exchange.data.headers}
            body={exchange.data.body}
          />
        </Tabs.Panel>
        <Tabs.Panel value="response">
          <HttpMessage
            line={hasAnswer ? `HTTP ${code ?? ''}` : t('webhookLog.noAnswer')}
            headers={exchange.data.response_headers}
            body={exchange.data.response}
          />
        </Tabs.Panel>
      </Tabs>
    </article>
  );
}
