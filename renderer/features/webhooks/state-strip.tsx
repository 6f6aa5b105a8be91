import { formatNumber } from '../../i18n/language.ts';
import { IconRepeat } from '@tabler/icons-react';
import type { WebhookState } from '../../../preload/contract/schema/webhooks.ts';
import { call } from '../../api/client.ts';
import { useChange } from '../../shared/use-change.ts';
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
  const again = useChange(() => call('redeliverFailedMessages', { params: { id: webhookId } }), {
    reloads: ['webhooks'],
    done: ({ redelivered, retried_now: retried }) => {
      const count = redelivered + retried;
      if (count === 0) notify.info(t('webhookLog.redeliverFailed0'));
      else notify.success(t('webhookLog.redeliverFailedDone', { count }));
    },
    failed: t('webhookLog.redeliverFailedTitle'),
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
