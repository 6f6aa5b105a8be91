import { IconInbox, IconDots, IconPlus, IconShieldCheck, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { webhookQueries } from '../../api/webhook-queries.ts';
import { useText } from '../../i18n/index.ts';
import { ListControls, ListPages, listPageSize, type ListAddress } from '../../parts/lists/list-controls.tsx';
import rows from '../../parts/lists/rows.module.css';
import { ActionIcon, Button, Group, Menu, Text } from '../../ui/kit.ts';
import { Empty, Page, PageLoader, Problem } from '../../ui/page.tsx';
import { PolicyDialog } from './policy-dialog.tsx';
import { WebhookRow } from './webhook-row.tsx';

/** All webhooks with how their last delivery went. */
export function WebhooksPage({ search }: { readonly search: ListAddress }) {
  const t = useText();
  const navigate = useNavigate();
  const [policy, setPolicy] = useState(false);
  const sorts = [
    { value: '-id', label: t('webhooks.sortNewest') },
    { value: '-updated_date', label: t('webhooks.sortChanged') },
    { value: 'target_url', label: t('webhooks.sortTarget') },
  ];
  const list = { page: search.page ?? 1, pageSize: listPageSize, search: search.q ?? '', sort: search.sort ?? '-id' };
  const webhooks = useQuery({ ...webhookQueries.list(list), refetchOnMount: 'always', refetchInterval: 5_000 });
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => void navigate({ to: '/webhooks/new' })}>
      {t('webhooks.new')}
    </Button>
  );
  const receiver = (
    <Button
      variant="default"
      leftSection={<IconInbox size={16} stroke={1.5} />}
      onClick={() => void navigate({ to: '/webhooks/receiver' })}
    >
      {t('webhooks.receiver')}
    </Button>
  );
  const isEmpty = webhooks.data?.count === 0;
  const nothingAtAll = isEmpty && list.search === '';
  const menu = (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('common.more')}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconShieldCheck size={16} />} onClick={() => setPolicy(true)}>
          {t('webhooks.policy')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
  return (
    <Page
      title={t('webhooks.title')}
      actions={
        <>
          {!nothingAtAll && create}
          {receiver}
          {menu}
        </>
      }
    >
      {webhooks.data !== undefined && !nothingAtAll && (
        <ListControls search={search} sorts={sorts} placeholder={t('webhooks.search')} />
      )}
      {webhooks.isPending && <PageLoader label={t('app.loading')} />}
      {webhooks.isError && webhooks.data === undefined && (
        <Problem
          title={t('common.loadFailed')}
          message={webhooks.error.message}
          retry={{ label: t('common.retry'), run: () => void webhooks.refetch() }}
        />
      )}
      {nothingAtAll && (
        <Empty
          icon={<IconWebhook size={48} stroke={1.25} />}
          title={t('webhooks.emptyTitle')}
          text={t('webhooks.emptyText')}
          action={<Group gap="sm">{create}</Group>}
        />
      )}
      {isEmpty && list.search !== '' && <Text c="dimmed">{t('webhooks.nothingFound')}</Text>}
      {webhooks.data !== undefined && !isEmpty && (
        <div className={rows.list} role="list">
          {webhooks.data.results.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} />
          ))}
        </div>
      )}
      {webhooks.data !== undefined && <ListPages search={search} count={webhooks.data.count} />}
      {policy && <PolicyDialog onClose={() => setPolicy(false)} />}
    </Page>
  );
}
