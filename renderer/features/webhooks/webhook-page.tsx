import { IconAlertTriangle, IconCircleCheck, IconSend, IconRepeat } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Webhook, WebhookDelivery, WebhookState } from '../../../preload/contract/schema/webhooks.ts';
import { call } from '../../api/client.ts';
import { webhookQueries } from '../../api/webhook-queries.ts';
import { useChange } from '../../shared/use-change.ts';
import { useText } from '../../i18n/index.ts';
import { formatDuration, withMoments, formatSoon } from '../../shared/format-text.ts';
import { useListAddress } from '../../shared/lists/list-address.ts';
import { ToList } from '../../shared/lists/list-page.tsx';
import { useUnsaved } from '../../shared/use-form.ts';
import { Alert, Button, Dimmed, Group, Menu, Switch, Tabs, TextInput, SmallButton, Tooltip } from '../../ui/kit.ts';
import { joined } from '../../ui/list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { DeleteItem, MoreMenu } from '../../ui/more-menu.tsx';
import { notify } from '../../ui/notify.ts';
import { Page, Problem } from '../../ui/page.tsx';
import { WebhookForm } from './form/webhook-form.tsx';
import { valuesOfWebhook, type WebhookValues, writableOfValues } from './form/webhook-values.ts';
import { DeliveryLog } from './log/delivery-log.tsx';
import { QueueTab } from './log/queue-tab.tsx';
import { isDelivered } from './log/status-badge.tsx';
import { logRefreshMs, type WebhookAddress } from './log/webhook-address.ts';
import { useWebhookActions } from './use-webhook-actions.ts';
import classes from './webhook-page.module.css';
import { usePlaceName } from './webhook-row.tsx';
import { formatNumber } from '../../i18n/language.ts';

interface StateStripProps {
  readonly webhookId: number;
  readonly state: WebhookState;
  readonly isActive: boolean;
}

