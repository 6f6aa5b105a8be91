import {
  IconInbox,
  IconPlayerPause,
  IconPlayerPlay,
  IconShieldCheck,
  IconTrash,
  IconWebhook,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Webhook } from '../../../preload/contract/schema/webhooks.ts';
import { call } from '../../api/client.ts';
import { webhookQueries } from '../../api/webhook-queries.ts';
import { useText } from '../../i18n/index.ts';
import { BulkDialog } from '../../shared/lists/rows/bulk-run-dialog.tsx';
import { useColumns } from '../../shared/lists/columns.tsx';
import { webhookFields } from '../../shared/lists/filter/list-filter.ts';
import { type ListAddress, listOf, loadAll, rangeSize } from '../../shared/lists/list-address.ts';
import { ListPage, NewButton } from '../../shared/lists/list-page.tsx';
import type { BulkAction } from '../../shared/lists/rows/bulk-bar.tsx';
import { ItemRows } from '../../shared/lists/rows/item-rows.tsx';
import { PolicySwitches } from '../../shared/webhook-policy.tsx';
import { Menu, Modal, QuietButton } from '../../ui/kit.ts';
import { Cell } from '../../ui/list.tsx';
import { MoreMenu } from '../../ui/more-menu.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { useWebhookColumns, webhookActionsWidth, WebhookButtons } from './webhook-row.tsx';

function PolicyDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  return (
    <Modal opened onClose={onClose} title={t('webhookPolicy.title')}>
      <PolicySwitches />
    </Modal>
  );
}

function useWebhookBulk(): readonly BulkAction<Webhook>[] {
  const t = useText();
  const common = { nameOf: ({ target_url: target }: Webhook) => target, stale: ['webhooks'] };
  const toggle = (isOn: boolean): BulkAction<Webhook> => ({
    key: isOn ? 'on' : 'off',
    label: t(isOn ? 'bulk.turnOn' : 'bulk.turnOff'),
    icon: isOn ? <IconPlayerPlay size={15} /> : <IconPlayerPause size={15} />,
    renderDialog: (dialog) => (
      <BulkDialog
        {...dialog}
        {...common}
        title={
          isOn
            ? t('bulk.turnOnTitle', { count: dialog.items.length })
            : t('bulk.turnOffTitle', { count: dialog.items.length })
        }
        text={t(isOn ? 'bulk.turnOnText' : 'bulk.turnOffText')}
        confirm={t(isOn ? 'bulk.turnOn' : 'bulk.turnOff')}
        run={({ id }, signal) => call('updateWebhook', { params: { id }, body: { is_active: isOn }, signal })}
      />
    ),
  });
  const remove: BulkAction<Webhook> = {
    key: 'delete',
    label: t('bulk.delete'),
    icon: <IconTrash size={15} />,
    danger: true,
    renderDialog: (dialog) => (
      <BulkDialog
        {...dialog}
        {...common}
        title={t('bulk.deleteWebhooksTitle', { count: dialog.items.length })}
        text={t('bulk.deleteWebhooksText')}
        confirm={t('bulk.delete')}
        danger
        run={({ id }, signal) => call('deleteWebhook', { params: { id }, signal })}
      />
    ),
  };
  return [toggle(true), toggle(false), remove];
}

export function WebhooksPage({ search }: { readonly search: ListAddress }) {
  const t = useText();
  const navigate = useNavigate();
  const [policy, setPolicy] = useState(false);
  const client = useQueryClient();
  const listQuery = listOf(search, webhookFields);
  const all = useWebhookColumns();
  const columns = useColumns('webhooks', all);
  const bulk = useWebhookBulk();
  const webhooks = useQuery({
    ...webhookQueries.list(listQuery),
    refetchOnMount: 'always',
    refetchInterval: 5_000,
  });
  return (
    <ListPage
      words="webhooks"
      icon={IconWebhook}
      query={webhooks}
      create={<NewButton text={t('webhooks.new')} onClick={() => void navigate({ to: '/webhooks/new' })} />}
      actions={
        <>
          <QuietButton
            leftSection={<IconInbox size={16} stroke={1.5} />}
            onClick={() => void navigate({ to: '/webhooks/receiver' })}
          >
            {t('webhooks.receiver')}
          </QuietButton>
          <MoreMenu of="page">
            <Menu.Item leftSection={<IconShieldCheck size={16} />} onClick={() => setPolicy(true)}>
              {t('webhooks.policy')}
            </Menu.Item>
          </MoreMenu>
        </>
      }
      controls={{
        list: 'webhooks',
        search,
        fields: webhookFields,
        columns: all,
        sorts: [
          { value: '-id', label: t('lists.sorts.newest') },
          { value: 'id', label: t('lists.sorts.oldest') },
          { value: '-updated_date', label: t('lists.sorts.changed') },
          { value: 'target_url', label: t('webhooks.sortTarget') },
        ],
        placeholder: t('webhooks.search'),
      }}
      dialogs={policy && <PolicyDialog onClose={() => setPolicy(false)} />}
    >
      {(found) => (
        <ItemRows
          items={found}
          columns={columns}
          nameHead={t('webhookForm.target')}
          nameOf={({ target_url: target }) => target}
          mono
          renderLink={({ id }, row) => <Link to="/webhooks/$webhookId" params={{ webhookId: String(id) }} {...row} />}
          renderLead={({ is_active: active }) => (
            <StateDot tone={active ? 'ok' : 'rest'} title={t(active ? 'webhooks.active' : 'webhooks.inactive')} />
          )}
          leadHead={<span style={{ width: 8 }} />}
          meta={({ is_active: active, description }) => [active ? '' : t('webhooks.inactive'), description]}
          renderTail={(webhook) => <WebhookButtons webhook={webhook} />}
          tailHead={<Cell width={webhookActionsWidth} />}
          bulk={bulk}
          total={webhooks.data?.count ?? 0}
          loadAll={() =>
            loadAll((page) => client.fetchQuery(webhookQueries.list({ ...listQuery, page, pageSize: rangeSize })))
          }
        />
      )}
    </ListPage>
  );
}
