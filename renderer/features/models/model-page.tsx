import { IconAlertTriangle, IconPlayerPlay, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { ToList } from '../../shared/lists/list-page.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ModelFunction } from '../../../preload/contract/schema/functions.ts';
import { modelQueries } from '../../api/model-queries.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { Alert, Box, Button, Group, Mono, QuietButton, Tabs, Text, Hint, Stack } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { DeleteItem, MoreMenu } from '../../ui/more-menu.tsx';
import { Page } from '../../ui/page.tsx';
import { ConfigurationTab } from './configuration-tab.tsx';
import { ModelLog } from './function/model-log.tsx';
import { AddressNote, ReachedState } from './function/address-state.tsx';
import { kindText, placeText } from './function/model-text.ts';
import { DeployRunning } from './function/deploy-running.tsx';
import { MessageText } from './function/message-text.tsx';
import { type ModelTab, modelTabs } from './model-tabs.ts';
import { NumbersTab } from './numbers-tab.tsx';
import { VersionsTab } from './versions-tab.tsx';
import { DescriptionTab } from './model-files/description-tab.tsx';
import { TryTab } from './trial/try-tab.tsx';
import { useModelActions } from './function/use-model-actions.ts';
import { deployRefreshMs, listRefreshMs } from './function/model-timing.ts';
import { CodeBlock } from '../../shared/code/code-view.tsx';
import { formatDate } from '../../shared/format-text.ts';
import { Facts, Panel } from '../../ui/panel.tsx';

/** Connected agents of a native function, waiting calls, and the command that starts an agent. */
function AgentsPanel({ agents }: { readonly agents: NonNullable<ModelFunction['agents']> }) {
  const t = useText();
  const { is_connected: isThere, seen_date: seen, waiting_count: waiting, running_count: taken, command } = agents;
  return (
    <Stack gap="md">
      <Panel title={t('modelAgents.title')}>
        <Facts
          width={160}
          facts={[
            [t('modelAgents.state'), t(isThere ? 'modelAgents.there' : 'modelAgents.away')],
            [t('modelAgents.seen'), seen === null ? t('modelAgents.never') : formatDate(seen)],
            [t('modelAgents.waiting'), String(waiting)],
            [t('modelAgents.taken'), String(taken)],
          ]}
        />
      </Panel>
      <Panel title={t('modelAgents.start')}>
        <Stack gap="sm">
          <Text fz="sm">{t('modelAgents.startText')}</Text>
          <CodeBlock text={command} label={t('modelAgents.start')} copyLabel={t('modelAgents.copy')} />
          <Hint>
            {t('modelAgents.burst')} {t('modelAgents.sees')}
          </Hint>
        </Stack>
      </Panel>
    </Stack>
  );
}

interface ModelAddress {
  readonly tab?: ModelTab | undefined;
}

export function ModelPage({ name, search }: { readonly name: string; readonly search: ModelAddress }) {
  const t = useText();
  const model = useQuery({
    ...modelQueries.one(name),
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data, status } }) =>
      status === 'error' ? false : data?.state === 'building' ? deployRefreshMs : listRefreshMs,
  });
  return (
    <Loaded query={model} page={t('models.title')} elsewhere={<ToList to="/models" title={t('models.title')} />}>
      {(loaded) => <ModelView model={loaded} search={search} />}
    </Loaded>
  );
}

