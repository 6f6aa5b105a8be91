import { IconChartBar, IconDownload, IconEraser, IconPencil, IconPhoto, IconUpload } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { ChangeList } from '../../parts/changes/change-list.tsx';
import { useTakeBack } from '../../parts/changes/take-back.ts';
import { ExportDialog } from '../../parts/dataset/export-dialog.tsx';
import { ImportDialog } from '../../parts/dataset/import-dialog.tsx';
import { LabelEditor } from '../../parts/labels/label-editor.tsx';
import { LabelChips } from '../../parts/labels/label-chips.tsx';
import { StatisticsDialog } from '../../parts/statistics/statistics-dialog.tsx';
import { RenameTitle } from '../../parts/tasks/rename-title.tsx';
import { datasetTarget, useDeleteTask } from '../../parts/tasks/task-list.tsx';
import { Anchor, Button, Menu, Stack, Tabs, Text, Title } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { DeleteItem, MoreMenu } from '../../ui/more-menu.tsx';
import { ask } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notify.ts';
import { Page } from '../../ui/page.tsx';
import { ChangedPictures } from './changed-pictures.tsx';
import { FramesDialog } from './frames/frames-dialog.tsx';
import { IssuesPanel } from './issues/issues-panel.tsx';
import { JobList } from './job-list.tsx';
import { MissingImages } from './missing-images.tsx';
import { TaskDetails } from './task-details.tsx';
import classes from './task-page.module.css';

/** One task: its jobs, labels and details. */
export function TaskPage({ taskId, tab }: { readonly taskId: number; readonly tab?: 'issues' | undefined }) {
  const t = useText();
  const task = useQuery({ ...queries.task(taskId), refetchOnMount: 'always' });
  return (
    <Loaded query={task} page={t('tasks.title')}>
      {(loaded) => <TaskView task={loaded} tab={tab ?? 'overview'} />}
    </Loaded>
  );
}

/** Removes all annotations of a task after asking. */
function useClearAnnotations({ id, name }: Task): () => Promise<void> {
  const t = useText();
  const { offerNewest } = useTakeBack();
  return async () => {
    const words = { confirm: t('changes.clearAll'), cancel: t('common.cancel') };
    if (!(await ask({ title: t('changes.clearTitle'), text: t('changes.clearText', { name }), ...words }))) return;
    try {
      await call('clearTaskAnnotations', { params: { id } });
      await offerNewest({ kind: 'task', id });
    } catch (error) {
      notify.failure(name, messageOf(error));
    }
  };
}

type Dialog = 'export' | 'import' | 'frames' | 'statistics';

