import { IconCpu, IconPlus, IconServer2, IconStack2 } from '@tabler/icons-react';
import { useIsFetching, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { modelQueries } from '../../api/model-queries.ts';
import { queries } from '../../api/queries.ts';
import { useText, type TextFunction } from '../../i18n/index.ts';
import { PlainListPage } from '../../shared/lists/list-page.tsx';
import { Button, Group, Menu, QuietButton, Text, Dimmed, TextInput, Select } from '../../ui/kit.ts';
import { MoreMenu } from '../../ui/more-menu.tsx';
import { notify } from '../../ui/notify.ts';
import { BaseImageDialog } from './engine/base-image-dialog.tsx';
import { DashboardsDialog } from './dashboards-dialog.tsx';
import { EngineNotice } from './engine/engine-notice.tsx';
import { EngineStrip } from './engine/engine-strip.tsx';
import { ModelsTable } from './models-table.tsx';
import { DropModelFile } from './model-files/drop-model-file.tsx';
import { listRefreshMs } from './function/model-timing.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useChange } from '../../shared/use-change.ts';
import { FormDialog } from '../../ui/form.tsx';
import { ConfigurationEditor } from './deploy/configuration-editor.tsx';
import { linesOf } from './deploy/finding.ts';
import type { ModelFunction } from '../../../preload/contract/schema/functions.ts';
import { SearchField } from '../../ui/fields.tsx';
import { kindText } from './function/model-text.ts';

interface ModelsFilterProps {
  readonly models: readonly ModelFunction[];
  /** @param isComplete False if some are filtered out */
  readonly children: (found: readonly ModelFunction[], isComplete: boolean) => ReactNode;
}

const waitMessage = (model: ModelFunction, t: TextFunction): string =>
  [model.name, model.title, model.namespace, model.project, kindText(model, t), ...model.labels.map(({ name }) => name)]
    .join(' ')
    .toLowerCase();

/** Filters models by words, kind and state, locally because the service returns all of them. */
function ModelsFilter({ models, children }: ModelsFilterProps) {
  const t = useText();
  const [search, setSearch] = useState('');
  const [kind, setKind] = useState<string | null>(null);
  const [state, setState] = useState<string | null>(null);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = models.filter((model) => {
    const said = waitMessage(model, t);
    return (
      words.every((word) => said.includes(word)) &&
      (kind === null || kindText(model, t) === kind) &&
      (state === null || model.state === state)
    );
  });
  const kinds = [...new Set(models.map((model) => kindText(model, t)))].toSorted();
  const states = [...new Set(models.map((model) => model.state))].toSorted();
  return (
    <>
      <Group gap="sm" mb={12} role="search">
        <SearchField label={t('models.search')} value={search} onChange={setSearch} />
        <Select
          w={168}
          size="xs"
          clearable
          aria-label={t('models.columnType')}
          placeholder={t('models.anyKind')}
          data={kinds}
          value={kind}
          onChange={setKind}
        />
        <Select
          w={168}
          size="xs"
          clearable
          aria-label={t('models.columnState')}
          placeholder={t('models.anyState')}
          data={states.map((value) => ({ value, label: t(`models.state.${value}`) }))}
          value={state}
          onChange={setState}
        />
      </Group>
      {found.length === 0 ? (
        <Dimmed role="status">{t('models.nothingFound')}</Dimmed>
      ) : (
        children(found, found.length === models.length)
      )}
    </>
  );
}

/** Adds a function that runs elsewhere and responds at an address. */
function EndpointDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const [url, setUrl] = useState('');
  const [configuration, setConfiguration] = useState('');
  const add = useChange(() => call('addEndpoint', { body: { url: url.trim(), configuration } }), {
    reloads: [['models', 'list']],
    done: async ({ name }) => {
      notify.success(t('modelElsewhere.added', { name }));
      onClose();
      await navigate({ to: '/models/$name', params: { name } });
    },
  });
  const { of, rest } = fieldErrors(add.error, ['url', 'configuration']);
  return (
    <FormDialog
      title={t('modelElsewhere.endpoint')}
      size="lg"
      submit={t('modelElsewhere.add')}
      change={add}
      onClose={onClose}
      isReady={url.trim() !== '' && configuration.trim() !== ''}
      error={rest}
    >
      <Dimmed>{t('modelElsewhere.endpointText')}</Dimmed>
      <TextInput
        label={t('modelElsewhere.url')}
        placeholder={t('modelElsewhere.urlPlaceholder')}
        data-autofocus
        required
        spellCheck={false}
        value={url}
        onChange={setUrl}
        error={of.url}
      />
      <ConfigurationEditor
        label={t('modelElsewhere.configuration')}
        value={configuration}
        onChange={setConfiguration}
        badLines={linesOf((of.configuration ?? '').split('\n'))}
        error={of.configuration}
        rows={12}
      />
    </FormDialog>
  );
}

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
          {canManage && (
            <QuietButton
              leftSection={<IconServer2 size={16} />}
              onClick={() => void navigate({ to: '/models/engines' })}
            >
              {t('engines.title')}
            </QuietButton>
          )}
          {canManage && <TestSources />}
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
        <ModelsFilter models={all}>
          {(found, isComplete) => <ModelsTable models={found} canManage={canManage} isComplete={isComplete} />}
        </ModelsFilter>
      )}
    </PlainListPage>
  );
  return canManage ? <DropModelFile>{page}</DropModelFile> : page;
}

/** Asks all dashboards, servers and other addresses whether they answer. */
function TestSources() {
  const t = useText();
  const client = useQueryClient();
  const sources = useQuery(modelQueries.sources()).data ?? [];
  const isTesting = useIsFetching({ queryKey: ['models', 'source-test'] }) > 0;
  if (sources.length === 0) return null;
  const test = (): void => {
    for (const { id } of sources) void client.fetchQuery({ ...modelQueries.sourceTest(id), staleTime: 0 });
  };
  return (
    <QuietButton loading={isTesting} onClick={test}>
      {t('models.testAll')}
    </QuietButton>
  );
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
