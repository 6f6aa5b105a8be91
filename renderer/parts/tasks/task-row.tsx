import { IconDots, IconDownload, IconTrash, IconUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import { useText } from '../../i18n/index.ts';
import { ActionIcon, Badge, Menu, Progress } from '../../ui/kit.ts';
import { formatWhen } from '../format-text.ts';
import { PreviewImage } from '../lists/preview-image.tsx';
import classes from '../lists/rows.module.css';

export const statusColor = { annotation: 'gray', validation: 'yellow', completed: 'teal' } as const;

interface TaskRowProps {
  readonly task: Task;
  /** Why its images could not be prepared. */
  readonly problem: string | undefined;
  readonly onExport: () => void;
  readonly onImport: () => void;
  readonly onDelete: () => void;
}

/** One task of a list: picture, name, how far it is, and what can be done with it. */
export function TaskRow({ task, problem, onExport, onImport, onDelete }: TaskRowProps) {
  const t = useText();
  const { count, completed } = task.jobs;
  const images = task.size === undefined ? t('tasks.noData') : t('tasks.images', { count: task.size });
  const meta = [task.project_name, images, formatWhen(task.updated_date)].filter(
    (part) => part !== null && part !== '',
  );
  return (
    <div className={classes.row} role="listitem">
      <Link to="/tasks/$taskId" params={{ taskId: String(task.id) }} className={classes.main}>
        <PreviewImage kind="task" id={task.id} version={String(task.data ?? 0)} />
        <div className={classes.text}>
          <div className={classes.name} title={task.name}>
            {task.name}
          </div>
          <div className={classes.meta} title={meta.join(' · ')}>
            {meta.join(' · ')}
          </div>
          {problem !== undefined && (
            <div className={classes.problem} title={problem}>
              {t('tasks.notPrepared')}: {problem}
            </div>
          )}
        </div>
        <div className={classes.cell}>
          {count > 0 && (
            <>
              <div>{t('tasks.jobsDone', { completed, count })}</div>
              <Progress value={(100 * completed) / count} size={4} mt={4} color="teal" aria-hidden />
            </>
          )}
        </div>
        <div className={`${classes.cell} ${classes.narrow}`}>
          {task.size !== undefined && (
            <Badge variant="dot" color={statusColor[task.status]} size="sm" tt="none">
              {t(`tasks.status.${task.status}`)}
            </Badge>
          )}
        </div>
      </Link>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('common.more')}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconDownload size={16} />} onClick={onExport}>
            {t('annotate.export')}
          </Menu.Item>
          <Menu.Item leftSection={<IconUpload size={16} />} onClick={onImport}>
            {t('annotate.import')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={onDelete}>
            {t('common.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
