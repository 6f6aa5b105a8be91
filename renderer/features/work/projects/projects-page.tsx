import { IconFolders } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Project } from '../../../../preload/contract/schema/resources.ts';
import { queries } from '../../../api/queries.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { useProjectActions } from '../bulk/work-actions.tsx';
import { type Column, dateColumn, personColumn, useColumns } from '../../../shared/lists/columns.tsx';
import { projectFields } from '../../../shared/lists/filter/list-filter.ts';
import { useOwnView, type ListAddress, listOf, loadAll, rangeSize } from '../../../shared/lists/list-address.ts';
import { ListPage, NewButton } from '../../../shared/lists/list-page.tsx';
import { workSorts } from '../pages/work-sorts.ts';
import { PreviewImage } from '../../../shared/preview-image.tsx';
import { ItemRows } from '../../../shared/lists/rows/item-rows.tsx';
import { usePeople } from '../../../shared/people/people.tsx';
import { ProgressLegend, ProjectProgress } from '../pages/work-progress.tsx';
import { call } from '../../../api/client.ts';
import { useChange } from '../../../shared/use-change.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { Hint, Text, TextInput, useDebouncedValue } from '../../../ui/kit.ts';

/** Asks for a name and opens the new project, where its labels are edited. */
function NewProjectDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [settled] = useDebouncedValue(name.trim(), 250);
  const namesakes = useQuery({ ...queries.projectsNamed(settled), enabled: settled !== '' });
  const isTaken = settled !== '' && settled === name.trim() && (namesakes.data ?? 0) > 0;
  const create = useChange(() => call('createProject', { body: { name: name.trim() } }), {
    reloads: ['projects'],
    done: async (project) => {
      onClose();
      await navigate({
        to: '/projects/$projectId',
        params: { projectId: String(project.id) },
        search: { tab: 'labels' },
      });
    },
  });
  return (
    <FormDialog
      title={t('projects.new')}
      submit={t('common.create')}
      change={create}
      onClose={onClose}
      isReady={name.trim() !== ''}
      error=""
    >
      <TextInput
        label={t('common.name')}
        placeholder={t('projects.namePlaceholder')}
        data-autofocus
        maxLength={256}
        value={name}
        onChange={setName}
        error={create.error?.message}
      />
      {isTaken && (
        <Text fz="sm" role="status">
          {t('projects.namesake', { name: settled })}
        </Text>
      )}
      <Hint>{t('projects.labelsLater')}</Hint>
    </FormDialog>
  );
}

export interface ProjectsAddress extends ListAddress {
  readonly create?: boolean;
}

function useProjectColumns(): readonly Column<Project>[] {
  const t = useText();
  const { areSeveral } = usePeople();
  return [
    {
      key: 'status',
      name: t('tasks.state'),
      width: 112,
      from: 'middle',
      isExtra: true,
      render: ({ status }) => t(`tasks.status.${status}`),
    },
    {
      key: 'progress',
      name: t('tasks.progress'),
      width: 152,
      render: ({ id }) => <ProjectProgress projectId={id} />,
    },
    {
      key: 'tasks',
      name: t('pages.tasks'),
      width: 80,
      end: true,
      render: ({ tasks }) => formatNumber(tasks.count),
    },
    {
      key: 'subsets',
      name: t('pages.subsets'),
      from: 'wide',
      title: ({ task_subsets: subsets }) => subsets.join(', '),
      render: ({ task_subsets: subsets }) => subsets.filter((name) => name !== '').join(', ') || '–',
    },
    ...(areSeveral
      ? [personColumn<Project>({ key: 'assignee', name: t('jobs.assignee') }, ({ assignee }) => assignee)]
      : []),
    personColumn({ key: 'owner', name: t('pages.owner'), isExtra: true }, ({ owner }) => owner),
    dateColumn(
      { key: 'created_date', name: t('tasks.created'), width: 104, isExtra: true },
      (project) => project.created_date,
    ),
    dateColumn({ key: 'updated_date', name: t('tasks.updated'), width: 104 }, (project) => project.updated_date),
  ];
}

export function ProjectsPage({ search: { create, ...search } }: { readonly search: ProjectsAddress }) {
  const t = useText();
  const client = useQueryClient();
  const [creating, setCreating] = useState(create === true);
  const listQuery = listOf(search, projectFields);
  const projects = useQuery({ ...queries.projects(listQuery), refetchOnMount: 'always' });
  const all = useProjectColumns();
  const columns = useColumns('projects', all);
  const bulk = useProjectActions();
  return (
    <ListPage
      words="projects"
      icon={IconFolders}
      query={projects}
      create={<NewButton text={t('projects.new')} onClick={() => setCreating(true)} />}
      controls={{
        list: 'projects',
        search,
        fields: projectFields,
        sorts: workSorts(t),
        placeholder: t('tasks.search'),
        views: useOwnView(),
        columns: all,
      }}
      legend={<ProgressLegend />}
      dialogs={creating && <NewProjectDialog onClose={() => setCreating(false)} />}
    >
      {(found) => (
        <ItemRows
          items={found}
          columns={columns}
          nameHead={t('common.name')}
          nameOf={({ name }) => name}
          renderLink={({ id }, row) => <Link to="/projects/$projectId" params={{ projectId: String(id) }} {...row} />}
          renderLead={({ id, tasks }) => <PreviewImage kind="project" id={id} version={String(tasks.count)} />}
          bulk={bulk}
          total={projects.data?.count ?? 0}
          loadAll={() =>
            loadAll((page) => client.fetchQuery(queries.projects({ ...listQuery, page, pageSize: rangeSize })))
          }
        />
      )}
    </ListPage>
  );
}