function ModelView({ model, search }: { readonly model: ModelFunction; readonly search: ModelAddress }) {
  const t = useText();
  const navigate = useNavigate();
  const canManage = useQuery(queries.self()).data?.is_superuser === true;
  const { name, title, state, provider } = model;
  const has: Readonly<Record<ModelTab, boolean>> = {
    log: provider === 'docker',
    numbers: true,
    versions: provider === 'docker',
    description: model.is_model_file,
    configuration: true,
  };
  // The address may name a tab that this kind of function lacks.
  const tab = search.tab !== undefined && has[search.tab] ? search.tab : 'try';
  const isAlive = state === 'building' || state === 'ready' || state === 'unhealthy';
  const show = (next: string | null) =>
    void navigate({
      to: '/models/$name',
      params: { name },
      search: { tab: modelTabs.find((one) => one === next) },
    });
  return (
    <Page
      name={name}
      title={title}
      crumbs={
        <>
          <Link to="/models">{t('models.title')}</Link>
          {` · ${name}`}
        </>
      }
      actions={canManage && <Actions model={model} onLog={() => show('log')} />}
    >
      <Group gap="4px 16px" mb="md" fz="sm">
        <ReachedState model={model} canManage={canManage} />
        <span>{kindText(model, t)}</span>
        {model.node_port !== null && <span>{`127.0.0.1:${model.node_port}`}</span>}
        {model.address !== null && <Mono>{model.address}</Mono>}
        <AddressNote model={model} canManage={canManage} />
        {model.agents !== null && <span>{t('modelPage.providerText.native')}</span>}
        {model.description !== '' && (
          <Text span inherit c="dimmed">
            {model.description}
          </Text>
        )}
      </Group>
      {model.waiting !== null && (
        <Alert variant="default" mb="md" role="status" title={placeText(model.waiting, t)}>
          <Text fz="sm">{model.waiting.message}</Text>
        </Alert>
      )}
      <Message model={model} />
      {!canManage && <Text fz="sm">{t('models.ownerOnly')}</Text>}
      {canManage && (
        <Tabs value={tab} keepMounted={false} onChange={show}>
          <Tabs.List mb={16}>
            <Tabs.Tab value="try">{t(model.agents === null ? 'modelPage.tabTry' : 'modelPage.tabAgents')}</Tabs.Tab>
            {has.log && <Tabs.Tab value="log">{t('modelPage.tabLog')}</Tabs.Tab>}
            <Tabs.Tab value="numbers">{t('modelPage.tabNumbers')}</Tabs.Tab>
            {has.versions && <Tabs.Tab value="versions">{t('modelPage.tabVersions')}</Tabs.Tab>}
            {has.description && <Tabs.Tab value="description">{t('modelPage.tabDescription')}</Tabs.Tab>}
            <Tabs.Tab value="configuration">{t('modelPage.tabConfiguration')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="try">
            {model.agents === null ? (
              <TryTab key={name} model={model} onLog={() => show('log')} />
            ) : (
              <AgentsPanel agents={model.agents} />
            )}
          </Tabs.Panel>
          <Tabs.Panel value="log">
            <ModelLog key={model.updated_date} name={name} isAlive={isAlive} />
          </Tabs.Panel>
          <Tabs.Panel value="numbers">
            <NumbersTab name={name} />
          </Tabs.Panel>
          {has.versions && (
            <Tabs.Panel value="versions">
              <VersionsTab model={model} onLog={() => show('log')} />
            </Tabs.Panel>
          )}
          {has.description && (
            <Tabs.Panel value="description">
              <DescriptionTab name={name} />
            </Tabs.Panel>
          )}
          <Tabs.Panel value="configuration">
            <ConfigurationTab model={model} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Page>
  );
}

/** Error or progress of the function, and the reason if it is no model. */
function Message({ model: { name, state, message, model_problem: problem } }: { readonly model: ModelFunction }) {
  const t = useText();
  if (state === 'building') {
    return (
      <Box mb="md">
        <DeployRunning name={name} />
      </Box>
    );
  }
  const title =
    state === 'error'
      ? t('modelPage.notDeployed')
      : state === 'unhealthy'
        ? t('modelPage.unhealthy')
        : t('modelPage.lastFailed');
  const isBad = state === 'error' || state === 'unhealthy';
  return (
    <>
      {message !== '' && (
        <Alert
          variant="default"
          mb="md"
          role={isBad ? 'alert' : 'status'}
          icon={<IconAlertTriangle size={18} color={isBad ? 'var(--limner-failure)' : 'var(--limner-warning)'} />}
          title={title}
        >
          <MessageText message={message} />
        </Alert>
      )}
      {problem !== null && (
        <Alert
          variant="default"
          mb="md"
          icon={<IconAlertTriangle size={18} color="var(--limner-warning)" />}
          title={t('modelPage.noModel')}
        >
          <Text fz="sm">{problem}</Text>
        </Alert>
      )}
    </>
  );
}

function Actions({ model, onLog }: { readonly model: ModelFunction; readonly onLog: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const actions = useModelActions(model);
  const { provider, state } = model;
  const isBusy = actions.start.isPending || actions.stop.isPending;
  const isRunning = state === 'ready' || state === 'unhealthy' || state === 'scaledToZero';
  const remove = async (): Promise<void> => {
    if (await actions.remove()) await navigate({ to: '/models' });
  };
  const redeploy = async (): Promise<void> => {
    if (await actions.redeploy()) onLog();
  };
  return (
    <>
      {provider === 'docker' &&
        (isRunning ? (
          <QuietButton
            leftSection={<IconPlayerStop size={16} stroke={1.5} />}
            loading={isBusy}
            onClick={() => actions.stop.mutate()}
          >
            {t('models.stop')}
          </QuietButton>
        ) : (
          <Button
            leftSection={<IconPlayerPlay size={16} stroke={1.5} />}
            loading={isBusy}
            disabled={state === 'building'}
            onClick={() => actions.start.mutate()}
          >
            {t('models.start')}
          </Button>
        ))}
      {provider === 'docker' && (
        <QuietButton
          leftSection={<IconRefresh size={16} stroke={1.5} />}
          disabled={state === 'building' || isBusy}
          onClick={() => void redeploy()}
        >
          {t('models.redeploy')}
        </QuietButton>
      )}
      <MoreMenu of="page">
        <DeleteItem onClick={() => void remove()}>{t('models.delete')}</DeleteItem>
      </MoreMenu>
    </>
  );
}
