import { IconDots, IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ModelFunction } from '../../../preload/contract/schema/functions.ts';
import { useText } from '../../i18n/index.ts';
import { ActionIcon, Menu } from '../../ui/kit.ts';
import { ModelState } from './model-state.tsx';
import { gpuText, kindText, memoryText } from './model-text.ts';
import classes from './models.module.css';
import { useModelActions } from './use-model-actions.ts';

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

interface ModelsTableProps {
  readonly models: readonly ModelFunction[];
  readonly canManage: boolean;
}

/** Deployed functions, in the columns that Nuclio's tool lists them with, and what a model needs beside them. */
export function ModelsTable({ models, canManage }: ModelsTableProps) {
  const t = useText();
  return (
    <div className={classes.tableFrame} tabIndex={0} role="region" aria-label={t('models.tableLabel')}>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {t(`models.${column}`)}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <ModelRow key={model.name} model={model} canManage={canManage} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What a reader sees first of many labels. */
const shownLabels = 3;

function ModelRow({ model, canManage }: { readonly model: ModelFunction; readonly canManage: boolean }) {
  const t = useText();
  const { name, title, labels, memory_bytes: memory, message, state, model_problem: problem } = model;
  const names = labels.map((label) => label.name);
  const known = names.slice(0, shownLabels).join(', ');
  const shown = names.length > shownLabels ? `${known} +${names.length - shownLabels}` : known;
  const said = message === '' ? problem : message;
  return (
    <tr data-testid="model-row">
      <td>{model.namespace}</td>
      <th scope="row">
        <Link to="/models/$name" params={{ name }} className={classes.nameLink}>
          {name}
        </Link>
        {title !== name && <div className={classes.quiet}>{title}</div>}
        {said !== null && said !== '' && (
          <div className={classes.said} data-bad={state === 'error' || undefined} title={said}>
            {said}
          </div>
        )}
      </th>
      <td>{model.project}</td>
      <td>
        <ModelState state={state} />
      </td>
      <td className={classes.number}>{model.node_port ?? '–'}</td>
      <td className={classes.number}>{model.replicas}</td>
      <td>{kindText(model, t)}</td>
      <td className={classes.labels} title={names.join(', ')}>
        {shown === '' ? '–' : shown}
      </td>
      <td className={classes.number}>{gpuText(model, t) || '–'}</td>
      <td className={classes.number}>{memory === null ? '–' : memoryText(memory)}</td>
      <td className={classes.rowActions}>{canManage && <RowMenu model={model} />}</td>
    </tr>
  );
}

function RowMenu({ model }: { readonly model: ModelFunction }) {
  const t = useText();
  const navigate = useNavigate();
  const { name, provider, state } = model;
  const actions = useModelActions(model);
  const open = (tab?: 'log') =>
    void navigate({ to: '/models/$name', params: { name }, search: tab === undefined ? {} : { tab } });
  const redeploy = async (): Promise<void> => {
    if (await actions.redeploy()) open('log');
  };
  const isHere = provider === 'docker' && state !== 'building';
  const isRunning = state === 'ready' || state === 'unhealthy' || state === 'scaledToZero';
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('models.moreOf', { name })}
          loading={actions.start.isPending || actions.stop.isPending}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => open()}>{t('models.tryIt')}</Menu.Item>
        <Menu.Item onClick={() => open('log')}>{t('models.showLog')}</Menu.Item>
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
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => void actions.remove()}>
          {t('models.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
