import { useQuery } from '@tanstack/react-query';
import { queueStates, type WebhookMessage } from '../../../../preload/contract/schema/webhooks.ts';
import { webhookQueries } from '../../../api/webhook-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { formatMoment, formatSoon, formatWhen } from '../../../shared/format-text.ts';
import { listPageSize } from '../../../shared/lists/list-address.ts';
import { ListPages } from '../../../shared/lists/list-controls.tsx';
import { Badge, Button, Group, Text, ChoiceField } from '../../../ui/kit.ts';
import { Cell, List, Row } from '../../../ui/list.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { MessageActions } from './message-actions.tsx';
import { StatusBadge } from './status-badge.tsx';
import { logRefreshMs, type WebhookAddress } from './webhook-address.ts';

const colors = { waiting: 'yellow', delivered: 'teal', failed: 'red', skipped: 'gray' } as const;

interface MessageRowProps {
  readonly message: WebhookMessage;
  readonly onShow: () => void;
}

const MessageRow = ({ message, onShow }: MessageRowProps) => {
  const t = useText();
  const { state, reason, next_attempt_date: next } = message;
  const isNew = state === 'waiting' && next === null;
  return (
    <Row
      lead={
        <Cell width={104}>
          <Badge variant="dot" color={colors[state]} size="sm" tt="none">
            {t(`webhookLog.${state}`)}
          </Badge>
        </Cell>
      }
      name={message.event}
      mono
      meta={[
        formatWhen(message.created_date),
        isNew ? t('webhookLog.turn') : t('webhookLog.attemptCount', { count: message.attempts }),
        message.redelivery ? t('webhookLog.again') : null,
        next === null ? null : t('webhookLog.nextAttempt', { when: formatSoon(next) }),
        reason,
      ]}
      metaTitle={next === null ? undefined : formatMoment(next)}
    >
      {message.last_status !== null && <StatusBadge code={message.last_status} />}
      <Group gap={8} wrap="nowrap">
        <MessageActions message={message} />
        {message.attempts > 0 && (
          <Button size="compact-sm" variant="subtle" onClick={onShow}>
            {t('webhookLog.showAttempts')}
          </Button>
        )}
      </Group>
    </Row>
  );
};

interface QueueTabProps {
  readonly webhookId: number;
  readonly search: WebhookAddress;
  readonly onChange: (change: WebhookAddress) => void;
}

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
      <ChoiceField
        w={168}
        mb={12}
        aria-label={t('webhookLog.stateFilter')}
        data={choices}
        value={state ?? 'any'}
        onChange={(value) => onChange({ state: value === 'waiting' ? undefined : value, page: 1 })}
      />
      <Loaded query={queue}>
        {({ results }) =>
          results.length === 0 ? (
            <Text c="dimmed">{t(state === 'waiting' ? 'webhookLog.queueEmpty' : 'webhookLog.queueNone')}</Text>
          ) : (
            <List>
              {results.map((message) => (
                <MessageRow
                  key={message.id}
                  message={message}
                  onShow={() => onChange({ tab: undefined, state: undefined, message: message.message_id, page: 1 })}
                />
              ))}
            </List>
          )
        }
      </Loaded>
      {queue.data !== undefined && <ListPages search={search} count={queue.data.count} />}
    </>
  );
}
