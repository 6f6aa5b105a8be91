import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type KeyboardEvent } from 'react';
import type { ModelFunction, ModelSource } from '../../../preload/contract/schema/functions.ts';
import { modelQueries } from '../../api/model-queries.ts';
import { useText } from '../../i18n/index.ts';
import { Menu, SmallButton, useMediaQuery } from '../../ui/kit.ts';
import { RowNote, RowText } from '../../ui/list.tsx';
import { DeleteItem, MoreMenu } from '../../ui/more-menu.tsx';
import { AddressNote, ReachedState, useAddressTest } from './function/address-state.tsx';
import { gpuText, kindText, memoryText, placeText, timeText } from './function/model-text.ts';
import { useEvidenceText } from './model-files/evidence-text.ts';
import classes from './models-table.module.css';
import { useModelActions } from './function/use-model-actions.ts';
import { groupBySource, type SourceGroup } from './sources/source-groups.ts';
import { SourceRow } from './sources/source-row.tsx';
import { useModelTest } from './sources/use-model-test.ts';

const wideWindow = '(min-width: 1600px)';

/** Columns of Nuclio's CLI are shown in wide windows only. */
const columns = [
  ['columnName', ''],
  ['columnState', ''],
  ['columnType', ''],
  ['columnLabels', ''],
  ['columnTime', 'number'],
  ['columnTest', ''],
  ['columnGpu', 'wide'],
  ['columnMemory', 'wide'],
  ['columnNamespace', 'wide'],
  ['columnProject', 'wide'],
  ['columnPort', 'wide'],
  ['columnReplicas', 'wide'],
] as const;

interface ModelsTableProps {
  readonly models: readonly ModelFunction[];
  readonly canManage: boolean;
  /** False while the list is filtered, so that sources without a match are left out. */
  readonly isComplete: boolean;
}

/** Models by source: files, Engines, agents, servers and dashboards. */
export function ModelsTable({ models, canManage, isComplete }: ModelsTableProps) {
  const t = useText();
  const isWide = useMediaQuery(wideWindow, false, { getInitialValueInEffect: false });
  const shown = columns.filter(([, kind]) => isWide || kind !== 'wide');
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const engines = useQuery({ ...modelQueries.engines(), enabled: canManage }).data ?? [];
  const listed = useQuery({ ...modelQueries.sources(), enabled: canManage, refetchOnMount: 'always' }).data ?? [];
  const tested = useQueries({ queries: listed.map(({ id }) => ({ ...modelQueries.sourceTest(id), enabled: false })) });
  const sources = listed.map((source, index) => tested[index]?.data ?? source);
  const groups = groupBySource({ models, engines, sources: isComplete ? sources : sources.filter(isMatched(models)) });
  const toggle = (key: string): void => {
    const next = new Set(closed);
    if (!next.delete(key)) next.add(key);
    setClosed(next);
  };
  return (
    <div className={classes.list} onKeyDown={tableKey}>
      <table className={classes.table} aria-label={t('models.tableLabel')}>
        <thead>
          <tr>
            {shown.map(([column, kind]) => (
              <th key={column} scope="col" className={kind === 'number' ? classes.number : undefined}>
                {t(`models.${column}`)}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody key={group.key} data-testid="model-source">
            <SourceRow
              group={group}
              columns={shown.length}
              canManage={canManage}
              isOpen={!closed.has(group.key)}
              onToggle={() => toggle(group.key)}
            />
            {!closed.has(group.key) && (
              <>
                {group.models.map((model) => (
                  <ModelRow
                    key={model.name}
                    model={model}
                    canManage={canManage}
                    isDimmed={isFailed(group)}
                    isWide={isWide}
                  />
                ))}
                {group.elsewhere.map((name) => (
                  <tr key={name} data-testid="dashboard-function">
                    <th scope="row">{name}</th>
                    <td colSpan={shown.length} />
                  </tr>
                ))}
              </>
            )}
          </tbody>
        ))}
      </table>
    </div>
  );
}

const isMatched =
  (models: readonly ModelFunction[]) =>
  (source: ModelSource): boolean =>
    models.some(({ name }) => source.models.includes(name));

const isFailed = ({ source }: SourceGroup): boolean => source?.state === 'failed';

/** Arrows walk the rows, Enter opens one, T tests it. */
function tableKey(event: KeyboardEvent<HTMLElement>): void {
  if (!(event.target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.toLowerCase() === 't') {
    event.target.closest('tr')?.querySelector<HTMLButtonElement>('[data-test]')?.click();
  }
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || event.target.getAttribute('aria-haspopup') !== null) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-stop]')];
  const at = stops.findIndex((stop) => stop.closest('tr') === (event.target as HTMLElement).closest('tr'));
  stops[at + step]?.focus();
  event.preventDefault();
}

