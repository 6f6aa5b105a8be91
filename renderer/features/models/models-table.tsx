import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ModelFunction } from '../../../preload/contract/schema/functions.ts';
import { useText } from '../../i18n/index.ts';
import { Menu } from '../../ui/kit.ts';
import { RowNote, RowText } from '../../ui/list.tsx';
import { DeleteItem, MoreMenu } from '../../ui/more-menu.tsx';
import { DataTable, NumberCell, RowActions } from '../../ui/table.tsx';
import { AddressNote, ReachedState, useAddressTest } from './function/address-state.tsx';
import { gpuText, kindText, memoryText, placeText } from './function/model-text.ts';
import { useEvidenceText } from './model-files/evidence-text.ts';
import classes from './models-table.module.css';
import { useModelActions } from './function/use-model-actions.ts';

const columns = [
  'columnNamespace',
  'columnName',
  'columnProject',
  'columnState',
  'columnPort',
  'columnReplicas',
  'columnType',
  'columnLabels',
  'columnGpu',
  'columnMemory',
] as const;

const numbers: ReadonlySet<string> = new Set(['columnPort', 'columnReplicas', 'columnGpu', 'columnMemory']);

interface ModelsTableProps {
  readonly models: readonly ModelFunction[];
  readonly canManage: boolean;
}

/** Deployed functions with the columns of Nuclio's CLI and those for models. */
export function ModelsTable({ models, canManage }: ModelsTableProps) {
  const t = useText();
  return (
    <DataTable
      label={t('models.tableLabel')}
      columns={columns.map((column) => t(`models.${column}`))}
      numbers={new Set(columns.filter((column) => numbers.has(column)).map((column) => t(`models.${column}`)))}
    >
      {models.map((model) => (
        <ModelRow key={model.name} model={model} canManage={canManage} />
      ))}
    </DataTable>
  );
}

const shownLabels = 3;

/** Pixels; wide enough that titles need few lines in narrow windows. */
const nameWidth = 200;

function ModelRow({ model, canManage }: { readonly model: ModelFunction; readonly canManage: boolean }) {
  const t = useText();
  const say = useEvidenceText();
  const { name, title, labels, memory_bytes: memory, message, state, model_problem: problem } = model;
  const names = labels.map((label) => label.name);
  const known = names.slice(0, shownLabels).join(', ');
  const shown = names.length > shownLabels ? `${known} +${names.length - shownLabels}` : known;
  const said = message === '' ? problem : message;
  return (
    <tr data-testid="model-row">
      <td>{model.namespace}</td>
      <th scope="row" style={{ minWidth: nameWidth }}>
        <RowText
          name={
            <Link to="/models/$name" params={{ name }} className={classes.name}>
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
            </>
          }
        />
      </th>
      <td>{model.project}</td>
      <td>
        <ReachedState model={model} canManage={canManage} />
        {model.waiting !== null && <div title={model.waiting.message}>{placeText(model.waiting, t)}</div>}
      </td>
      <NumberCell>{model.node_port ?? '–'}</NumberCell>
      <NumberCell>{model.replicas}</NumberCell>
      <td>{kindText(model, t)}</td>
      <td className={classes.labels} title={names.join(', ')}>
        {shown === '' ? '–' : shown}
      </td>
      <NumberCell>{gpuText(model, t) || '–'}</NumberCell>
      <NumberCell>{memory === null ? '–' : memoryText(memory)}</NumberCell>
      <RowActions>{canManage && <RowMenu model={model} />}</RowActions>
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
