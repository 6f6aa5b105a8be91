import { IconPencil } from '@tabler/icons-react';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Job, Task } from '../../../../preload/contract/schema/resources.ts';
import { call } from '../../../api/client.ts';
import { queries } from '../../../api/queries.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { BatchDialog } from '../../../shared/batches/batch-dialog.tsx';
import { AgreementPanel } from '../consensus/agreement-panel.tsx';
import { MergeDialog } from '../consensus/merge-dialog.tsx';
import { ExportDialog } from '../../../shared/dataset/export-dialog.tsx';
import { ImportDialog } from '../../../shared/dataset/import-dialog.tsx';
import { EvaluationsPanel } from '../evaluations/evaluations-panel.tsx';
import { WorkHistory } from '../pages/work-history.tsx';
import { ToList } from '../../../shared/lists/list-page.tsx';
import { type PageTab, PageTabs } from '../pages/page-tabs.tsx';
import { QualityPanel } from '../quality/quality-panel.tsx';
import { RepositoryPanel } from '../repository/repository-panel.tsx';
import { StatisticsDialog } from '../../../shared/statistics/statistics-dialog.tsx';
import { RenameTitle } from '../pages/rename-title.tsx';
import { datasetTarget } from './task-list.tsx';
import { BackupDialog } from '../work-backup/backup-dialog.tsx';
import { Button, Dimmed, Stack, Text } from '../../../ui/kit.ts';
import { joined } from '../../../ui/list.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { FramesDialog } from './frames/frames-dialog.tsx';
import { IssuesPanel } from '../issues/issue-list.tsx';
import { JobList } from './job-list.tsx';
import { MissingImages } from './missing-images.tsx';
import { MoveTaskDialog } from './move-task-dialog.tsx';
import { TaskDetails, TaskGuide, TaskLabels } from './task-details.tsx';
import { type TaskDialog, TaskMenu } from './task-menu.tsx';

const namedAtMost = 3;

/** Lists in-place images that were replaced since they were annotated; empty if there are none. */
function ChangedPictures({ task }: { readonly task: Task }) {
  const t = useText();
  const hasImages = task.mode === 'annotation' && (task.size ?? 0) > 0;
  const found = useQuery({ ...queries.changedFrames(task.id), enabled: hasImages, refetchOnMount: 'always' });
  const changed = found.data?.results ?? [];
  if (changed.length === 0) return null;
  const named = changed.slice(0, namedAtMost).map(({ name, limner_state }) => {
    return limner_state === 'missing' ? t('tasks.missingPicture', { name }) : name;
  });
  const names = `${named.join(', ')}${changed.length > namedAtMost ? ', …' : ''}`;
  return (
    <Text fz="sm" role="status">
      {t('tasks.changedPictures', { count: changed.length, names })}
    </Text>
  );
}

export function TaskPage({ taskId, tab }: { readonly taskId: number; readonly tab?: string | undefined }) {
  const t = useText();
  const task = useQuery({ ...queries.task(taskId), refetchOnMount: 'always' });
  return (
    <Loaded query={task} page={t('tasks.title')} elsewhere={<ToList to="/tasks" title={t('tasks.title')} />}>
      {(loaded) => <TaskView task={loaded} tab={tab} />}
    </Loaded>
  );
}

function TaskJobs({ task, jobs }: { readonly task: Task; readonly jobs: UseQueryResult<{ results: Job[] }> }) {
  const t = useText();
  const { count, completed, validation } = task.jobs;
  return (
    <Stack gap={12}>
      <ChangedPictures task={task} />
      {count > 0 && (
        <Dimmed>
          {joined([
            t('pages.progress', { count, done: completed }),
            validation > 0 ? t('pages.inValidation', { count: validation }) : null,
          ])}
        </Dimmed>
      )}
      <Loaded query={jobs}>
        {({ results }) => (results.length > 0 ? <JobList jobs={results} /> : <MissingImages task={task} />)}
      </Loaded>
    </Stack>
  );
}

