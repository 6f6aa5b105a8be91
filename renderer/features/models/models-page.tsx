import { IconCpu, IconPlus, IconStack2 } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { modelQueries } from '../../api/model-queries.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { PlainListPage } from '../../shared/lists/list-page.tsx';
import { Button, Group, Menu, QuietButton, Text } from '../../ui/kit.ts';
import { MoreMenu } from '../../ui/more-menu.tsx';
import { notify } from '../../ui/notify.ts';
import { BaseImageDialog } from './engine/base-image-dialog.tsx';
import { DashboardsDialog } from './dashboards-dialog.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { EngineNotice } from './engine/engine-notice.tsx';
import { EngineStrip } from './engine/engine-strip.tsx';
import { ModelsFilter } from './models-filter.tsx';
import { ModelsTable } from './models-table.tsx';
import { DropModelFile } from './model-files/drop-model-file.tsx';
import { listRefreshMs } from './function/model-timing.ts';

export function ModelsPage() {
  const t = useText();
  const navigate = useNavigate();
  const canManage = useQuery(queries.self()).data?.is_superuser === true;
  const engine = useQuery({ ...modelQueries.engine(), refetchOnMount: 'always', refetchInterval: listRefreshMs });
  const models = useQuery({
    ...modelQueries.list(),
    select: (results) => ({ results, count: results.length }),
    refetchOnMount: 'always',
    refetchInterval: listRefreshMs,
  });
  const isConnected = engine.data?.state === 'connected';
  const page = (
    <PlainListPage
      words="models"
      icon={IconCpu}
      emptyText={t(engine.data === undefined || isConnected ? 'models.emptyText' : 'models.emptyNoEngine')}
      query={models}
      create={
        canManage ? (
          <Group gap="sm">
            <QuietButton onClick={() => void navigate({ to: '/models/new' })}>{t('models.deploy')}</QuietButton>
            <Button leftSection={<IconPlus size={16} />} onClick={() => void navigate({ to: '/models/add' })}>
              {t('models.add')}
            </Button>
          </Group>
        ) : (
          <Text fz="sm">{t('models.ownerOnly')}</Text>
        )
      }
      actions={
        <>
          <QuietButton leftSection={<IconStack2 size={16} />} onClick={() => void navigate({ to: '/models/batches' })}>
            {t('batches.open')}
          </QuietButton>
          {canManage && <EngineMenu isConnected={isConnected} />}
        </>
      }
      above={
        engine.data !== undefined &&
        (isConnected ? (
          <EngineStrip engine={engine.data} />
        ) : (
          <EngineNotice engine={engine.data} isLooking={engine.isFetching} onLook={() => void engine.refetch()} />
        ))
      }
    >
      {(all) => (
        <ModelsFilter models={all}>{(found) => <ModelsTable models={found} canManage={canManage} />}</ModelsFilter>
      )}
    </PlainListPage>
  );
  return canManage ? <DropModelFile>{page}</DropModelFile> : page;
}

function EngineMenu({ isConnected }: { readonly isConnected: boolean }) {
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
    onError: (error) => notify.failure(t('modelEngine.probeFails'), error),
  });
  return (
    <>
      <MoreMenu of="page" loading={probe.isPending}>
        <Menu.Item disabled={!isConnected} onClick={() => setDialog('base')}>
          {t('modelEngine.makeBase')}
        </Menu.Item>
        <Menu.Item disabled={!isConnected} onClick={() => probe.mutate()}>
          {t('modelEngine.probe')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => setDialog('endpoint')}>{t('modelElsewhere.endpoint')}</Menu.Item>
        <Menu.Item onClick={() => setDialog('dashboards')}>{t('modelElsewhere.dashboards')}</Menu.Item>
      </MoreMenu>
      {dialog === 'base' && <BaseImageDialog onClose={close} />}
      {dialog === 'endpoint' && <EndpointDialog onClose={close} />}
      {dialog === 'dashboards' && <DashboardsDialog onClose={close} />}
    </>
  );
}
