import { formatNumber } from '../../i18n/language.ts';
import { IconRepeat } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WebhookState } from '../../../preload/contract/schema/webhooks.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useText } from '../../i18n/index.ts';
import { formatSoon } from '../../shared/format-text.ts';
import { SmallButton, Tooltip } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import classes from './webhook-page.module.css';

interface StateStripProps {
  readonly webhookId: number;
  readonly state: WebhookState;
  readonly isActive: boolean;
}

/** Numbers of delivered, waiting, failed and skipped events, and a button to resend the failed ones. */
export function StateStrip({ webhookId, state, isActive }: StateStripProps) {
  const t = useText();
  const client = useQueryClient();
  const again = useMutation({
    mutationFn: () => call('redeliverFailedMessages', { params: { id: webhookId } }),
    onSuccess: ({ redelivered, retried_now: retried }) => {
      const count = redelivered + retried;
      if (count === 0) notify.info(t('webhookLog.redeliverFailed0'));
      else notify.success(t('webhookLog.redeliverFailedDone', { count }));
    },
    onError: (error) => notify.failure(t('webhookLog.redeliverFailedTitle'), messageOf(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  const { waiting, failed, skipped, next_attempt_date: next } = state;
  return (
    <div className={classes.strip}>
      <dl className={classes.counts}>
        {(['delivered', 'waiting', 'failed', 'skipped'] as const).map((name) => (
          <div key={name} data-testid={`count-${name}`}>
            <dt>{t(`webhookLog.${name}`)}</dt>
            <dd data-alarm={(name === 'failed' && failed > 0) || undefined}>{formatNumber(state[name])}</dd>
            {name === 'waiting' && waiting > 0 && next !== null && (
              <dd className={classes.next}>{t('webhookLog.nextIn', { when: formatSoon(next) })}</dd>
            )}
          </div>
        ))}
      </dl>
      {waiting + failed + skipped > 0 && (
        <Tooltip label={t('webhookLog.redeliverFailedHint')} multiline w={280}>
          <SmallButton
            leftSection={<IconRepeat size={14} />}
            loading={again.isPending}
            disabled={!isActive}
            onClick={() => again.mutate()}
          >
            {t(failed + skipped > 0 ? 'webhookLog.redeliverFailed' : 'webhookLog.retryAll')}
          </SmallButton>
        </Tooltip>
      )}
    </div>
  );
}