/** Numbers of delivered, waiting, failed and skipped events, and a button to resend the failed ones. */
function StateStrip({ webhookId, state, isActive }: StateStripProps) {
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

interface PingResultProps {
  readonly delivery: WebhookDelivery;
  readonly onShow: () => void;
  readonly onClose: () => void;
}

function PingResult({ delivery, onShow, onClose }: PingResultProps) {
  const t = useText();
  const { status_code: code, request_duration: durationMs, response } = delivery;
  const good = isDelivered(code);
  const values = { code, duration: formatDuration(durationMs ?? 0) };
  return (
    <Alert
      variant="default"
      mb="md"
      role="status"
      withCloseButton
      closeButtonLabel={t('common.close')}
      onClose={onClose}
      icon={
        good ? (
          <IconCircleCheck size={18} color="var(--limner-success)" />
        ) : (
          <IconAlertTriangle size={18} color="var(--limner-failure)" />
        )
      }
      title={t(good ? 'webhooks.pingOk' : 'webhooks.pingBad', values)}
    >
      <Group gap="sm" wrap="nowrap" align="center" justify="space-between">
        <Dimmed lineClamp={2}>{response}</Dimmed>
        <Button size="compact-xs" variant="default" style={{ flex: 'none' }} onClick={onShow}>
          {t('webhooks.pingShow')}
        </Button>
      </Group>
    </Alert>
  );
}

interface ConfigurationTabProps {
  readonly webhook: Webhook;
  readonly state: WebhookState;
}

function ConfigurationTab({ webhook, state }: ConfigurationTabProps) {
  const t = useText();
  // Only local changes, because the switch in the heading edits the webhook too.
  const [changes, setChanges] = useState<Partial<WebhookValues>>({});
  const values = { ...valuesOfWebhook(webhook), ...changes };
  useUnsaved(Object.keys(changes).length > 0, t('pages.unsavedForm'));
  const place = usePlaceName(webhook);
  const save = useChange(() => call('updateWebhook', { params: { id: webhook.id }, body: writableOfValues(values) }), {
    keeps: webhookQueries.one(webhook.id).queryKey,
    reloads: ['webhooks'],
    done: () => {
      setChanges({});
      notify.success(t('webhookForm.saved'));
    },
  });
  return (
    <WebhookForm
      values={values}
      onChange={(part) => setChanges((before) => ({ ...before, ...part }))}
      place={<TextInput label={t('webhookForm.belongs')} description={t('webhookForm.fixed')} readOnly value={place} />}
      secret={state}
      error={save.error}
      submit={t('webhookForm.save')}
      isBusy={save.isPending}
      isReady={values.target_url.trim() !== '' && Object.keys(changes).length > 0}
      onSubmit={() => save.mutate()}
    />
  );
}

export function WebhookPage({ webhookId, search }: { readonly webhookId: number; readonly search: WebhookAddress }) {
  const t = useText();
  const webhook = useQuery({ ...webhookQueries.one(webhookId), refetchOnMount: 'always' });
  const state = useQuery({
    ...webhookQueries.state(webhookId),
    refetchOnMount: 'always',
    refetchInterval: (query) => (query.state.status === 'error' ? false : logRefreshMs),
  });
  return (
    <Loaded
      query={webhook}
      page={t('webhooks.title')}
      elsewhere={<ToList to="/webhooks" title={t('webhooks.title')} />}
    >
      {(loaded) => (
        <Loaded query={state} page={t('webhooks.title')}>
          {(known) => <WebhookView webhook={loaded} state={known} search={search} />}
        </Loaded>
      )}
    </Loaded>
  );
}

interface WebhookViewProps {
  readonly webhook: Webhook;
  readonly state: WebhookState;
  readonly search: WebhookAddress;
}

const tabs = ['deliveries', 'queue', 'configuration'] as const;

function WebhookView({ webhook, state, search }: WebhookViewProps) {
  const t = useText();
  const navigate = useNavigate();
  const change = useListAddress<WebhookAddress>(search);
  const actions = useWebhookActions(webhook);
  const { toggle, ping } = actions;
  const place = usePlaceName(webhook);
  const tab = tabs.find((one) => one === search.tab) ?? 'deliveries';
  const remove = async (): Promise<void> => {
    if (await actions.remove()) await navigate({ to: '/webhooks' });
  };
  const show = (deliveryId: number): void => {
    void navigate({ to: '.', search: { delivery: String(deliveryId) } });
    ping.reset();
  };
  return (
    <Page
      name={webhook.target_url}
      title={<span className={classes.heading}>{webhook.target_url}</span>}
      crumbs={
        <>
          <Link to="/webhooks">{t('webhooks.title')}</Link>
          {` · ${joined([place, webhook.description])}`}
        </>
      }
      actions={
        <>
          <Switch
            label={t('webhooks.active')}
            checked={webhook.is_active}
            disabled={toggle.isPending}
            onChange={(isOn) => toggle.mutate(isOn)}
          />
          <Button
            leftSection={<IconSend size={16} stroke={1.5} />}
            loading={ping.isPending}
            onClick={() => ping.mutate()}
          >
            {t('webhooks.ping')}
          </Button>
          <MoreMenu of="page">
            <Menu.Item onClick={() => void navigate({ to: '/webhooks/receiver' })}>{t('webhooks.receiver')}</Menu.Item>
            <DeleteItem onClick={() => void remove()}>{t('webhooks.delete')}</DeleteItem>
          </MoreMenu>
        </>
      }
    >
      {state.deactivation_reason !== null && !webhook.is_active && (
        <Alert
          variant="default"
          mb="md"
          icon={<IconAlertTriangle size={18} color="var(--limner-warning)" />}
          title={t('webhooks.deactivatedTitle')}
        >
          <Group justify="space-between" wrap="nowrap">
            <span>{withMoments(state.deactivation_reason)}</span>
            <Button size="compact-xs" variant="default" style={{ flex: 'none' }} onClick={() => toggle.mutate(true)}>
              {t('webhooks.switchOn')}
            </Button>
          </Group>
        </Alert>
      )}
      {ping.data !== undefined && (
        <PingResult delivery={ping.data} onShow={() => show(ping.data.id)} onClose={() => ping.reset()} />
      )}
      {ping.error !== null && <Problem title={t('webhooks.pingFailed')} message={ping.error} />}
      <StateStrip webhookId={webhook.id} state={state} isActive={webhook.is_active} />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) => void navigate({ to: '.', search: next === 'deliveries' ? {} : { tab: next ?? '' } })}
      >
        <Tabs.List mb={12}>
          <Tabs.Tab value="deliveries">{t('webhookLog.deliveries')}</Tabs.Tab>
          <Tabs.Tab value="queue">{t('webhookLog.queue')}</Tabs.Tab>
          <Tabs.Tab value="configuration">{t('webhookLog.configuration')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="deliveries">
          <DeliveryLog webhook={webhook} search={search} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="queue">
          <QueueTab webhookId={webhook.id} search={search} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="configuration" maw={736}>
          <ConfigurationTab key={webhook.id} webhook={webhook} state={state} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