function useTaskTabs(task: Task, jobs: UseQueryResult<{ results: Job[] }>): readonly PageTab[] {
  const t = useText();
  const labels = useQuery(queries.labels({ task_id: task.id }));
  const all = jobs.data?.results ?? [];
  return [
    {
      value: 'jobs',
      label: t('pages.jobs'),
      count: task.jobs.count,
      render: () => <TaskJobs task={task} jobs={jobs} />,
    },
    {
      value: 'issues',
      label: t('issues.tab'),
      count: all.reduce((sum, job) => sum + job.issues.count, 0),
      render: () => <IssuesPanel task={task} jobs={all} />,
    },
    {
      value: 'labels',
      label: t('pages.labels'),
      count: labels.data?.length,
      render: () => <TaskLabels task={task} />,
    },
    { value: 'guide', label: t('pages.guide'), render: () => <TaskGuide task={task} /> },
    {
      value: 'evaluation',
      label: t('evaluations.tab'),
      render: () => <EvaluationsPanel task={task} jobs={all} />,
    },
    {
      value: 'quality',
      label: t('quality.tab'),
      render: () => (
        <Stack gap={24}>
          {task.consensus_enabled && <AgreementPanel taskId={task.id} />}
          <QualityPanel task={task} jobs={all} />
        </Stack>
      ),
    },
    {
      value: 'repository',
      label: t('git.tab'),
      render: () => <RepositoryPanel owner={{ kind: 'task', id: task.id }} />,
    },
    {
      value: 'changes',
      label: t('pages.changes'),
      render: () => <WorkHistory owner={{ kind: 'task', id: task.id }} />,
    },
  ];
}

function TaskView({ task, tab }: { readonly task: Task; readonly tab: string | undefined }) {
  const t = useText();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<TaskDialog | null>(null);
  const jobs = useQuery({ ...queries.jobs(task.id), refetchOnMount: 'always' });
  const rename = useChange((name: string) => call('updateTask', { params: { id: task.id }, body: { name } }), {
    reloads: ['tasks'],
    failed: task.name,
  });
  const first = jobs.data?.results[0];
  const target = datasetTarget(task);
  const open = (): void => {
    if (first === undefined) return;
    void navigate({ to: '/tasks/$taskId/jobs/$jobId', params: { taskId: String(task.id), jobId: String(first.id) } });
  };
  return (
    <Page
      name={task.name}
      title={<RenameTitle name={task.name} onRename={(name) => rename.mutate(name)} />}
      crumbs={<Crumbs task={task} />}
      actions={
        <>
          <Button leftSection={<IconPencil size={16} />} disabled={first === undefined} onClick={open}>
            {t('tasks.annotate')}
          </Button>
          <TaskMenu task={task} onOpen={setDialog} />
        </>
      }
    >
      <PageTabs
        tabs={useTaskTabs(task, jobs)}
        tab={tab}
        aside={{ value: 'details', label: t('pages.details'), render: () => <TaskDetails task={task} /> }}
      />
      {dialog === 'export' && <ExportDialog target={target} onClose={() => setDialog(null)} />}
      {dialog === 'backup' && (
        <BackupDialog target={{ kind: 'task', id: task.id, name: task.name }} onClose={() => setDialog(null)} />
      )}
      {dialog === 'merge' && (
        <MergeDialog
          taskId={task.id}
          name={task.name}
          replicaCount={Math.max(0, ...(jobs.data?.results ?? []).map((job) => job.replicas_count))}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'move' && <MoveTaskDialog task={task} onClose={() => setDialog(null)} />}
      {dialog === 'frames' && <FramesDialog task={task} onClose={() => setDialog(null)} />}
      {dialog === 'statistics' && <StatisticsDialog target={target} onClose={() => setDialog(null)} />}
      {dialog === 'batch' && (
        <BatchDialog
          target={{
            kind: 'task',
            id: task.id,
            name: task.name,
            frames: { first: 0, last: Math.max(0, (task.size ?? 1) - 1) },
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'import' && <ImportDialog target={target} onClose={() => setDialog(null)} />}
    </Page>
  );
}

function Crumbs({ task }: { readonly task: Task }) {
  const t = useText();
  if (task.project_id === null) return <Link to="/tasks">{t('tasks.title')}</Link>;
  return (
    <>
      <Link to="/projects">{t('projects.title')}</Link>
      {' / '}
      <Link to="/projects/$projectId" params={{ projectId: String(task.project_id) }}>
        {task.project_name}
      </Link>
    </>
  );
}
