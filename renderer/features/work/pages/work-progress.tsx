import { IconAlertCircleFilled, IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Job, Task } from '../../../../preload/contract/schema/resources.ts';
import { queries } from '../../../api/queries.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { VisuallyHidden } from '../../../ui/kit.ts';
import classes from './work-progress.module.css';

export function ProgressLegend() {
  const t = useText();
  return (
    <span className={classes.legend} aria-hidden>
      {(['done', 'validation', 'progress'] as const).map((state) => (
        <span key={state}>
          <i data-state={state} />
          {t(`pages.states.${state}`)}
        </span>
      ))}
    </span>
  );
}

/** Progress of a task's jobs; the reason if it has no images. */
export const TaskProgress = ({ task, isFailed }: { readonly task: Task; readonly isFailed: boolean }) =>
  task.size === undefined ? <Unprepared task={task} isFailed={isFailed} /> : <JobsProgress jobs={task.jobs} />;

export function ProjectProgress({ projectId }: { readonly projectId: number }) {
  const { data } = useQuery({
    ...queries.projectProgress(projectId),
    staleTime: projectStaleMs,
    // A list has many of them and is reopened often.
    refetchOnMount: true,
  });
  return data === undefined ? null : <JobsProgress jobs={data.jobs} />;
}

const projectStaleMs = 15_000;

export function JobProgress({ job: { id, stage, state } }: { readonly job: Job }) {
  const t = useText();
  const { data } = useQuery(queries.jobProgress(id));
  if (data === undefined) return null;
  const { annotated, frames } = data;
  const words = t('jobs.annotatedOf', { annotated: formatNumber(annotated), count: frames });
  const isDone = stage === 'acceptance' && state === 'completed';
  return (
    <span className={classes.progress} title={words}>
      <VisuallyHidden>{words}</VisuallyHidden>
      {annotated === 0 && <IconCircleDashed size={14} stroke={1.6} />}
      {annotated > 0 && (
        <span className={classes.bar}>
          <span
            data-state={isDone ? 'done' : stage === 'annotation' ? 'progress' : 'validation'}
            style={{ flexGrow: annotated }}
          />
          {annotated < frames && <span style={{ flexGrow: frames - annotated }} />}
        </span>
      )}
      <span aria-hidden>{t('tasks.doneOf', { completed: formatNumber(annotated), total: formatNumber(frames) })}</span>
    </span>
  );
}

type JobCounts = Pick<Task['jobs'], 'count' | 'completed' | 'validation'> & { readonly in_progress: number };

function JobsProgress({ jobs }: { readonly jobs: JobCounts }) {
  const t = useText();
  const { count, completed, validation, in_progress: begun } = jobs;
  if (count === 0) return null;
  const words = t('tasks.jobsDone', { completed, count });
  const isDone = completed === count;
  return (
    <span className={classes.progress} title={words}>
      <VisuallyHidden>{words}</VisuallyHidden>
      {isDone && <IconCircleCheckFilled className={classes.done} size={14} />}
      {completed + validation + begun === 0 && <IconCircleDashed size={14} stroke={1.6} />}
      {!isDone && completed + validation + begun > 0 && (
        <span className={classes.bar}>
          <span data-state="done" style={{ flexGrow: completed }} />
          <span data-state="validation" style={{ flexGrow: validation }} />
          <span data-state="progress" style={{ flexGrow: begun }} />
          <span style={{ flexGrow: Math.max(0, count - completed - validation - begun) }} />
        </span>
      )}
      <span aria-hidden>
        {isDone
          ? t('tasks.allDone', { count })
          : t('tasks.doneOf', { completed: formatNumber(completed), total: formatNumber(count) })}
      </span>
    </span>
  );
}

/** Reason why a task has no images. */
function Unprepared({ task, isFailed }: { readonly task: Task; readonly isFailed: boolean }) {
  const t = useText();
  const requests = useQuery(queries.requests()).data?.results ?? [];
  const running = requests.find(
    ({ operation, status }) =>
      operation.task_id === task.id &&
      operation.type === 'create:task' &&
      (status === 'queued' || status === 'started'),
  );
  if (running !== undefined) {
    const percent = Math.round((running.progress ?? 0) * 100);
    return (
      <span className={classes.progress}>
        <span className={classes.bar}>
          <span data-state="running" style={{ flexGrow: percent }} />
          <span style={{ flexGrow: 100 - percent }} />
        </span>
        {t('tasks.preparingPercent', { percent })}
      </span>
    );
  }
  if (isFailed) {
    return (
      <span className={classes.progress} data-failed>
        <IconAlertCircleFilled size={14} />
        {t('tasks.notPrepared')}
      </span>
    );
  }
  return (
    <span className={classes.progress} data-missing>
      {t('tasks.bringImages')}
    </span>
  );
}
