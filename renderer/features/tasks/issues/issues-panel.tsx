import { IconArrowRight, IconMessageCircle, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Job, Task } from '../../../../preload/contract/schema/resources.ts';
import type { Comment, Issue } from '../../../../preload/contract/schema/review.ts';
import { queries } from '../../../api/queries.ts';
import { reviewQueries } from '../../../api/review-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { Button, Group, SegmentedControl, Text } from '../../../ui/kit.ts';
import { Empty, PageLoader, Problem } from '../../../ui/page.tsx';
import { IssueCard } from '../../../parts/issues/issue-card.tsx';
import classes from '../../../parts/issues/issues.module.css';
import { NewIssueForm } from './new-issue-form.tsx';
import { useIssueActions } from '../../../parts/issues/use-issue-actions.ts';

type Shown = 'open' | 'resolved' | 'all';

const frameGroups = (issues: readonly Issue[]): (readonly [number, readonly Issue[]])[] =>
  [...Map.groupBy(issues, (issue) => issue.frame)].toSorted(([first], [second]) => first - second);

interface FrameIssuesProps {
  readonly taskId: number;
  readonly frame: number;
  readonly name: string | undefined;
  readonly issues: readonly Issue[];
  readonly comments: readonly Comment[];
}

/** The issues of one frame, and the way to it. */
function FrameIssues({ taskId, frame, name, issues, comments }: FrameIssuesProps) {
  const t = useText();
  const actions = useIssueActions();
  const jobId = issues[0]?.job ?? 0;
  return (
    <section className={classes.frame} aria-label={t('issues.frameTitle', { frame })}>
      <header className={classes.frameHead}>
        <img
          className={classes.thumbnail}
          src={`/api/jobs/${jobId}/data?type=frame&number=${frame}&quality=compressed`}
          alt=""
          loading="lazy"
          decoding="async"
        />
        <div className={classes.frameName}>
          <div>{t('issues.frameTitle', { frame })}</div>
          <div className={classes.when}>{name}</div>
        </div>
        <Link
          to="/tasks/$taskId/jobs/$jobId"
          params={{ taskId: String(taskId), jobId: String(jobId) }}
          search={{ frame }}
          className={classes.toFrame}
        >
          {t('issues.openFrame', { frame })}
          <IconArrowRight size={14} />
        </Link>
      </header>
      {issues.map((issue) => (
        <IssueCard
          key={issue.id}
          issue={issue}
          comments={comments.filter((comment) => comment.issue === issue.id)}
          actions={actions}
        />
      ))}
    </section>
  );
}

interface IssuesPanelProps {
  readonly task: Task;
  readonly jobs: readonly Job[];
}

/** What reviewers found in a task, frame by frame. */
export function IssuesPanel({ task, jobs }: IssuesPanelProps) {
  const t = useText();
  const [shown, setShown] = useState<Shown>('open');
  const [creating, setCreating] = useState(false);
  const issues = useQuery({ ...reviewQueries.issues(task.id), refetchOnMount: 'always' });
  const all = issues.data?.results ?? [];
  const jobIds = [...new Set(all.map((issue) => issue.job))];
  const comments = useQuery({ ...reviewQueries.comments(jobIds), refetchOnMount: 'always' });
  const meta = useQuery(queries.taskMeta(task.id));
  if (issues.isPending) return <PageLoader label={t('app.loading')} />;
  if (issues.data === undefined) {
    const retry = { label: t('common.retry'), run: () => void issues.refetch() };
    return <Problem title={t('common.loadFailed')} message={issues.error.message} retry={retry} />;
  }
  const resolved = all.filter((issue) => issue.resolved);
  const open = all.filter((issue) => !issue.resolved);
  const lists = { open, resolved, all } as const;
  const groups = frameGroups(lists[shown]);
  const create = (
    <Button
      size="xs"
      leftSection={<IconPlus size={14} />}
      disabled={meta.data === undefined || jobs.length === 0}
      onClick={() => setCreating(true)}
    >
      {t('issues.new')}
    </Button>
  );
  return (
    <div className={classes.panel}>
      {all.length > 0 && (
        <Group justify="space-between">
          <SegmentedControl
            aria-label={t('issues.show')}
            data={(['open', 'resolved', 'all'] as const).map((value) => ({
              value,
              label: t('issues.count', { name: t(`issues.${value}`), count: lists[value].length }),
            }))}
            value={shown}
            // The values are those of the list above.
            onChange={(value) => setShown(value as Shown)}
          />
          {!creating && create}
        </Group>
      )}
      {creating && meta.data !== undefined && (
        <NewIssueForm jobs={jobs} meta={meta.data} onDone={() => setCreating(false)} />
      )}
      {all.length === 0 && !creating && (
        <Empty
          icon={<IconMessageCircle size={40} stroke={1.25} />}
          title={t('issues.emptyTitle')}
          text={t('issues.emptyText')}
          action={create}
        />
      )}
      {all.length > 0 && groups.length === 0 && (
        <Text c="dimmed">{t(shown === 'resolved' ? 'issues.noneResolved' : 'issues.noneOpen')}</Text>
      )}
      {groups.map(([frame, list]) => (
        <FrameIssues
          key={frame}
          taskId={task.id}
          frame={frame}
          name={meta.data?.frames?.[frame]?.name}
          issues={list}
          comments={comments.data ?? []}
        />
      ))}
    </div>
  );
}
