import { IconChartBar, IconDownload, IconPhotoPlus, IconPlus, IconUpload, IconWebhook } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Project } from '../../../preload/contract/schema/resources.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { ChangeList } from '../../parts/changes/change-list.tsx';
import { ExportDialog } from '../../parts/dataset/export-dialog.tsx';
import { ImportDialog } from '../../parts/dataset/import-dialog.tsx';
import { LabelEditor } from '../../parts/labels/label-editor.tsx';
import { StatisticsDialog } from '../../parts/statistics/statistics-dialog.tsx';
import { RenameTitle } from '../../parts/tasks/rename-title.tsx';
import { TaskList } from '../../parts/tasks/task-list.tsx';
import { ask } from '../../ui/confirm.tsx';
import { Button, Menu, Stack, Title } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { DeleteItem, MoreMenu } from '../../ui/more-menu.tsx';
import { notify } from '../../ui/notify.ts';
import { Empty, Page } from '../../ui/page.tsx';

/** One project: its tasks and the labels that they share. */
export function ProjectPage({ projectId }: { readonly projectId: number }) {
  const t = useText();
  const project = useQuery({ ...queries.project(projectId), refetchOnMount: 'always' });
  return (
    <Loaded query={project} page={t('projects.title')}>
      {(loaded) => <ProjectView project={loaded} />}
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
    const words = { confirm: t('common.delete'), cancel: t('common.cancel') };
    if (!(await ask({ title: t('projects.deleteTitle'), text, ...words }))) return;
    try {
      await call('deleteProject', { params: { id: project.id } });
    } catch (error) {
      return notify.failure(name, messageOf(error));
    }
    notify.success(t('projects.deleted', { name }));
    await navigate({ to: '/projects' });
    await client.invalidateQueries({ queryKey: ['projects', 'list'] });
  };
}

type DialogKind = 'export' | 'import' | 'statistics';

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
      <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => onOpen('export')}>
        {t('annotate.export')}
      </Button>
      <Button variant="default" leftSection={<IconChartBar size={16} />} onClick={() => onOpen('statistics')}>
        {t('statistics.title')}
      </Button>
      <MoreMenu of="page">
        <Menu.Item leftSection={<IconUpload size={16} />} onClick={() => onOpen('import')}>
          {t('importing.titleProject')}
        </Menu.Item>
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

function ProjectView({ project }: { readonly project: Project }) {
  const t = useText();
  const client = useQueryClient();
  const [dialog, setDialog] = useState<DialogKind | null>(null);
  const list = { page: 1, pageSize: 200, sort: '-id', project_id: String(project.id) };
  const tasks = useQuery({ ...queries.tasks(list), refetchOnMount: 'always' });
  const labels = useQuery(queries.labels({ project_id: project.id }));
  const rename = useMutation({
    mutationFn: (name: string) => call('updateProject', { params: { id: project.id }, body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['projects'] }),
    onError: (error) => notify.failure(project.name, messageOf(error)),
  });
  const owner = { kind: 'project', id: project.id } as const;
  const target = { ...owner, name: project.name };
  return (
    <Page
      name={project.name}
      title={<RenameTitle name={project.name} onRename={(name) => rename.mutate(name)} />}
      crumbs={<Link to="/projects">{t('projects.title')}</Link>}
      actions={<ProjectActions project={project} onOpen={setDialog} />}
    >
      <Stack gap={32}>
        <section>
          <Title order={2} mb={8}>
            {t('tasks.title')}
          </Title>
          <Loaded query={tasks}>
            {({ results }) =>
              results.length > 0 ? (
                <TaskList tasks={results} />
              ) : (
                <Empty
                  icon={<IconPhotoPlus size={40} stroke={1.25} />}
                  title={t('projects.noTasksTitle')}
                  text={t('projects.noTasksText')}
                />
              )
            }
          </Loaded>
        </section>
        <section>
          <Title order={2} mb={8}>
            {t('labels.title')}
          </Title>
          <Loaded query={labels}>{(loaded) => <LabelEditor owner={owner} labels={loaded} />}</Loaded>
        </section>
        <ChangeList owner={owner} />
      </Stack>
      {dialog === 'export' && <ExportDialog target={target} onClose={() => setDialog(null)} />}
      {dialog === 'statistics' && <StatisticsDialog target={target} onClose={() => setDialog(null)} />}
      {dialog === 'import' && <ImportDialog target={target} onClose={() => setDialog(null)} />}
    </Page>
  );
}
