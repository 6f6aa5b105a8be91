import {
  IconArchive,
  IconCircleDashed,
  IconDownload,
  IconFolders,
  IconProgressCheck,
  IconTrash,
  IconUser,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Job,
  type Project,
  type Task,
  jobStages,
  jobStates,
} from '../../../../preload/contract/schema/resources.ts';
import { useText } from '../../../i18n/index.ts';
import type { BulkAction, BulkDialogTarget } from '../../../shared/lists/rows/bulk-bar.tsx';
import { usePeople, userName } from '../../../shared/people/people.tsx';
import { call } from '../../../api/client.ts';
import { queries } from '../../../api/queries.ts';
import { Switch, useLocalStorage, ChoiceField } from '../../../ui/kit.ts';
import { ResourceSelect } from '../../../shared/lists/resource-select.tsx';
import { BulkDialog } from '../../../shared/lists/rows/bulk-run-dialog.tsx';

const size = 15;
const nameOf = ({ name }: { readonly name: string }): string => name;

/** Actions on all kinds of work: assign, if there are several users, and export. */
function useCommon<Item extends { readonly id: number }>(kind: WorkKind, itemName: (item: Item) => string) {
  const t = useText();
  const { areSeveral } = usePeople();
  const assign: BulkAction<Item> = {
    key: 'assign',
    label: t('bulk.assign'),
    icon: <IconUser size={size} />,
    renderDialog: (dialog) => <AssignDialog kind={kind} nameOf={itemName} {...dialog} />,
  };
  const exports: BulkAction<Item> = {
    key: 'export',
    label: t('bulk.export'),
    icon: <IconDownload size={size} />,
    renderDialog: (dialog) => <ExportManyDialog kind={kind} nameOf={itemName} {...dialog} />,
  };
  return { assign: areSeveral ? [assign] : [], exports };
}

function useKeeping<Item extends { readonly id: number; readonly name: string }>(kind: 'project' | 'task') {
  const t = useText();
  const backup: BulkAction<Item> = {
    key: 'backup',
    label: t('bulk.backup'),
    icon: <IconArchive size={size} />,
    renderDialog: (dialog) => <BackupManyDialog kind={kind} nameOf={nameOf} {...dialog} />,
  };
  const remove: BulkAction<Item> = {
    key: 'delete',
    label: t('bulk.delete'),
    icon: <IconTrash size={size} />,
    danger: true,
    renderDialog: (dialog) => <DeleteDialog kind={kind} nameOf={nameOf} {...dialog} />,
  };
  return [backup, remove];
}

export function useTaskActions(): readonly BulkAction<Task>[] {
  const t = useText();
  const { assign, exports } = useCommon<Task>('task', nameOf);
  const keeping = useKeeping<Task>('task');
  const move: BulkAction<Task> = {
    key: 'move',
    label: t('bulk.move'),
    icon: <IconFolders size={size} />,
    renderDialog: (dialog) => <MoveDialog {...dialog} />,
  };
  return [...assign, move, exports, ...keeping];
}

export function useProjectActions(): readonly BulkAction<Project>[] {
  const { assign, exports } = useCommon<Project>('project', nameOf);
  return [...assign, exports, ...useKeeping<Project>('project')];
}

export function useJobActions(): readonly BulkAction<Job>[] {
  const t = useText();
  const jobName = ({ id, task_name: task }: Job): string => `${t('tasks.job', { id })} · ${task ?? ''}`;
  const { assign, exports } = useCommon<Job>('job', jobName);
  const step = (of: 'stage' | 'state', label: string): BulkAction<Job> => ({
    key: of,
    label,
    icon: of === 'stage' ? <IconProgressCheck size={size} /> : <IconCircleDashed size={size} />,
    renderDialog: (dialog) => <StepDialog of={of} nameOf={jobName} {...dialog} />,
  });
  return [...assign, step('stage', t('bulk.stage')), step('state', t('bulk.state')), exports];
}

export type WorkKind = 'project' | 'task' | 'job';
interface Work {
  readonly id: number;
}

interface WorkDialogProps<Item extends Work> extends BulkDialogTarget<Item> {
  readonly kind: WorkKind;
  readonly nameOf: (item: Item) => string;
}

const nobody = 'nobody';

function assign(kind: WorkKind, id: number, assignee: number | null, signal: AbortSignal): Promise<unknown> {
  const params = { id };
  if (kind === 'job') return call('updateJob', { params, body: { assignee }, signal });
  const body = { assignee_id: assignee };
  return kind === 'task'
    ? call('updateTask', { params, body, signal })
    : call('updateProject', { params, body, signal });
}

function AssignDialog<Item extends Work>({ kind, ...dialog }: WorkDialogProps<Item>) {
  const t = useText();
  const { people } = usePeople();
  const [person, setPerson] = useState<string | null>(null);
  return (
    <BulkDialog
      {...dialog}
      title={t('bulk.assignTitle', { count: dialog.items.length })}
      confirm={t('bulk.assign')}
      isReady={person !== null}
      run={({ id }, signal) => assign(kind, id, person === nobody ? null : Number(person), signal)}
      stale={['jobs', 'tasks', 'projects']}
    >
      <ChoiceField
        label={t('bulk.assignTo')}
        searchable
        data={[
          { value: nobody, label: t('jobs.nobody') },
          ...people.map((one) => ({ value: String(one.id), label: userName(one) })),
        ]}
        value={person}
        onChange={setPerson}
      />
    </BulkDialog>
  );
}

