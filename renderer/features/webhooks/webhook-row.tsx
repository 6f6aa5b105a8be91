import { IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Webhook } from '../../../preload/contract/schema/webhooks.ts';
import { peopleQueries } from '../../api/people-queries.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { formatDate, formatDuration, formatShort } from '../../shared/format-text.ts';
import { type Column, dateColumn } from '../../shared/lists/columns.tsx';
import { Button, Group, Menu } from '../../ui/kit.ts';
import { DeleteItem, MoreMenu } from '../../ui/more-menu.tsx';
import { notify } from '../../ui/notify.ts';
import { isEverything } from './form/event-text.ts';
import { isDelivered, StatusBadge } from './log/status-badge.tsx';
import { useWebhookActions } from './use-webhook-actions.ts';

export function usePlaceName(webhook: Webhook): string {
  const t = useText();
  const isProject = webhook.type === 'project';
  const project = useQuery({ ...queries.project(webhook.project_id ?? 0), enabled: isProject }).data;
  const organizations = useQuery({ ...peopleQueries.organizations(), enabled: webhook.type === 'organization' }).data
    ?.results;
  const organization = organizations?.find((one) => one.id === webhook.organization);
  if (isProject) return project === undefined ? t('webhooks.project') : t('webhooks.projectOf', { name: project.name });
  if (webhook.type === 'server') return t('webhooks.server');
  const name = organization === undefined || organization.name === '' ? organization?.slug : organization.name;
  return name === undefined ? t('webhooks.organization') : t('webhooks.organizationOf', { name });
}

const Place = ({ webhook }: { readonly webhook: Webhook }) => {
  const name = usePlaceName(webhook);
  return <span title={name}>{name}</span>;
};

export function useWebhookColumns(): readonly Column<Webhook>[] {
  const t = useText();
  const countOf = ({ type, events }: Webhook): string => {
    if (isEverything(type, events)) return t('webhooks.everything');
    return events.length === 0 ? t('webhooks.noEvents') : t('webhooks.eventCount', { count: events.length });
  };
  return [
    { key: 'place', name: t('webhooks.place'), from: 'middle', render: (webhook) => <Place webhook={webhook} /> },
    { key: 'events', name: t('webhookForm.events'), width: 120, from: 'middle', title: countOf, render: countOf },
    {
      key: 'delivery',
      name: t('webhooks.lastDelivery'),
      width: 176,
      render: ({ last_status: status, last_delivery_date: date }) => (
        <Group gap={8} wrap="nowrap">
          {status === undefined ? t('webhooks.neverSent') : <StatusBadge code={status} />}
          {date !== undefined && <span title={formatDate(date)}>{formatShort(date)}</span>}
        </Group>
      ),
    },
    dateColumn(
      { key: 'updated', name: t('tasks.updated'), width: 96, from: 'wide' },
      (webhook) => webhook.updated_date,
    ),
  ];
}

export const webhookActionsWidth = 124;

export function WebhookButtons({ webhook }: { readonly webhook: Webhook }) {
  const t = useText();
  const navigate = useNavigate();
  const { toggle, ping, remove } = useWebhookActions(webhook);
  const { id, target_url: target, is_active: active } = webhook;
  const params = { webhookId: String(id) };
  const tell = async (): Promise<void> => {
    try {
      const { status_code: code, request_duration: durationMs } = await ping.mutateAsync();
      const values = { code, duration: formatDuration(durationMs ?? 0) };
      if (isDelivered(code)) notify.success(t('webhooks.pingOk', values));
      else notify.failure(t('webhooks.pingFailed'), t('webhooks.pingBad', values));
    } catch (error) {
      notify.failure(t('webhooks.pingFailed'), error);
    }
  };
  return (
    <Group gap={16} w={webhookActionsWidth} justify="flex-end" wrap="nowrap">
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
    </Group>
  );
}
