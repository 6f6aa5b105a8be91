import { IconDownload, IconUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import { useText } from '../../i18n/index.ts';
import { Badge, Menu, Progress } from '../../ui/kit.ts';
import { Cell, Row, RowNote } from '../../ui/list.tsx';
import { DeleteItem, MoreMenu } from '../../ui/more-menu.tsx';
import { formatWhen } from '../format-text.ts';
import { PreviewImage } from '../lists/preview-image.tsx';

const statusColor = { annotation: 'gray', validation: 'yellow', completed: 'teal' } as const;

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
  return (
    <Row
      renderLink={(row) => <Link to="/tasks/$taskId" params={{ taskId: String(task.id) }} {...row} />}
      lead={<PreviewImage kind="task" id={task.id} version={String(task.data ?? 0)} />}
      name={task.name}
      title={task.name}
      meta={[
        task.project_name,
        task.size === undefined ? t('tasks.noData') : t('tasks.images', { count: task.size }),
        formatWhen(task.updated_date),
      ]}
      note={problem !== undefined && <RowNote text={`${t('tasks.notPrepared')}: ${problem}`} title={problem} failed />}
      cells={
        <>
          <Cell width={160}>
            {count > 0 && (
              <>
                <div>{t('tasks.jobsDone', { completed, count })}</div>
                <Progress value={(100 * completed) / count} size={4} mt={4} color="teal" aria-hidden />
              </>
            )}
          </Cell>
          <Cell width={112}>
            {task.size !== undefined && (
              <Badge variant="dot" color={statusColor[task.status]} size="sm" tt="none">
                {t(`tasks.status.${task.status}`)}
              </Badge>
            )}
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