const shownLabels = 3;

interface ModelRowProps {
  readonly model: ModelFunction;
  readonly canManage: boolean;
  readonly isDimmed: boolean;
  readonly isWide: boolean;
}

function ModelRow({ model, canManage, isDimmed, isWide }: ModelRowProps) {
  const t = useText();
  const say = useEvidenceText();
  const test = useModelTest(model);
  const { name, title, labels, memory_bytes: memory, message, state, model_problem: problem } = model;
  const names = labels.map((label) => label.name);
  const known = names.slice(0, shownLabels).join(', ');
  const shown = names.length > shownLabels ? `${known} +${names.length - shownLabels}` : known;
  const said = message === '' ? problem : message;
  return (
    <tr data-testid="model-row" data-dimmed={isDimmed || undefined}>
      <th scope="row">
        <RowText
          name={
            <Link to="/models/$name" params={{ name }} className={classes.name} data-stop>
              {name}
            </Link>
          }
          note={
            <>
              {title !== name && <RowNote text={title} whole />}
              {model.provider === 'limner' && model.runtime !== null && <RowNote text={say(model.runtime)} whole />}
              <AddressNote model={model} canManage={canManage} />
              {model.agents !== null && <RowNote text={t('modelPage.providerText.native')} whole />}
              {said !== null && said !== '' && <RowNote text={said} failed={state === 'error'} whole />}
              {test.failure !== null && <RowNote text={test.failure} failed whole />}
            </>
          }
        />
      </th>
      <td>
        <ReachedState model={model} canManage={canManage} />
        {model.waiting !== null && <div title={model.waiting.message}>{placeText(model.waiting, t)}</div>}
      </td>
      <td>{kindText(model, t)}</td>
      <td className={classes.labels} title={names.join(', ')}>
        {shown === '' ? '–' : shown}
      </td>
      <td className={classes.number}>{test.durationMs === null ? '–' : timeText(test.durationMs, t)}</td>
      <td role={test.isRunning || test.result !== '' ? 'status' : undefined}>
        {test.isRunning ? t('models.testing') : test.failure === null ? test.result || '–' : t('models.testFailed')}
      </td>
      {isWide && (
        <>
          <td>{gpuText(model, t) || '–'}</td>
          <td>{memory === null ? '–' : memoryText(memory)}</td>
          <td>{model.namespace}</td>
          <td>{model.project}</td>
          <td>{model.node_port ?? '–'}</td>
          <td>{model.replicas}</td>
        </>
      )}
      <td className={classes.actions}>
        {canManage && test.canTest && (
          <SmallButton
            data-test
            aria-label={t(test.isRunning ? 'models.cancelTestOf' : 'models.testOf', { name })}
            onClick={test.isRunning ? test.cancel : test.run}
          >
            {t(test.isRunning ? 'modelTry.cancel' : 'models.test')}
          </SmallButton>
        )}
        {canManage && <RowMenu model={model} />}
      </td>
    </tr>
  );
}

function RowMenu({ model }: { readonly model: ModelFunction }) {
  const t = useText();
  const navigate = useNavigate();
  const { name, provider, state } = model;
  const actions = useModelActions(model);
  const testAddress = useAddressTest(model);
  const open = (tab?: 'log') =>
    void navigate({ to: '/models/$name', params: { name }, search: tab === undefined ? {} : { tab } });
  const redeploy = async (): Promise<void> => {
    if (await actions.redeploy()) open('log');
  };
  const isHere = provider === 'docker' && state !== 'building';
  const isRunning = state === 'ready' || state === 'unhealthy' || state === 'scaledToZero';
  return (
    <MoreMenu of="row" label={t('models.moreOf', { name })} loading={actions.start.isPending || actions.stop.isPending}>
      <Menu.Item onClick={() => open()}>{t(model.agents === null ? 'models.tryIt' : 'models.showAgents')}</Menu.Item>
      {testAddress !== null && <Menu.Item onClick={() => void testAddress()}>{t('models.testConnection')}</Menu.Item>}
      {provider === 'docker' && <Menu.Item onClick={() => open('log')}>{t('models.showLog')}</Menu.Item>}
      {isHere && (
        <>
          <Menu.Divider />
          {isRunning ? (
            <Menu.Item leftSection={<IconPlayerStop size={16} />} onClick={() => actions.stop.mutate()}>
              {t('models.stop')}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={() => actions.start.mutate()}>
              {t('models.start')}
            </Menu.Item>
          )}
          <Menu.Item onClick={() => void redeploy()}>{t('models.redeploy')}</Menu.Item>
        </>
      )}
      <DeleteItem onClick={() => void actions.remove()}>{t('models.delete')}</DeleteItem>
    </MoreMenu>
  );
}
