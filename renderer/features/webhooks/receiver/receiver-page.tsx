import { IconInbox, IconInboxOff, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { WebhookReceiver } from '../../../../preload/contract/schema/webhooks.ts';
import { messageOf } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { webhookQueries } from '../../../api/webhook-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { ask } from '../../../ui/confirm.tsx';
import { Button, Dimmed, QuietButton, Text } from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Empty, Page } from '../../../ui/page.tsx';
import { ReceivedDetail, ReceivedRow } from './received-request.tsx';
import { ReceiverControls } from './receiver-controls.tsx';
import { SplitList } from '../log/split-list.tsx';
import { logRefreshMs } from '../log/webhook-timing.ts';

/** What can be done with the receiver. */
function useReceiverActions() {
  const t = useText();
  const client = useQueryClient();
  const run = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onError: (error) => notify.failure(t('webhookReceiver.failed'), messageOf(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['webhook-receiver'] }),
  });
  return {
    isBusy: run.isPending,
    start: () => run.mutate(() => call('startWebhookReceiver', { body: {} })),
    clear: () => run.mutate(() => call('clearWebhookReceiver', {})),
    answer: (body: Partial<Pick<WebhookReceiver, 'answer_status' | 'answer_delay_ms'>>) =>
      run.mutate(() => call('updateWebhookReceiver', { body })),
    async stop(): Promise<void> {
      const words = { confirm: t('webhookReceiver.stop'), cancel: t('common.cancel') };
      const question = { title: t('webhookReceiver.stopTitle'), text: t('webhookReceiver.stopText'), ...words };
      if (await ask(question)) run.mutate(() => call('stopWebhookReceiver', {}));
    },
  };
}

function Received({ receiver }: { readonly receiver: WebhookReceiver }) {
  const t = useText();
  const [chosen, setChosen] = useState<number | null>(null);
  const { received } = receiver;
  const shown = received.find((one) => one.number === chosen) ?? received[0];
  if (shown === undefined) {
    return (
      <Empty
        icon={<IconInbox size={40} stroke={1.25} />}
        title={t('webhookReceiver.waitingTitle')}
        text={t('webhookReceiver.waitingText')}
      />
    );
  }
  return (
    <SplitList
      items={received}
      label={t('webhookReceiver.list')}
      keyOf={(request) => request.number}
      selected={shown.number}
      onSelect={setChosen}
      renderRow={(request) => <ReceivedRow request={request} />}
      detail={<ReceivedDetail request={shown} />}
    />
  );
}

/** The built-in receiver: what came, with its signatures checked. */
export function ReceiverPage() {
  const t = useText();
  const receiver = useQuery({
    ...webhookQueries.receiver(),
    refetchOnMount: 'always',
    refetchInterval: logRefreshMs,
  });
  const { isBusy, start, clear, answer, stop } = useReceiverActions();
  const crumbs = <Link to="/webhooks">{t('webhooks.title')}</Link>;
  return (
    <Loaded query={receiver} page={t('webhookReceiver.title')}>
      {(data) => (
        <Page
          title={t('webhookReceiver.title')}
          crumbs={crumbs}
          actions={
            data.is_running && (
              <>
                <QuietButton disabled={data.received_count === 0} onClick={clear}>
                  {t('webhookReceiver.clear')}
                </QuietButton>
                <QuietButton onClick={() => void stop()}>{t('webhookReceiver.stop')}</QuietButton>
              </>
            )
          }
        >
          <Dimmed mb="md">{t('webhookReceiver.intro')}</Dimmed>
          {!data.is_running && (
            <Empty
              icon={<IconInboxOff size={40} stroke={1.25} />}
              title={t('webhookReceiver.stoppedTitle')}
              text={t('webhookReceiver.stoppedText')}
              action={
                <Button leftSection={<IconPlayerPlay size={16} />} loading={isBusy} onClick={start}>
                  {t('webhookReceiver.start')}
                </Button>
              }
            />
          )}
          {data.is_running && (
            <>
              <ReceiverControls receiver={data} onAnswer={answer} />
              {data.received_count > 0 && (
                <Text fz="sm" fw={600} mt="md" mb={8}>
                  {t('webhookReceiver.received', { count: data.received_count })}
                </Text>
              )}
              <Received receiver={data} />
            </>
          )}
        </Page>
      )}
    </Loaded>
  );
}
