import type { WebhookMessage } from '../../../../preload/contract/schema/webhooks.ts';
import { call } from '../../../api/client.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { ask } from '../../../ui/confirm.tsx';
import { Button } from '../../../ui/kit.ts';

export function MessageActions({ message }: { readonly message: WebhookMessage }) {
  const t = useText();
  const params = { id: message.webhook_id, message: message.id };
  const change = useChange((what: 'retryWebhookMessage' | 'skipWebhookMessage') => call(what, { params }), {
    reloads: ['webhooks'],
    failed: t('webhookLog.changeFailed'),
  });
  if (message.state !== 'waiting') return null;
  const skip = async (): Promise<void> => {
    const confirm = t('webhookLog.skip');
    const question = { title: t('webhookLog.skipTitle'), text: t('webhookLog.skipText'), confirm };
    if (await ask(question)) change.mutate('skipWebhookMessage');
  };
  return (
    <>
      {message.attempts > 0 && (
        <Button size="compact-sm" variant="default" onClick={() => change.mutate('retryWebhookMessage')}>
          {t('webhookLog.retryNow')}
        </Button>
      )}
      <Button size="compact-sm" variant="default" onClick={() => void skip()}>
        {t('webhookLog.skip')}
      </Button>
    </>
  );
}
