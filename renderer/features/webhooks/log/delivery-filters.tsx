import { IconFilterOff } from '@tabler/icons-react';
import type { Webhook } from '../../../../preload/contract/schema/webhooks.ts';
import { useText } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Badge, Group, Select } from '../../../ui/kit.ts';
import { allEvents } from '../form/event-text.ts';
import type { WebhookAddress } from './webhook-address.ts';

export const outcomes = ['ok', 'bad'] as const;
export const attemptKinds = ['first', 'retries', 'redeliveries'] as const;
export const filterNames = ['event', 'outcome', 'attempt', 'message'] as const;

interface DeliveryFiltersProps {
  readonly webhook: Webhook;
  readonly search: WebhookAddress;
  readonly onChange: (change: WebhookAddress) => void;
}

/** Narrows the log; what is chosen stands in the address. */
export function DeliveryFilters({ webhook, search, onChange }: DeliveryFiltersProps) {
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
