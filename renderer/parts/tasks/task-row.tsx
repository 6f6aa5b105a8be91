import { IconDownload, IconUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import { useText } from '../../i18n/index.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Menu } from '../../ui/kit.ts';
import { Cell, ListHead, Row, RowNote } from '../../ui/list.tsx';
import { DeleteItem, MoreMenu } from '../../ui/more-menu.tsx';
import { formatNumber } from '../../i18n/language.ts';
import { formatDate, formatShort } from '../format-text.ts';
import { PreviewImage } from '../lists/preview-image.tsx';
import { usePeople } from '../people/use-people.ts';
import { userName } from '../people/user-name.ts';
import classes from './task-row.module.css';
import { TaskProgress } from './task-progress.tsx';

interface TaskRowProps {
  readonly task: Task;
  /** Why its images could not be prepared. */
  readonly problem: string | undefined;
  readonly onExport: () => void;
  readonly onImport: () => void;
  readonly onDelete: () => void;
}

/** Names of the columns of `TaskRow`. */
export function TaskListHead() {
  const t = useText();
  const { areSeveral } = usePeople();
  return (
    <ListHead
      name={t('common.name')}
      cells={
        <>
          <Cell from="middle">{t('tasks.project')}</Cell>
          <Cell width={152}>{t('tasks.progress')}</Cell>
          {areSeveral && (
            <Cell width={144} from="middle">
              {t('jobs.assignee')}
            </Cell>
          )}
          <Cell width={72} from="wide" end>
            {t('tasks.frameCount')}
          </Cell>
          <Cell width={104} from="wide">
            {t('tasks.subset')}
          </Cell>
          <Cell width={104} from="middle" end>
            {t('tasks.updated')}
          </Cell>
        </>
      }
    >
      <span className={classes.menu} />
    </ListHead>
  );
}

/** One task of a list: picture, name, how far it is, and what can be done with it. */
export function TaskRow({ task, problem, onExport, onImport, onDelete }: TaskRowProps) {
  const t = useText();
  const { areSeveral } = usePeople();
  const assignee = task.assignee === null ? null : { id: task.assignee.id, name: userName(task.assignee) };
  return (
    <Row
      renderLink={(row) => <Link to="/tasks/$taskId" params={{ taskId: String(task.id) }} {...row} />}
      lead={<PreviewImage kind="task" id={task.id} version={String(task.data ?? 0)} />}
      name={task.name}
      title={task.name}
      note={problem !== undefined && <RowNote text={problem} title={problem} failed />}
      cells={
        <>
          <Cell from="middle" title={task.project_name ?? undefined}>
            {task.project_name}
          </Cell>
          <Cell width={152}>
            <TaskProgress task={task} isFailed={problem !== undefined} />
          </Cell>
          {areSeveral && (
            <Cell width={144} from="middle" title={assignee?.name}>
              <span className={classes.person}>
                <Avatar person={assignee} />
                <span>{assignee?.name ?? t('jobs.nobody')}</span>
              </span>
            </Cell>
          )}
          <Cell width={72} from="wide" end>
            {task.size === undefined ? '–' : formatNumber(task.size)}
          </Cell>
          <Cell width={104} from="wide" title={task.subset}>
            {task.subset === '' ? '–' : task.subset}
          </Cell>
          <Cell width={104} from="middle" end title={formatDate(task.updated_date)}>
            {formatShort(task.updated_date)}
          </Cell>
        </>
      }
    >
      <MoreMenu of="row">
        <Menu.Item leftSection={<IconDownload size={16} />} onClick={onExport}>
          {t('annotate.export')}
        </Menu.Item>
        <Menu.Item leftSection={<IconUpload size={16} />} onClick={onImport}>
          {t('annotate.import')}
        </Menu.Item>
        <DeleteItem onClick={onDelete} />
      </MoreMenu>
    </Row>
  );
}
