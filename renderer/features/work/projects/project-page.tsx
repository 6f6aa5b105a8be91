import {
  IconArchive,
  IconCloudUpload,
  IconPlus,
  IconSparkles,
  IconUpload,
  IconWebhook,
  IconPhotoPlus,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Project } from '../../../../preload/contract/schema/resources.ts';
import { call } from '../../../api/client.ts';
import { queries } from '../../../api/queries.ts';
import { reviewQueries } from '../../../api/review-queries.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { WorkButtons } from '../pages/work-buttons.tsx';
import { WorkHistory } from '../pages/work-history.tsx';
import { BatchDialog } from '../../../shared/batches/batch-dialog.tsx';
import { ProjectEvaluationsPanel } from '../evaluations/evaluations-panel.tsx';
import { ExportDialog } from '../../../shared/dataset/export-dialog.tsx';
import { ImportDialog } from '../../../shared/dataset/import-dialog.tsx';
import { GuideTab } from '../guide/guide-tab.tsx';
import { LabelEditor } from '../labels/label-editor.tsx';
import { ProjectQualityPanel } from '../quality/quality-panel.tsx';
import { PageTabs, type PageTab } from '../pages/page-tabs.tsx';
import { PublishDialog } from '../pages/publish-dialog.tsx';
import { RepositoryPanel } from '../repository/repository-panel.tsx';
import { StatisticsDialog } from '../../../shared/statistics/statistics-dialog.tsx';
import { RenameTitle } from '../pages/rename-title.tsx';
import { BackupDialog } from '../work-backup/backup-dialog.tsx';
import { type ListAddress, listOf, useOwnView } from '../../../shared/lists/list-address.ts';
import { ToList, listKey, NothingFound } from '../../../shared/lists/list-page.tsx';
import { ask } from '../../../ui/confirm.tsx';
import { Button, Menu, Group } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { DeleteItem, MoreMenu } from '../../../ui/more-menu.tsx';
import { notify } from '../../../ui/notify.ts';
import { Page, Empty } from '../../../ui/page.tsx';
import { ProjectIssues } from '../issues/issue-list.tsx';
import { ProjectOverview } from './project-overview.tsx';
import { taskFields } from '../../../shared/lists/filter/list-filter.ts';
import { ListPages, useListControls } from '../../../shared/lists/list-controls.tsx';
import { workSorts } from '../pages/work-sorts.ts';
import { useTaskColumns, TaskList } from '../tasks/task-list.tsx';

const elsewhere: ReadonlySet<string> = new Set(['project_id', 'project_name']);
/** Without the project filter. */
const fields = taskFields.filter(({ name }) => !elsewhere.has(name));

interface ProjectTasksProps {
  readonly project: Project;
  readonly search: ListAddress;
}

function ProjectTasks({ project, search }: ProjectTasksProps) {
  const t = useText();
  const listQuery = { ...listOf(search, fields), project_id: String(project.id) };
  const tasks = useQuery({ ...queries.tasks(listQuery), refetchOnMount: 'always' });
  const columns = useTaskColumns({ isOfProject: true });
  const { strip, line } = useListControls({
    list: 'tasks',
    search,
    fields,
    sorts: workSorts(t),
    placeholder: t('tasks.search'),
    views: useOwnView(),
    columns,
  });
  if (project.tasks.count === 0) {
    return (
      <Empty
        icon={<IconPhotoPlus size={40} stroke={1.25} />}
        title={t('projects.noTasksTitle')}
        text={t('projects.noTasksText')}
      />
    );
  }
  return (
    <>
      {strip}
      {line}
      <Loaded query={tasks}>
        {({ count, results }) => (
          <>
            {results.length > 0 ? (
              <TaskList key={listKey(search)} tasks={results} total={count} listQuery={listQuery} />
            ) : (
              <NothingFound search={search} />
            )}
            <Group mt={12} fz="xs" c="dimmed">
              <ListPages search={search} count={count} />
            </Group>
          </>
        )}
      </Loaded>
    </>
  );
}

export interface ProjectAddress extends ListAddress {
  readonly tab?: string | undefined;
}

export function ProjectPage({ projectId, search }: { readonly projectId: number; readonly search: ProjectAddress }) {
  const t = useText();
  const project = useQuery({ ...queries.project(projectId), refetchOnMount: 'always' });
  return (
    <Loaded
      query={project}
      page={t('projects.title')}
      elsewhere={<ToList to="/projects" title={t('projects.title')} />}
    >
      {(loaded) => <ProjectView project={loaded} search={search} />}
    </Loaded>
  );
}

function useDeleteProject(project: Project): () => Promise<void> {
  const t = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    const { name } = project;
    const text = t('projects.deleteText', { name, count: project.tasks.count });
    const confirm = t('common.delete');
    if (!(await ask({ title: t('projects.deleteTitle'), text, confirm }))) return;
    try {
      await call('deleteProject', { params: { id: project.id } });
    } catch (error) {
      return notify.failure(name, error);
    }
    notify.success(t('projects.deleted', { name }));
    await navigate({ to: '/projects' });
    await client.invalidateQueries({ queryKey: ['projects', 'list'] });
  };
}