function TaskMenu({ task, onOpen }: { readonly task: Task; readonly onOpen: (dialog: Dialog) => void }) {
  const t = useText();
  const navigate = useNavigate();
  const remove = useDeleteTask();
  const clear = useClearAnnotations(task);
  return (
    <>
      <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => onOpen('export')}>
        {t('annotate.export')}
      </Button>
      <Button variant="default" leftSection={<IconChartBar size={16} />} onClick={() => onOpen('statistics')}>
        {t('statistics.title')}
      </Button>
      <MoreMenu of="page">
        <Menu.Item leftSection={<IconUpload size={16} />} onClick={() => onOpen('import')}>
          {t('annotate.import')}
        </Menu.Item>
        {task.mode === 'interpolation' && (
          <Menu.Item leftSection={<IconPhoto size={16} />} onClick={() => onOpen('frames')}>
            {t('frames.menu')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconEraser size={16} />} onClick={() => void clear()}>
          {t('changes.clearAll')}
        </Menu.Item>
        <DeleteItem onClick={() => void remove(task).then((gone) => (gone ? navigate({ to: '/tasks' }) : undefined))} />
      </MoreMenu>
    </>
  );
}

function TaskLabels({ task }: { readonly task: Task }) {
  const t = useText();
  const labels = useQuery(queries.labels({ task_id: task.id }));
  if (task.project_id !== null) {
    return (
      <Stack gap={8}>
        <LabelChips labels={labels.data ?? []} />
        <Text fz="sm" c="dimmed">
          {t('tasks.labelsOfProject', { name: task.project_name ?? '' })}{' '}
          <Anchor
            fz="sm"
            underline="always"
            renderRoot={(props) => (
              <Link {...props} to="/projects/$projectId" params={{ projectId: String(task.project_id) }} />
            )}
          >
            {t('tasks.editLabels')}
          </Anchor>
        </Text>
      </Stack>
    );
  }
  return (
    <Loaded query={labels}>{(loaded) => <LabelEditor owner={{ kind: 'task', id: task.id }} labels={loaded} />}</Loaded>
  );
}

function TaskView({ task, tab }: { readonly task: Task; readonly tab: 'overview' | 'issues' }) {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const jobs = useQuery({ ...queries.jobs(task.id), refetchOnMount: 'always' });
  const rename = useMutation({
    mutationFn: (name: string) => call('updateTask', { params: { id: task.id }, body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['tasks'] }),
    onError: (error) => notify.failure(task.name, messageOf(error)),
  });
  const first = jobs.data?.results[0];
  const issueCount = (jobs.data?.results ?? []).reduce((sum, job) => sum + job.issues.count, 0);
  const target = datasetTarget(task);
  const open = (): void => {
    if (first === undefined) return;
    void navigate({ to: '/tasks/$taskId/jobs/$jobId', params: { taskId: String(task.id), jobId: String(first.id) } });
  };
  return (
    <Page
      name={task.name}
      title={<RenameTitle name={task.name} onRename={(name) => rename.mutate(name)} />}
      crumbs={<Link to="/tasks">{t('tasks.title')}</Link>}
      actions={
        <>
          <Button leftSection={<IconPencil size={16} />} disabled={first === undefined} onClick={open}>
            {t('tasks.annotate')}
          </Button>
          <TaskMenu task={task} onOpen={setDialog} />
        </>
      }
    >
      <div className={classes.columns}>
        <Tabs
          value={tab}
          keepMounted={false}
          onChange={(next) =>
            void navigate({ to: '.', search: next === 'issues' ? { tab: 'issues' } : {}, replace: true })
          }
        >
          <Tabs.List mb={16}>
            <Tabs.Tab value="overview">{t('issues.overview')}</Tabs.Tab>
            <Tabs.Tab value="issues">
              {issueCount === 0 ? t('issues.tab') : t('issues.tabCount', { count: issueCount })}
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="issues">
            <IssuesPanel task={task} jobs={jobs.data?.results ?? []} />
          </Tabs.Panel>
          <Tabs.Panel value="overview" className={classes.main ?? ''}>
            <ChangedPictures task={task} />
            <section>
              <Title order={2} mb={8}>
                {jobs.data?.results.length === 0 ? t('tasks.size') : t('tasks.jobs', { count: task.jobs.count })}
              </Title>
              <Loaded query={jobs}>
                {({ results }) => (results.length > 0 ? <JobList jobs={results} /> : <MissingImages task={task} />)}
              </Loaded>
            </section>
            <section>
              <Title order={2} mb={8}>
                {t('tasks.labels')}
              </Title>
              <TaskLabels task={task} />
            </section>
            <ChangeList owner={{ kind: 'task', id: task.id }} />
          </Tabs.Panel>
        </Tabs>
        <TaskDetails task={task} />
      </div>
      {dialog === 'export' && <ExportDialog target={target} onClose={() => setDialog(null)} />}
      {dialog === 'frames' && <FramesDialog task={task} onClose={() => setDialog(null)} />}
      {dialog === 'statistics' && <StatisticsDialog target={target} onClose={() => setDialog(null)} />}
      {dialog === 'import' && <ImportDialog target={target} onClose={() => setDialog(null)} />}
    </Page>
  );
}
