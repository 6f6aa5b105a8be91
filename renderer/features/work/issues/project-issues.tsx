import { IconMessageCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Job } from '../../../../preload/contract/schema/resources.ts';
import type { Comment, Issue } from '../../../../preload/contract/schema/review.ts';
import { reviewQueries } from '../../../api/review-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { IssueCard } from './issue-card.tsx';
import classes from '../../../shared/issues/issues.module.css';
import { useIssueActions } from '../../../shared/issues/use-issue-actions.ts';
import { ListPages } from '../../../shared/lists/list-controls.tsx';
import type { ListAddress } from '../../../shared/lists/list-address.ts';
import { Group, SegmentedControl } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Empty } from '../../../ui/page.tsx';

interface FoundIssueProps {
  readonly issue: Issue;
  readonly comments: readonly Comment[];
  readonly job: Job | undefined;
}

function FoundIssue({ issue, comments, job }: FoundIssueProps) {
  const t = useText();
  const actions = useIssueActions();
  const { frame } = issue;
  return (
    <section className={classes.frame} aria-label={t('pages.issueJob', { job: issue.job, frame })}>
      <header className={classes.frameHead}>
        <div className={classes.frameName}>
          <div>{job?.task_name}</div>
          <div className={classes.when}>{t('pages.issueJob', { job: issue.job, frame })}</div>
        </div>
        {job !== undefined && (
          <Link
            to="/tasks/$taskId/jobs/$jobId"
            params={{ taskId: String(job.task_id), jobId: String(job.id) }}
            search={{ frame }}
            className={classes.toFrame}
          >
            {t('issues.openFrame', { frame })}
          </Link>
        )}
      </header>
      <IssueCard issue={issue} comments={comments} actions={actions} />
    </section>
  );
}

interface ProjectIssuesProps {
  readonly projectId: number;
  readonly search: ListAddress;
}

export function ProjectIssues({ projectId, search }: ProjectIssuesProps) {
  const t = useText();
  const [isOpen, setOpen] = useState(true);
  const issues = useQuery(reviewQueries.pageOfProject(projectId, isOpen, search.page ?? 1));
  return (
    <div className={classes.panel}>
      <Group>
        <SegmentedControl
          aria-label={t('issues.show')}
          data={[
            { value: 'open', label: t('issues.open') },
            { value: 'all', label: t('issues.all') },
          ]}
          value={isOpen ? 'open' : 'all'}
          onChange={(value) => setOpen(value === 'open')}
        />
      </Group>
      <Loaded query={issues}>
        {({ count, results, comments, jobs }) =>
          count === 0 ? (
            <Empty
              icon={<IconMessageCircle size={40} stroke={1.25} />}
              title={t(isOpen ? 'pages.noIssues' : 'issues.emptyTitle')}
              text={t('pages.noIssuesText')}
            />
          ) : (
            <>
              {results.map((issue) => (
                <FoundIssue
                  key={issue.id}
                  issue={issue}
                  comments={comments.filter((comment) => comment.issue === issue.id)}
                  job={jobs.get(issue.job)}
                />
              ))}
              <Group fz="xs" c="dimmed">
                <ListPages search={search} count={count} />
              </Group>
            </>
          )
        }
      </Loaded>
    </div>
  );
}
