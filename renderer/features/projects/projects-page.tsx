import { IconFolders, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { formatWhen } from '../../parts/format-text.ts';
import { ListControls, ListPages, listPageSize, type ListAddress } from '../../parts/lists/list-controls.tsx';
import { PreviewImage } from '../../parts/lists/preview-image.tsx';
import rows from '../../parts/lists/rows.module.css';
import { Button, Text } from '../../ui/kit.ts';
import { Empty, Page, PageLoader, Problem } from '../../ui/page.tsx';
import { NewProjectDialog } from './new-project-dialog.tsx';

/** All projects. */
export function ProjectsPage({ search }: { readonly search: ListAddress & { readonly create?: boolean } }) {
  const t = useText();
  const [creating, setCreating] = useState(search.create === true);
  const sorts = [
    { value: '-id', label: t('tasks.sortNewest') },
    { value: '-updated_date', label: t('tasks.sortChanged') },
    { value: 'name', label: t('tasks.sortName') },
  ];
  const list = { page: search.page ?? 1, pageSize: listPageSize, search: search.q ?? '', sort: search.sort ?? '-id' };
  const projects = useQuery({ ...queries.projects(list), refetchOnMount: 'always' });
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t('projects.new')}
    </Button>
  );
  const nothingAtAll = projects.data?.count === 0 && list.search === '';
  return (
    <Page title={t('projects.title')} actions={create}>
      {!nothingAtAll && <ListControls search={search} sorts={sorts} placeholder={t('tasks.search')} />}
      {projects.isPending && <PageLoader label={t('app.loading')} />}
      {projects.isError && (
        <Problem
          title={t('common.loadFailed')}
          message={projects.error.message}
          retry={{ label: t('common.retry'), run: () => void projects.refetch() }}
        />
      )}
      {nothingAtAll && (
        <Empty
          icon={<IconFolders size={48} stroke={1.25} />}
          title={t('projects.emptyTitle')}
          text={t('projects.emptyText')}
        />
      )}
      {projects.data?.count === 0 && list.search !== '' && <Text c="dimmed">{t('projects.nothingFound')}</Text>}
      {projects.data !== undefined && projects.data.results.length > 0 && (
        <div className={rows.list} role="list">
          {projects.data.results.map((project) => (
            <div key={project.id} className={rows.row} role="listitem">
              <Link to="/projects/$projectId" params={{ projectId: String(project.id) }} className={rows.main}>
                <PreviewImage kind="project" id={project.id} version={String(project.tasks.count)} />
                <div className={rows.text}>
                  <div className={rows.name} title={project.name}>
                    {project.name}
                  </div>
                  <div className={rows.meta}>
                    {[t('projects.tasks', { count: project.tasks.count }), formatWhen(project.updated_date)].join(
                      ' · ',
                    )}
                  </div>
                </div>
              </Link>
            </div>
          ))}
        </div>
      )}
      {projects.data !== undefined && <ListPages search={search} count={projects.data.count} />}
      {creating && <NewProjectDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
