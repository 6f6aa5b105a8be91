import { IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Webhook } from '../../../preload/contract/schema/webhooks.ts';
import { messageOf } from '../../api/api-error.ts';
import { peopleQueries } from '../../api/people-queries.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { formatDuration, formatWhen } from '../../parts/format-text.ts';
import { Button, Group, Menu } from '../../ui/kit.ts';
import { Cell, Row } from '../../ui/list.tsx';
import { DeleteItem, MoreMenu } from '../../ui/more-menu.tsx';
import { notify } from '../../ui/notify.ts';
import { StateDot } from '../../ui/state-dot.tsx';
import { isEverything } from './form/event-text.ts';
import { isDelivered, StatusBadge } from './log/status-badge.tsx';
import { useWebhookActions } from './use-webhook-actions.ts';

/** Name of the project or organization that a webhook tells of. */
export function usePlaceName(webhook: Webhook): string {
  const t = useText();
  const isProject = webhook.type === 'project';
  const project = useQuery({ ...queries.project(webhook.project_id ?? 0), enabled: isProject }).data;
  const organizations = useQuery({ ...peopleQueries.organizations(), enabled: !isProject }).data?.results;
  const organization = organizations?.find((one) => one.id === webhook.organization);
  if (isProject) return `${t('webhooks.project')} ${project === undefined ? '' : `“${project.name}”`}`.trim();
  const name = organization === undefined || organization.name === '' ? organization?.slug : organization.name;
  return `${t('webhooks.organization')} ${name === undefined ? '' : `“${name}”`}`.trim();
}

/** One webhook of the list: where it sends, of what, and how the last delivery went. */
export function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const t = useText();
  const navigate = useNavigate();
  const { toggle, ping, remove } = useWebhookActions(webhook);
  const place = usePlaceName(webhook);
  const { id, target_url: target, type, events, is_active: active, last_status: status } = webhook;
  const params = { webhookId: String(id) };
  const tell = async (): Promise<void> => {
    try {
      const { status_code: code, request_duration: durationMs } = await ping.mutateAsync();
      const values = { code, duration: formatDuration(durationMs ?? 0) };
      if (isDelivered(code)) notify.success(t('webhooks.pingOk', values));
      else notify.failure(t('webhooks.pingFailed'), t('webhooks.pingBad', values));
    } catch (error) {
      notify.failure(t('webhooks.pingFailed'), messageOf(error));
    }
  };
  const count = isEverything(type, events)
    ? t('webhooks.everything')
    : events.length === 0
      ? t('webhooks.noEvents')
      : t('webhooks.eventCount', { count: events.length });
  return (
    <Row
      renderLink={(row) => <Link to="/webhooks/$webhookId" params={params} {...row} />}
      lead={<StateDot tone={active ? 'ok' : 'rest'} title={t(active ? 'webhooks.active' : 'webhooks.inactive')} />}
      name={target}
      title={target}
      mono
      meta={[active ? '' : t('webhooks.inactive'), webhook.description, place, count]}
      cells={
        <Cell width={176}>
          <Group gap={8} wrap="nowrap">
            {status === undefined ? t('webhooks.neverSent') : <StatusBadge code={status} />}
            {webhook.last_delivery_date !== undefined && formatWhen(webhook.last_delivery_date)}
          </Group>
        </Cell>
      }
    >
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconSend size={14} stroke={1.5} />}
        aria-label={t('webhooks.pingTarget', { target })}
        loading={ping.isPending}
        onClick={() => void tell()}
      >
        {t('webhooks.ping')}
      </Button>
      <MoreMenu of="row">
        <Menu.Item
          onClick={() => void navigate({ to: '/webhooks/$webhookId', params, search: { tab: 'configuration' } })}
        >
          {t('webhooks.edit')}
        </Menu.Item>
        <Menu.Item onClick={() => toggle.mutate(!active)}>
          {t(active ? 'webhooks.turnOff' : 'webhooks.turnOn')}
        </Menu.Item>
        <DeleteItem onClick={() => void remove()}>{t('webhooks.delete')}</DeleteItem>
      </MoreMenu>
    </Row>
  );
}
