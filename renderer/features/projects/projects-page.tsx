import { IconFolders, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { formatWhen } from '../../parts/format-text.ts';
import { listOf, type ListAddress } from '../../parts/lists/list-controls.tsx';
import { ListPage } from '../../parts/lists/list-page.tsx';
import { PreviewImage } from '../../parts/lists/preview-image.tsx';
import { workSorts } from '../../parts/lists/work-sorts.ts';
import { Button } from '../../ui/kit.ts';
import { List, Row } from '../../ui/list.tsx';
import { NewProjectDialog } from './new-project-dialog.tsx';

export interface ProjectsAddress extends ListAddress {
  /** Opens with the dialog for a new one. */
  readonly create?: boolean;
}

/** All projects. */
export function ProjectsPage({ search: { create, ...search } }: { readonly search: ProjectsAddress }) {
  const t = useText();
  const [creating, setCreating] = useState(create === true);
  const projects = useQuery({ ...queries.projects(listOf(search)), refetchOnMount: 'always' });
  return (
    <ListPage
      title={t('projects.title')}
      query={projects}
      empty={{
        icon: <IconFolders size={48} stroke={1.25} />,
        title: t('projects.emptyTitle'),
        text: t('projects.emptyText'),
      }}
      create={
        <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
          {t('projects.new')}
        </Button>
      }
      controls={{
        search,
        sorts: workSorts(t),
        placeholder: t('tasks.search'),
        nothingFound: t('projects.nothingFound'),
      }}
      dialogs={creating && <NewProjectDialog onClose={() => setCreating(false)} />}
    >
      {(found) => (
        <List>
          {found.map(({ id, name, tasks, updated_date: updated }) => (
            <Row
              key={id}
              renderLink={(row) => <Link to="/projects/$projectId" params={{ projectId: String(id) }} {...row} />}
              lead={<PreviewImage kind="project" id={id} version={String(tasks.count)} />}
              name={name}
              title={name}
              meta={[t('projects.tasks', { count: tasks.count }), formatWhen(updated)]}
            />
          ))}
        </List>
      )}
    </ListPage>
  );
}
