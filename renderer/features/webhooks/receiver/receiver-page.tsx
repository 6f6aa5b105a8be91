import {
  IconInbox,
  IconInboxOff,
  IconPlayerPlay,
  IconShieldCheck,
  IconShieldOff,
  IconShieldX,
  IconPlus,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type {
  ReceivedRequest,
  signatureVerdicts,
  WebhookReceiver,
} from '../../../../preload/contract/schema/webhooks.ts';
import { call } from '../../../api/client.ts';
import { webhookQueries } from '../../../api/webhook-queries.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { formatMoment, formatWhen } from '../../../shared/format-text.ts';
import { ask } from '../../../ui/confirm.tsx';
import { Button, Dimmed, Group, Hint, QuietButton, Text, Code, PartName, ChoiceField } from '../../../ui/kit.ts';
import { RowText } from '../../../ui/list.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Empty, Page } from '../../../ui/page.tsx';
import { Facts, Panel } from '../../../ui/panel.tsx';
import { HttpMessage } from '../log/http-message.tsx';
import { SplitList } from '../log/split-list.tsx';
import { StatusBadge } from '../log/status-badge.tsx';
import { logRefreshMs } from '../log/webhook-address.ts';
import classes from './signature-badge.module.css';
import texts from '../../../i18n/en.json' with { type: 'json' };
import { CopyIconButton } from '../../../shared/code/code-view.tsx';

type Status = keyof typeof texts.webhookReceiver.answer;
type Delay = keyof typeof texts.webhookReceiver.delays;
const statuses = Object.keys(texts.webhookReceiver.answer) as Status[];
const delays = Object.keys(texts.webhookReceiver.delays) as Delay[];

interface ReceiverControlsProps {
  readonly receiver: WebhookReceiver;
  readonly onAnswer: (answer: { readonly answer_status?: number; readonly answer_delay_ms?: number }) => void;
}

function ReceiverControls({ receiver, onAnswer }: ReceiverControlsProps) {
  const t = useText();
  const navigate = useNavigate();
  const url = receiver.url ?? '';
  return (
    <Panel dense>
      <Group justify="space-between">
        <Group gap={8} wrap="nowrap">
          <PartName>{t('webhookReceiver.address')}</PartName>
          <Code fz={13}>{url}</Code>
          <CopyIconButton value={url} label={t('webhookReceiver.copyAddress')} />
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => void navigate({ to: '/webhooks/new', search: { target: url } })}
          >
            {t('webhookReceiver.newWebhook')}
          </Button>
        </Group>
        <Group gap="sm" wrap="nowrap">
          <Dimmed>{t('webhookReceiver.answers')}</Dimmed>
          <ChoiceField
            w={184}
            aria-label={t('webhookReceiver.answers')}
            data={statuses.map((value) => ({ value, label: t(`webhookReceiver.answer.${value}`) }))}
            value={String(receiver.answer_status)}
            onChange={(status) => onAnswer({ answer_status: Number(status) })}
          />
          <Dimmed>{t('webhookReceiver.delay')}</Dimmed>
          <ChoiceField
            w={128}
            aria-label={t('webhookReceiver.delay')}
            comboboxProps={{ width: 220, position: 'bottom-end', shadow: 'md' }}
            data={delays.map((value) => ({ value, label: t(`webhookReceiver.delays.${value}`) }))}
            value={String(receiver.answer_delay_ms)}
            onChange={(delay) => onAnswer({ answer_delay_ms: Number(delay) })}
          />
        </Group>
      </Group>
    </Panel>
  );
}

type Verdict = (typeof signatureVerdicts)[number];

const tones = { valid: 'ok', invalid: 'bad', missing: 'bad', unsigned: 'none', unknown: 'none' } as const;

/** Shows if a request was signed with its webhook's secret. */
const SignatureBadge = ({ verdict }: { readonly verdict: Verdict }) => {
  const t = useText();
  const tone = tones[verdict];
  const Icon = tone === 'ok' ? IconShieldCheck : tone === 'bad' ? IconShieldX : IconShieldOff;
  return (
    <span className={classes.signature} data-tone={tone} title={t(`webhookReceiver.signatureText.${verdict}`)}>
      <Icon size={14} stroke={1.75} aria-hidden />
      {t(`webhookReceiver.signature.${verdict}`)}
    </span>
  );
};

const ReceivedRow = ({ request }: { readonly request: ReceivedRequest }) => {
  const t = useText();
  return (
    <>
      <StatusBadge code={request.status_code} />
      <RowText
        name={request.event ?? t('webhookReceiver.unknownEvent')}
        mono
        meta={[
          `#${request.number}`,
          formatWhen(request.received_date),
          request.is_repeat ? t('webhookReceiver.repeat') : null,
        ]}
      />
      <SignatureBadge verdict={request.signature} />
    </>
  );
};

const ReceivedDetail = ({ request }: { readonly request: ReceivedRequest }) => {
  const t = useText();
  const signatures = [
    ['X-Signature-256', request.signature],
    ['webhook-signature', request.standard_signature],
  ] as const;
  return (
    <article aria-label={request.event ?? ''} data-testid="received-detail">
      <Group gap={10} mb={8} wrap="nowrap">
        <StatusBadge code={request.status_code} />
        <RowText
          name={request.event ?? t('webhookReceiver.unknownEvent')}
          mono
          meta={[
            `#${request.number}`,
            formatMoment(request.received_date),
            t('webhookReceiver.answered', { code: request.status_code }),
          ]}
        />
      </Group>
      <Facts
        width={136}
        facts={signatures.map(([header, verdict]) => [
          header,
          <Group key={header} gap={12}>
            <SignatureBadge verdict={verdict} />
            {t(`webhookReceiver.signatureText.${verdict}`)}
          </Group>,
        ])}
      />
      {request.is_repeat && (
        <Text fz="sm" mb={8}>
          {t('webhookReceiver.repeatHint')}
        </Text>
      )}
      <HttpMessage line={`${request.method} ${request.path}`} headers={request.headers} body={request.body} />
      {request.is_cut && <Hint mt={4}>{t('webhookReceiver.cut')}</Hint>}
    </article>
  );
};

function useReceiverActions() {
  const t = useText();
  const run = useChange((work: () => Promise<unknown>) => work(), {
    reloads: ['webhook-receiver'],
    failed: t('webhookReceiver.failed'),
  });
  return {
    isBusy: run.isPending,
    start: () => run.mutate(() => call('startWebhookReceiver', { body: {} })),
    clear: () => run.mutate(() => call('clearWebhookReceiver', {})),
    answer: (body: Partial<Pick<WebhookReceiver, 'answer_status' | 'answer_delay_ms'>>) =>
      run.mutate(() => call('updateWebhookReceiver', { body })),
    async stop(): Promise<void> {
      const confirm = t('webhookReceiver.stop');
      const question = { title: t('webhookReceiver.stopTitle'), text: t('webhookReceiver.stopText'), confirm };
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
