import { useQuery } from '@tanstack/react-query';
import { queueStates, type WebhookMessage } from '../../../preload/contract/schema/webhooks.ts';
import { webhookQueries } from '../../api/webhook-queries.ts';
import { useText } from '../../i18n/index.ts';
import { formatMoment, formatSoon, formatWhen } from '../../parts/format-text.ts';
import { ListPages, listPageSize } from '../../parts/lists/list-controls.tsx';
import rows from '../../parts/lists/rows.module.css';
import { Badge, Button, Group, Select, Text } from '../../ui/kit.ts';
import { PageLoader, Problem } from '../../ui/page.tsx';
import { MessageActions } from './message-actions.tsx';
import { StatusBadge } from './status-badge.tsx';
import type { WebhookAddress } from './webhook-address.ts';
import { logRefreshMs } from './webhook-timing.ts';
import classes from './webhooks.module.css';

const colors = { waiting: 'yellow', delivered: 'teal', failed: 'red', skipped: 'gray' } as const;

interface MessageRowProps {
  readonly message: WebhookMessage;
  readonly onShow: () => void;
}

const MessageRow = ({ message, onShow }: MessageRowProps) => {
  const t = useText();
  const { state, reason, next_attempt_date: next } = message;
  const isNew = state === 'waiting' && next === null;
  const meta = [
    formatWhen(message.created_date),
    isNew ? t('webhookLog.turn') : t('webhookLog.attemptCount', { count: message.attempts }),
    message.redelivery ? t('webhookLog.again') : null,
    next === null ? null : t('webhookLog.nextAttempt', { when: formatSoon(next) }),
    reason === '' ? null : reason,
  ].filter((part) => part !== null);
  return (
    <div className={`${rows.row} ${classes.message}`} role="listitem">
      <div className={classes.messageState}>
        <Badge variant="dot" color={colors[state]} size="sm" tt="none">
          {t(`webhookLog.${state}`)}
        </Badge>
      </div>
      <div className={rows.text}>
        <div className={classes.rowName}>{message.event}</div>
        <div className={rows.meta} title={next === null ? undefined : formatMoment(next)}>
          {meta.join(' · ')}
        </div>
      </div>
      {message.last_status !== null && <StatusBadge code={message.last_status} />}
      <Group gap={8} wrap="nowrap">
        <MessageActions message={message} />
        {message.attempts > 0 && (
          <Button size="compact-sm" variant="subtle" onClick={onShow}>
            {t('webhookLog.showAttempts')}
          </Button>
        )}
      </Group>
    </div>
  );
};

interface QueueTabProps {
  readonly webhookId: number;
  readonly search: WebhookAddress;
  readonly onChange: (change: WebhookAddress) => void;
}

/** Events on their way: at first those that wait. */
export function QueueTab({ webhookId, search, onChange }: QueueTabProps) {
  const t = useText();
  const state = search.state === 'any' ? undefined : (queueStates.find((one) => one === search.state) ?? 'waiting');
  const queue = useQuery({
    ...webhookQueries.queue(webhookId, { page: search.page ?? 1, pageSize: listPageSize, state }),
    refetchOnMount: 'always',
    refetchInterval: logRefreshMs,
  });
  const choices = [
    ...queueStates.map((value) => ({ value, label: t(`webhookLog.${value}`) })),
    { value: 'any', label: t('webhookLog.anyState') },
  ];
  return (
    <>
      <Select
        w={168}
        mb={12}
        aria-label={t('webhookLog.stateFilter')}
        allowDeselect={false}
        data={choices}
        value={state ?? 'any'}
        onChange={(value) => onChange({ state: value === 'waiting' ? undefined : (value ?? undefined), page: 1 })}
      />
      {queue.isPending && <PageLoader label={t('app.loading')} />}
      {queue.isError && queue.data === undefined && (
        <Problem
          title={t('common.loadFailed')}
          message={queue.error.message}
          retry={{ label: t('common.retry'), run: () => void queue.refetch() }}
        />
      )}
      {queue.data?.count === 0 && (
        <Text c="dimmed">{t(state === 'waiting' ? 'webhookLog.queueEmpty' : 'webhookLog.queueNone')}</Text>
      )}
      {queue.data !== undefined && queue.data.count > 0 && (
        <div className={rows.list} role="list">
          {queue.data.results.map((message) => (
            <MessageRow
              key={message.id}
              message={message}
              onShow={() => onChange({ tab: undefined, state: undefined, message: message.message_id, page: 1 })}
            />
          ))}
        </div>
      )}
      {queue.data !== undefined && <ListPages search={search} count={queue.data.count} />}
    </>
  );
}