type DialogKind = 'publish' | 'backup' | 'batch' | 'export' | 'import' | 'statistics';

function ProjectActions({
  project,
  onOpen,
}: {
  readonly project: Project;
  readonly onOpen: (dialog: DialogKind) => void;
}) {
  const t = useText();
  const navigate = useNavigate();
  const remove = useDeleteProject(project);
  return (
    <>
      <Button
        leftSection={<IconPlus size={16} />}
        onClick={() => void navigate({ to: '/tasks/new', search: { project: project.id } })}
      >
        {t('tasks.new')}
      </Button>
      <WorkButtons onOpen={onOpen} />
      <MoreMenu of="page">
        <Menu.Item leftSection={<IconUpload size={16} />} onClick={() => onOpen('import')}>
          {t('importing.titleProject')}
        </Menu.Item>
        {project.tasks.count > 0 && (
          <Menu.Item leftSection={<IconSparkles size={16} />} onClick={() => onOpen('batch')}>
            {t('batches.menu')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconArchive size={16} />} onClick={() => onOpen('backup')}>
          {t('workBackup.menu')}
        </Menu.Item>
        {project.tasks.count > 0 && (
          <Menu.Item leftSection={<IconCloudUpload size={16} />} onClick={() => onOpen('publish')}>
            {t('remote.publishMenu')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconWebhook size={16} />}
          onClick={() => void navigate({ to: '/webhooks/new', search: { project: project.id } })}
        >
          {t('webhooks.new')}
        </Menu.Item>
        <DeleteItem onClick={() => void remove()} />
      </MoreMenu>
    </>
  );
}

function useProjectTabs(project: Project, search: ProjectAddress): readonly PageTab[] {
  const t = useText();
  const owner = { kind: 'project', id: project.id } as const;
  const labels = useQuery(queries.labels({ project_id: project.id }));
  const issues = useQuery(reviewQueries.openOfProject(project.id));
  return [
    { value: 'overview', label: t('pages.overview'), render: () => <ProjectOverview project={project} /> },
    {
      value: 'tasks',
      label: t('pages.tasks'),
      count: project.tasks.count,
      render: () => <ProjectTasks project={project} search={search} />,
    },
    {
      value: 'labels',
      label: t('pages.labels'),
      count: labels.data?.length,
      render: () => <Loaded query={labels}>{(loaded) => <LabelEditor owner={owner} labels={loaded} />}</Loaded>,
    },
    {
      value: 'issues',
      label: t('pages.issues'),
      count: issues.data,
      render: () => <ProjectIssues projectId={project.id} search={search} />,
    },
    {
      value: 'guide',
      label: t('pages.guide'),
      render: () => <GuideTab owner={{ ...owner, guideId: project.guide_id }} />,
    },
    {
      value: 'evaluation',
      label: t('evaluations.tab'),
      render: () => <ProjectEvaluationsPanel project={project} />,
    },
    { value: 'quality', label: t('quality.tab'), render: () => <ProjectQualityPanel project={project} /> },
    { value: 'repository', label: t('git.tab'), render: () => <RepositoryPanel owner={owner} /> },
    { value: 'changes', label: t('pages.changes'), render: () => <WorkHistory owner={owner} /> },
  ];
}

function ProjectView({ project, search }: { readonly project: Project; readonly search: ProjectAddress }) {
  const t = useText();
  const [dialog, setDialog] = useState<DialogKind | null>(null);
  const rename = useChange((name: string) => call('updateProject', { params: { id: project.id }, body: { name } }), {
    reloads: ['projects'],
    failed: project.name,
  });
  const target = { kind: 'project', id: project.id, name: project.name } as const;
  return (
    <Page
      name={project.name}
      title={<RenameTitle name={project.name} onRename={(name) => rename.mutate(name)} />}
      crumbs={<Link to="/projects">{t('projects.title')}</Link>}
      actions={<ProjectActions project={project} onOpen={setDialog} />}
    >
      <PageTabs tabs={useProjectTabs(project, search)} tab={search.tab} />
      {dialog === 'backup' && <BackupDialog target={target} onClose={() => setDialog(null)} />}
      {dialog === 'publish' && <PublishDialog target={target} onClose={() => setDialog(null)} />}
      {dialog === 'export' && <ExportDialog target={target} onClose={() => setDialog(null)} />}
      {dialog === 'statistics' && <StatisticsDialog target={target} onClose={() => setDialog(null)} />}
      {dialog === 'batch' && (
        <BatchDialog target={{ kind: 'project', id: project.id, name: project.name }} onClose={() => setDialog(null)} />
      )}
      {dialog === 'import' && <ImportDialog target={target} onClose={() => setDialog(null)} />}
    </Page>
  );
}
