import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import { useText } from '../../i18n/index.ts';
import { formatDate } from '../../parts/format-text.ts';
import { PreviewImage } from '../../parts/lists/preview-image.tsx';
import { Facts } from '../../ui/panel.tsx';
import classes from './task-page.module.css';

/** Facts of a task beside its jobs. */
export function TaskDetails({ task }: { readonly task: Task }) {
  const t = useText();
  const project: ReactNode =
    task.project_id === null ? null : (
      <Link to="/projects/$projectId" params={{ projectId: String(task.project_id) }}>
        {task.project_name}
      </Link>
    );
  return (
    <div className={classes.details}>
      <PreviewImage kind="task" id={task.id} version={String(task.data ?? 0)} large />
      <Facts
        facts={[
          [t('tasks.project'), project],
          [t('tasks.size'), task.size],
          [t('tasks.segment'), task.segment_size > 0 ? task.segment_size : null],
          [t('tasks.overlap'), (task.overlap ?? 0) > 0 ? task.overlap : null],
          [t('tasks.quality'), task.image_quality],
          [t('tasks.subset'), task.subset === '' ? null : task.subset],
          [t('tasks.created'), formatDate(task.created_date)],
        ]}
      />
    </div>
  );
}
