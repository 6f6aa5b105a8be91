import { IconInbox, IconPlus, IconShieldCheck, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { webhookQueries } from '../../api/webhook-queries.ts';
import { useText } from '../../i18n/index.ts';
import { listOf, type ListAddress } from '../../parts/lists/list-controls.tsx';
import { ListPage } from '../../parts/lists/list-page.tsx';
import { Button, Menu } from '../../ui/kit.ts';
import { List } from '../../ui/list.tsx';
import { MoreMenu } from '../../ui/more-menu.tsx';
import { PolicyDialog } from './policy-dialog.tsx';
import { WebhookRow } from './webhook-row.tsx';

/** All webhooks with how their last delivery went. */
export function WebhooksPage({ search }: { readonly search: ListAddress }) {
  const t = useText();
  const navigate = useNavigate();
  const [policy, setPolicy] = useState(false);
  const webhooks = useQuery({
    ...webhookQueries.list(listOf(search)),
    refetchOnMount: 'always',
    refetchInterval: 5_000,
  });
  return (
    <ListPage
      title={t('webhooks.title')}
      query={webhooks}
      empty={{
        icon: <IconWebhook size={48} stroke={1.25} />,
        title: t('webhooks.emptyTitle'),
        text: t('webhooks.emptyText'),
      }}
      create={
        <Button leftSection={<IconPlus size={16} />} onClick={() => void navigate({ to: '/webhooks/new' })}>
          {t('webhooks.new')}
        </Button>
      }
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconInbox size={16} stroke={1.5} />}
            onClick={() => void navigate({ to: '/webhooks/receiver' })}
          >
            {t('webhooks.receiver')}
          </Button>
          <MoreMenu of="page">
            <Menu.Item leftSection={<IconShieldCheck size={16} />} onClick={() => setPolicy(true)}>
              {t('webhooks.policy')}
            </Menu.Item>
          </MoreMenu>
        </>
      }
      controls={{
        search,
        sorts: [
          { value: '-id', label: t('webhooks.sortNewest') },
          { value: '-updated_date', label: t('webhooks.sortChanged') },
          { value: 'target_url', label: t('webhooks.sortTarget') },
        ],
        placeholder: t('webhooks.search'),
        nothingFound: t('webhooks.nothingFound'),
      }}
      dialogs={policy && <PolicyDialog onClose={() => setPolicy(false)} />}
    >
      {(found) => (
        <List>
          {found.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} />
          ))}
        </List>
      )}
    </ListPage>
  );
}
