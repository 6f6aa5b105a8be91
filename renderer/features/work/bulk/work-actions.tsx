import {
  IconArchive,
  IconCircleDashed,
  IconDownload,
  IconFolders,
  IconProgressCheck,
  IconTrash,
  IconUser,
} from '@tabler/icons-react';
import type { Job, Project, Task } from '../../../../preload/contract/schema/resources.ts';
import { useText } from '../../../i18n/index.ts';
import type { BulkAction } from '../../../shared/lists/rows/bulk-bar.tsx';
import { usePeople } from '../../../shared/people/use-people.ts';
import {
  AssignDialog,
  BackupManyDialog,
  DeleteDialog,
  ExportManyDialog,
  MoveDialog,
  StepDialog,
  type WorkKind,
} from './work-dialogs.tsx';

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
