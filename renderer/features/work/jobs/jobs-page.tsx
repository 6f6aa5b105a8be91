import { IconChecklist, IconMessageCircle } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Job } from '../../../../preload/contract/schema/resources.ts';
import { queries } from '../../../api/queries.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { useJobActions } from '../bulk/work-actions.tsx';
import { JobFields, JobFieldsHead } from './job-fields.tsx';
import { type Column, dateColumn, useColumns } from '../../../shared/lists/columns.tsx';
import { jobFields } from '../../../shared/lists/filter/list-fields.ts';
import { useOwnView } from '../../../shared/lists/list-settings.ts';
import { type ListAddress, listOf, loadAll, rangeSize } from '../../../shared/lists/list-address.ts';
import { ListPage } from '../../../shared/lists/list-page.tsx';
import { PreviewImage } from '../pages/preview-image.tsx';
import { ItemRows } from '../../../shared/lists/rows/item-rows.tsx';
import { JobProgress, ProgressLegend } from '../pages/work-progress.tsx';
import { Tooltip, UnstyledButton } from '../../../ui/kit.ts';
import { JobPreview } from './job-preview.tsx';
import classes from './jobs-page.module.css';

function useJobColumns(): readonly Column<Job>[] {
  const t = useText();
  return [
    {
      key: 'project',
      name: t('tasks.project'),
      width: 144,
      from: 'middle',
      title: (job) => job.project_name ?? undefined,
      render: (job) => job.project_name,
    },
    {
      key: 'progress',
      name: t('jobs.progress'),
      width: 132,
      from: 'middle',
      render: (job) => <JobProgress job={job} />,
    },
    {
      key: 'range',
      name: t('tasks.frameCount'),
      width: 96,
      from: 'wide',
      end: true,
      title: (job) => t('tasks.frames', { first: job.start_frame, last: job.stop_frame }),
      render: (job) => `${job.start_frame} – ${job.stop_frame}`,
    },
    {
      key: 'count',
      name: t('tasks.size'),
      width: 64,
      from: 'wide',
      end: true,
      render: (job) => formatNumber(job.frame_count),
    },
    dateColumn({ key: 'updated', name: t('tasks.updated'), width: 88, from: 'middle' }, (job) => job.updated_date),
  ];
}

/** Number of a job's issues with a link; an empty placeholder without any. */
function Issues({ job: { task_id: task, issues } }: { readonly job: Job }) {
  const t = useText();
  if (issues.count === 0) return <span className={classes.noIssues} />;
  return (
    <Link
      to="/tasks/$taskId"
      params={{ taskId: String(task) }}
      search={{ tab: 'issues' }}
      className={classes.issues}
      aria-label={t('jobs.issues', { count: issues.count })}
    >
      <IconMessageCircle size={16} stroke={1.5} />
      {formatNumber(issues.count)}
    </Link>
  );
}

interface JobRowsProps {
  readonly jobs: readonly Job[];
  readonly columns: readonly Column<Job>[];
  readonly total: number;
  readonly listQuery: ReturnType<typeof listOf>;
}

function JobRows({ jobs, columns, total, listQuery }: JobRowsProps) {
  const t = useText();
  const client = useQueryClient();
  const bulk = useJobActions();
  const [shownId, setShownId] = useState<number | null>(null);
  const index = jobs.findIndex((job) => job.id === shownId);
  const shown = jobs[index];
  const to = (job: Job | undefined) => (job === undefined ? undefined : () => setShownId(job.id));
  return (
    <>
      <ItemRows
        items={jobs}
        columns={columns}
        nameHead={t('common.name')}
        nameOf={({ id }) => t('tasks.job', { id })}
        titleOf={({ task_name: task }) => task ?? undefined}
        renderName={({ id, task_name: task, parent_job_id: parent }) => (
          <>
            {parent === null ? t('tasks.job', { id }) : t('consensus.replica', { id })}
            <span className={classes.task}>{task}</span>
          </>
        )}
        renderBefore={({ id, start_frame: first }) => (
          <Tooltip label={t('jobs.previewHint')}>
            <UnstyledButton
              className={classes.picture}
              aria-label={t('jobs.preview', { id })}
              onClick={() => setShownId(id)}
              tabIndex={-1}
            >
              <PreviewImage kind="job" id={id} version={String(first)} />
            </UnstyledButton>
          </Tooltip>
        )}
        renderLink={({ id, task_id: task }, row) => (
          <Link to="/tasks/$taskId/jobs/$jobId" params={{ taskId: String(task), jobId: String(id) }} {...row} />
        )}
        renderTail={(job) => (
          <>
            <Issues job={job} />
            <JobFields job={job} />
          </>
        )}
        tailHead={
          <>
            <span className={classes.noIssues} />
            <JobFieldsHead />
          </>
        }
        bulk={bulk}
        total={total}
        loadAll={() =>
          loadAll((page) => client.fetchQuery(queries.allJobs({ ...listQuery, page, pageSize: rangeSize })))
        }
        onSpace={({ id }) => setShownId(id)}
      />
      {shown !== undefined && (
        <JobPreview
          key={shown.id}
          job={shown}
          onClose={() => setShownId(null)}
          onPrevious={to(jobs[index - 1])}
          onNext={to(jobs[index + 1])}
        />
      )}
    </>
  );
}

export function JobsPage({ search }: { readonly search: ListAddress }) {
  const t = useText();
  const listQuery = listOf(search, jobFields);
  const jobs = useQuery({ ...queries.allJobs(listQuery), refetchOnMount: 'always' });
  const all = useJobColumns();
  const columns = useColumns('jobs', all);
  return (
    <ListPage
      words="jobs"
      icon={IconChecklist}
      query={jobs}
      legend={<ProgressLegend />}
      controls={{
        list: 'jobs',
        search,
        fields: jobFields,
        sorts: [
          { value: '-id', label: t('lists.sorts.newest') },
          { value: 'id', label: t('lists.sorts.oldest') },
          { value: '-updated_date', label: t('lists.sorts.changed') },
          { value: 'updated_date', label: t('lists.sorts.changedFirst') },
          { value: 'task_name,id', label: t('jobs.sortTask') },
        ],
        placeholder: t('jobs.search'),
        views: useOwnView(),
        columns: all,
      }}
    >
      {(found) => <JobRows jobs={found} columns={columns} total={jobs.data?.count ?? 0} listQuery={listQuery} />}
    </ListPage>
  );
}