const jobSteps = { stage: jobStages, state: jobStates } as const;

interface StepDialogProps extends BulkDialogTarget<Job> {
  readonly of: 'stage' | 'state';
  readonly nameOf: (job: Job) => string;
}

function StepDialog({ of, ...dialog }: StepDialogProps) {
  const t = useText();
  const [chosen, setChosen] = useState<string | null>(null);
  const count = dialog.items.length;
  return (
    <BulkDialog
      {...dialog}
      title={of === 'stage' ? t('bulk.stageTitle', { count }) : t('bulk.stateTitle', { count })}
      confirm={t('common.save')}
      isReady={chosen !== null}
      // The value comes from the list.
      run={({ id }, signal) =>
        call('updateJob', { params: { id }, body: { [of]: chosen } as Pick<Job, typeof of>, signal })
      }
      stale={['jobs', 'tasks', 'projects']}
    >
      <ChoiceField
        label={t(of === 'stage' ? 'tasks.stage' : 'tasks.state')}
        data={jobSteps[of].map((value) => ({ value, label: t(`tasks.status.${value}`) }))}
        value={chosen}
        onChange={setChosen}
      />
    </BulkDialog>
  );
}

function MoveDialog(dialog: BulkDialogTarget<Task>) {
  const t = useText();
  const [project, setProject] = useState<number | null>(null);
  return (
    <BulkDialog
      {...dialog}
      nameOf={({ name }) => name}
      title={t('bulk.moveTitle', { count: dialog.items.length })}
      text={t('bulk.moveText')}
      confirm={t('bulk.move')}
      isReady={project !== null}
      run={({ id }, signal) => call('updateTask', { params: { id }, body: { project_id: project }, signal })}
      stale={['jobs', 'tasks', 'projects', 'labels']}
    >
      <ResourceSelect
        kind="project"
        label={t('tasks.project')}
        labelled
        placeholder={t('moving.choose')}
        value={project}
        onChange={setProject}
      />
    </BulkDialog>
  );
}

const exportOperations = {
  project: 'exportProjectDataset',
  task: 'exportTaskDataset',
  job: 'exportJobDataset',
} as const;

function ExportManyDialog<Item extends Work>({ kind, ...dialog }: WorkDialogProps<Item>) {
  const t = useText();
  const formats = useQuery(queries.formats());
  const [format, setFormat] = useLocalStorage({ key: 'limner.export.format', defaultValue: 'COCO 1.0' });
  const [saveImages, setSaveImages] = useState(false);
  const names = (formats.data?.exporters ?? [])
    .filter((item) => item.enabled && item.dimension === '2d')
    .map((item) => item.name);
  const chosen = names.includes(format) ? format : (names[0] ?? null);
  return (
    <BulkDialog
      {...dialog}
      title={t('bulk.exportTitle', { count: dialog.items.length })}
      text={t('bulk.exportText')}
      confirm={t('bulk.export')}
      isReady={chosen !== null}
      run={({ id }, signal) => {
        const query = { format: chosen ?? '', save_images: String(saveImages), location: 'local' as const };
        return call(exportOperations[kind], { params: { id }, query, signal });
      }}
      stale={['requests']}
      said={(count) => t('bulk.asked', { count })}
    >
      <ChoiceField label={t('exporting.format')} searchable data={names} value={chosen} onChange={setFormat} />
      <Switch label={t('exporting.saveImages')} checked={saveImages} onChange={setSaveImages} />
    </BulkDialog>
  );
}

const backupOperations = { project: 'exportProjectBackup', task: 'exportTaskBackup' } as const;

interface BackupManyProps<Item extends Work> extends WorkDialogProps<Item> {
  readonly kind: 'project' | 'task';
}

function BackupManyDialog<Item extends Work>({ kind, ...dialog }: BackupManyProps<Item>) {
  const t = useText();
  return (
    <BulkDialog
      {...dialog}
      title={t('bulk.backupTitle', { count: dialog.items.length })}
      text={t('bulk.exportText')}
      confirm={t('bulk.backup')}
      run={({ id }, signal) => call(backupOperations[kind], { params: { id }, query: { location: 'local' }, signal })}
      stale={['requests']}
      said={(count) => t('bulk.asked', { count })}
    />
  );
}

function DeleteDialog<Item extends Work>({ kind, ...dialog }: BackupManyProps<Item>) {
  const t = useText();
  const count = dialog.items.length;
  const isTask = kind === 'task';
  return (
    <BulkDialog
      {...dialog}
      title={isTask ? t('bulk.deleteTasksTitle', { count }) : t('bulk.deleteProjectsTitle', { count })}
      text={t(isTask ? 'bulk.deleteTasksText' : 'bulk.deleteProjectsText')}
      confirm={t('bulk.delete')}
      danger
      run={({ id }, signal) => call(isTask ? 'deleteTask' : 'deleteProject', { params: { id }, signal })}
      stale={['tasks', 'projects', 'jobs']}
    />
  );
}
