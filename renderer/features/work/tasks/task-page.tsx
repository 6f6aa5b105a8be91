import { IconPencil, IconPhotoPlus } from '@tabler/icons-react';
import { useQuery, type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, useEffect } from 'react';
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
import { PublishDialog } from '../pages/publish-dialog.tsx';
import { ServerPanel } from './server-panel.tsx';
import { remoteQueries } from '../../../api/remote-queries.ts';
import { QualityPanel } from '../quality/quality-panel.tsx';
import { RepositoryPanel } from '../repository/repository-panel.tsx';
import { StatisticsDialog } from '../../../shared/statistics/statistics-dialog.tsx';
import { RenameTitle } from '../pages/rename-title.tsx';
import { datasetTarget } from './task-list.tsx';
import { BackupDialog } from '../work-backup/backup-dialog.tsx';
import { Button, Dimmed, Stack, Text, Group, Hint, Progress } from '../../../ui/kit.ts';
import { joined } from '../../../ui/list.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page, PageLoader, Problem } from '../../../ui/page.tsx';
import { FramesDialog } from './frames/frames-dialog.tsx';
import { IssuesPanel } from '../issues/issue-list.tsx';
import { JobList } from './job-list.tsx';
import { AddImagesDialog, canGrow } from './add-images-dialog.tsx';
import { MoveTaskDialog } from './move-task-dialog.tsx';
import { TaskDetails, TaskGuide, TaskLabels } from './task-details.tsx';
import { type TaskDialog, TaskMenu } from './task-menu.tsx';
import type { NamedFile } from '../../../api/uploads.ts';
import { DropZone } from '../../../shared/files/drop-zone.tsx';
import { FileButtons } from '../../../shared/files/file-buttons.tsx';
import { useCreation } from '../task-creation/creation-dialog.tsx';
import { notify } from '../../../ui/notify.ts';
import { UnsentNotice } from '../../../shared/files/unsent-notice.tsx';
import { useChooseMedia } from '../../../shared/files/media-files.ts';
import { openAllFound } from '../../../shared/files/found-files.ts';
import { usePageDrop } from '../../../shared/files/page-drop.ts';

/** Replaces the jobs of a task without images: the reason, and a way to add some. */
function MissingImages({ task }: { readonly task: Task }) {
  const t = useText();
  const client = useQueryClient();
  const choose = useChooseMedia();
  const fill = useCreation((store) => store.fill);
  const brought = useCreation((store) => store.brought.get(task.id));
  const preparation = useQuery(queries.preparation(task.id));
  const request = preparation.data ?? null;
  const finished = request?.status === 'finished';
  useEffect(() => {
    if (finished) for (const key of ['tasks', 'jobs']) void client.invalidateQueries({ queryKey: [key] });
  }, [finished, client]);
  const changed = (): void => {
    for (const key of ['tasks', 'jobs', 'projects', 'requests']) void client.invalidateQueries({ queryKey: [key] });
  };
  const add = async (found: readonly NamedFile[]): Promise<void> => {
    const chosen = choose(found);
    if (chosen === null) return;
    const data = { image_quality: 70, sorting_method: 'natural' as const };
    await fill(task, { data, media: { files: chosen.files } });
    changed();
  };
  const again = async (): Promise<void> => {
    if (brought !== undefined) await fill(task, brought);
    else {
      const started = call('prepareTaskDataAgain', { params: { id: task.id } });
      await started.catch((error: unknown) => notify.failure(task.name, error));
    }
    changed();
  };
  if (preparation.isPending || finished) return <PageLoader label={t('app.loading')} />;
  if (request?.status === 'queued' || request?.status === 'started') {
    return (
      <Stack gap={8} maw={720}>
        <Text>{t('tasks.preparing')}</Text>
        <Progress
          value={(request.progress ?? 1) * 100}
          animated={request.progress === null}
          aria-label={t('tasks.preparing')}
        />
      </Stack>
    );
  }
  return (
    <Stack gap={16} maw={720}>
      {request?.status === 'failed' && (
        <Problem title={t('tasks.prepareFailed')} message={request.message} retry={() => void again()} />
      )}
      <DropZone label={t('newTask.dropTitle')} onFiles={(found) => void add(found)}>
        <IconPhotoPlus size={32} stroke={1.25} />
        <div>
          <Text fw={600}>{t(request?.status === 'failed' ? 'tasks.addOthers' : 'tasks.addImages')}</Text>
          <Hint>{t('newTask.dropText')}</Hint>
        </div>
        <Group gap={8} mt={8}>
          <FileButtons onFiles={(found) => void add(found)} />
        </Group>
      </DropZone>
    </Stack>
  );
}

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

/** Images of a task that was opened by their names, as far as these were not sent. */
function useUnsent(task: Task, job: Job | undefined): { readonly unsent: number; readonly total: number } | null {
  const isOfImages = job !== undefined && task.mode === 'annotation';
  const reading = useQuery({ ...queries.readingProgress(job?.id ?? 0), enabled: isOfImages });
  return reading.data ?? null;
}

function TaskUnsent({ task, job }: { readonly task: Task; readonly job: Job | undefined }) {
  const reading = useUnsent(task, job);
  return reading && <UnsentNotice taskId={task.id} unsent={reading.unsent} total={reading.total} />;
}

function TaskJobs({ task, jobs }: { readonly task: Task; readonly jobs: UseQueryResult<{ results: Job[] }> }) {
  const t = useText();
  const { count, completed, validation } = task.jobs;
  return (
    <Stack gap={12}>
      <TaskUnsent task={task} job={jobs.data?.results[0]} />
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
  const remotes = useQuery({ ...remoteQueries.jobs(), refetchOnMount: 'always' });
  const remoteJobs = (remotes.data?.results ?? []).filter(({ task_id: id }) => id === task.id);
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
    ...(remoteJobs.length === 0
      ? []
      : [{ value: 'server', label: t('remote.tab'), render: () => <ServerPanel jobs={remoteJobs} /> }]),
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
  const [dropped, setDropped] = useState<readonly NamedFile[]>([]);
  const jobs = useQuery({ ...queries.jobs(task.id), refetchOnMount: 'always' });
  const rename = useChange((name: string) => call('updateTask', { params: { id: task.id }, body: { name } }), {
    reloads: ['tasks'],
    failed: task.name,
  });
  const choose = useChooseMedia();
  const lacksImages = (useUnsent(task, jobs.data?.results[0])?.unsent ?? 0) > 0;
  usePageDrop(
    canGrow(task) && !lacksImages
      ? async (files) => {
          const chosen = choose(files);
          if (chosen === null) return;
          setDropped(await openAllFound(chosen.files));
          setDialog('add');
        }
      : null,
  );
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
          <TaskMenu
            task={task}
            onOpen={(next) => {
              setDropped([]);
              setDialog(next);
            }}
          />
        </>
      }
    >
      <PageTabs
        tabs={useTaskTabs(task, jobs)}
        tab={tab}
        aside={{ value: 'details', label: t('pages.details'), render: () => <TaskDetails task={task} /> }}
      />
      {dialog === 'add' && <AddImagesDialog task={task} dropped={dropped} onClose={() => setDialog(null)} />}
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
      {dialog === 'publish' && (
        <PublishDialog target={{ kind: 'task', id: task.id, name: task.name }} onClose={() => setDialog(null)} />
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
