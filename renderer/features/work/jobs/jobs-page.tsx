import {
  IconChecklist,
  IconMessageCircle,
  IconChevronDown,
  IconChevronLeft,
  IconChevronRight,
  IconChevronUp,
  IconPencil,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Job } from '../../../../preload/contract/schema/resources.ts';
import { queries } from '../../../api/queries.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { useJobActions } from '../bulk/work-actions.tsx';
import { LocalRemoteBadge } from '../../../shared/remotes/remote-badge.tsx';
import { JobFields, JobFieldsHead } from './job-fields.tsx';
import { type Column, dateColumn, useColumns } from '../../../shared/lists/columns.tsx';
import { jobFields } from '../../../shared/lists/filter/list-filter.ts';
import { useOwnView, type ListAddress, listOf, loadAll, rangeSize } from '../../../shared/lists/list-address.ts';
import { ListPage } from '../../../shared/lists/list-page.tsx';
import { PreviewImage } from '../../../shared/preview-image.tsx';
import { ItemRows } from '../../../shared/lists/rows/item-rows.tsx';
import { JobProgress, ProgressLegend } from '../pages/work-progress.tsx';
import { Tooltip, UnstyledButton, Button, Dimmed, Group, Modal, Stack, useHotkeys } from '../../../ui/kit.ts';
import classes from './jobs-page.module.css';
import { IconButton } from '../../../ui/icon-button.tsx';

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
        renderName={({ id, task_id: taskId, task_name: task, parent_job_id: parent }) => (
          <>
            {parent === null ? t('tasks.job', { id }) : t('consensus.replica', { id })}
            <span className={classes.task}>{task}</span> <LocalRemoteBadge taskId={taskId} jobId={id} />
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

interface JobPreviewProps {
  readonly job: Job;
  readonly onClose: () => void;
  /** Previous job on the page; undefined at the start. */
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
}

/** Preview of a job's frames without opening it: left and right change the frame, up and down the job. */
export function JobPreview({ job, onClose, onPrevious, onNext }: JobPreviewProps) {
  const t = useText();
  const navigate = useNavigate();
  const [frame, setFrame] = useState(job.start_frame);
  const step = (by: number) => (): void =>
    setFrame((before) => Math.min(job.stop_frame, Math.max(job.start_frame, before + by)));
  const params = { taskId: String(job.task_id), jobId: String(job.id) };
  const open = (): void => void navigate({ to: '/tasks/$taskId/jobs/$jobId', params, search: { frame } });
  useHotkeys([
    ['ArrowLeft', step(-1)],
    ['ArrowRight', step(1)],
    ['ArrowUp', () => onPrevious?.()],
    ['ArrowDown', () => onNext?.()],
  ]);
  const size = 18;
  return (
    <Modal
      opened
      onClose={onClose}
      size={880}
      title={`${t('tasks.job', { id: job.id })} · ${job.task_name ?? ''}`}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack gap="sm">
        <div className={classes.stage}>
          <img
            src={`/api/jobs/${job.id}/data?type=frame&number=${frame}&quality=compressed`}
            alt={t('issues.frameTitle', { frame })}
          />
        </div>
        <Group justify="space-between">
          <Group gap={4}>
            <IconButton
              label={t('jobs.previousFrame')}
              shortcut="←"
              disabled={frame === job.start_frame}
              icon={<IconChevronLeft size={size} />}
              onClick={step(-1)}
            />
            <IconButton
              label={t('jobs.nextFrame')}
              shortcut="→"
              disabled={frame === job.stop_frame}
              icon={<IconChevronRight size={size} />}
              onClick={step(1)}
            />
            <Dimmed ml={4} aria-live="polite">
              {t('jobs.frameOf', { frame, first: job.start_frame, last: job.stop_frame })}
            </Dimmed>
          </Group>
          <Group gap={4}>
            <IconButton
              label={t('jobs.previous')}
              shortcut="↑"
              disabled={onPrevious === undefined}
              icon={<IconChevronUp size={size} />}
              onClick={onPrevious}
            />
            <IconButton
              label={t('jobs.next')}
              shortcut="↓"
              disabled={onNext === undefined}
              icon={<IconChevronDown size={size} />}
              onClick={onNext}
            />
            <Button ml={8} data-autofocus leftSection={<IconPencil size={16} />} onClick={open}>
              {t('jobs.annotate')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}
