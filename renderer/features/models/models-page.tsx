import { IconCpu, IconDots, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { modelQueries } from '../../api/model-queries.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { ActionIcon, Button, Menu, Text } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import { Empty, Page, PageLoader, Problem } from '../../ui/page.tsx';
import { BaseImageDialog } from './base-image-dialog.tsx';
import { DashboardsDialog } from './dashboards-dialog.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { EngineNotice } from './engine-notice.tsx';
import { EngineStrip } from './engine-strip.tsx';
import { ModelsTable } from './models-table.tsx';
import { listRefreshMs } from './model-timing.ts';

/** All functions with their state, and the Engine that runs them. */
export function ModelsPage() {
  const t = useText();
  const navigate = useNavigate();
  const canManage = useQuery(queries.self()).data?.is_superuser === true;
  const engine = useQuery({ ...modelQueries.engine(), refetchOnMount: 'always', refetchInterval: listRefreshMs });
  const models = useQuery({ ...modelQueries.list(), refetchOnMount: 'always', refetchInterval: listRefreshMs });
  const isEmpty = models.data?.length === 0;
  const isConnected = engine.data?.state === 'connected';
  const deploy = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => void navigate({ to: '/models/new' })}>
      {t('models.deploy')}
    </Button>
  );
  return (
    <Page
      title={t('models.title')}
      actions={
        canManage && (
          <>
            {isEmpty === false && deploy}
            <MoreMenu isConnected={isConnected} hasCards={(engine.data?.cards.length ?? 0) > 0} />
          </>
        )
      }
    >
      {engine.data !== undefined && !isConnected && (
        <EngineNotice engine={engine.data} isLooking={engine.isFetching} onLook={() => void engine.refetch()} />
      )}
      {engine.data !== undefined && isConnected && <EngineStrip engine={engine.data} />}
      {models.isPending && <PageLoader label={t('app.loading')} />}
      {models.isError && models.data === undefined && (
        <Problem
          title={t('common.loadFailed')}
          message={messageOf(models.error)}
          retry={{ label: t('common.retry'), run: () => void models.refetch() }}
        />
      )}
      {isEmpty && (
        <Empty
          icon={<IconCpu size={48} stroke={1.25} />}
          title={t('models.emptyTitle')}
          text={t(engine.data === undefined || isConnected ? 'models.emptyText' : 'models.emptyNoEngine')}
          action={canManage ? deploy : <Text fz="sm">{t('models.ownerOnly')}</Text>}
        />
      )}
      {models.data !== undefined && !isEmpty && <ModelsTable models={models.data} canManage={canManage} />}
    </Page>
  );
}

interface MoreMenuProps {
  readonly isConnected: boolean;
  readonly hasCards: boolean;
}

function MoreMenu({ isConnected }: MoreMenuProps) {
  const t = useText();
  const [dialog, setDialog] = useState<'endpoint' | 'dashboards' | 'base' | null>(null);
  const close = (): void => setDialog(null);
  const probe = useMutation({
    mutationFn: () => call('probeGpu', { body: {} }),
    onMutate: () => notify.info(t('modelEngine.probeRunning')),
    onSuccess: ({ works, message }) =>
      works
        ? notify.success(message || t('modelEngine.probeWorks'))
        : notify.failure(t('modelEngine.probeFails'), message),
    onError: (error) => notify.failure(t('modelEngine.probeFails'), messageOf(error)),
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('common.more')} loading={probe.isPending}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={!isConnected} onClick={() => setDialog('base')}>
            {t('modelEngine.makeBase')}
          </Menu.Item>
          <Menu.Item disabled={!isConnected} onClick={() => probe.mutate()}>
            {t('modelEngine.probe')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => setDialog('endpoint')}>{t('modelElsewhere.endpoint')}</Menu.Item>
          <Menu.Item onClick={() => setDialog('dashboards')}>{t('modelElsewhere.dashboards')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'base' && <BaseImageDialog onClose={close} />}
      {dialog === 'endpoint' && <EndpointDialog onClose={close} />}
      {dialog === 'dashboards' && <DashboardsDialog onClose={close} />}
    </>
  );
}
