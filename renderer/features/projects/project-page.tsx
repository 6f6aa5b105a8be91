import {
  IconDots,
  IconDownload,
  IconPhotoPlus,
  IconPlus,
  IconTrash,
  IconUpload,
  IconWebhook,
} from '@tabler/icons-react';
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
import { RenameTitle } from '../../parts/tasks/rename-title.tsx';
import { TaskList } from '../../parts/tasks/task-list.tsx';
import { ask } from '../../ui/confirm.tsx';
import { ActionIcon, Button, Menu, Stack, Title } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import { Empty, Page, PageLoader, Problem } from '../../ui/page.tsx';

/** One project: its tasks and the labels that they share. */
export function ProjectPage({ projectId }: { readonly projectId: number }) {
  const t = useText();
  const project = useQuery({ ...queries.project(projectId), refetchOnMount: 'always' });
  if (project.isPending) return <PageLoader label={t('app.loading')} />;
  if (project.data === undefined) {
    const retry = { label: t('common.retry'), run: () => void project.refetch() };
    return (
      <Page title={t('projects.title')} narrow>
        <Problem title={t('common.loadFailed')} message={messageOf(project.error)} retry={retry} />
      </Page>
    );
  }
  return <ProjectView project={project.data} />;
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

type DialogKind = 'export' | 'import';

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
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={34} aria-label={t('common.more')}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconUpload size={16} />} onClick={() => onOpen('import')}>
            {t('importing.titleProject')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconWebhook size={16} />}
            onClick={() => void navigate({ to: '/webhooks/new', search: { project: project.id } })}
          >
            {t('webhooks.new')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => void remove()}>
            {t('common.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
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
  const target = { kind: 'project', id: project.id, name: project.name } as const;
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
          {tasks.data === undefined && <PageLoader label={t('app.loading')} />}
          {tasks.data?.count === 0 && (
            <Empty
              icon={<IconPhotoPlus size={40} stroke={1.25} />}
              title={t('projects.noTasksTitle')}
              text={t('projects.noTasksText')}
            />
          )}
          {tasks.data !== undefined && tasks.data.count > 0 && <TaskList tasks={tasks.data.results} />}
        </section>
        <section>
          <Title order={2} mb={8}>
            {t('labels.title')}
          </Title>
          {labels.data === undefined ? (
            <PageLoader label={t('app.loading')} />
          ) : (
            <LabelEditor owner={{ kind: 'project', id: project.id }} labels={labels.data} />
          )}
        </section>
        <ChangeList owner={{ kind: 'project', id: project.id }} />
      </Stack>
      {dialog === 'export' && <ExportDialog target={target} onClose={() => setDialog(null)} />}
      {dialog === 'import' && <ImportDialog target={target} onClose={() => setDialog(null)} />}
    </Page>
  );
}
