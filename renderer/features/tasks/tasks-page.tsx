import { IconPhotoDown, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { ListControls, ListPages, listPageSize, type ListAddress } from '../../parts/lists/list-controls.tsx';
import { TaskList } from '../../parts/tasks/task-list.tsx';
import { Button, Text } from '../../ui/kit.ts';
import { Empty, Page, PageLoader, Problem } from '../../ui/page.tsx';

/** All tasks: the first screen. */
export function TasksPage({ search }: { readonly search: ListAddress }) {
  const t = useText();
  const navigate = useNavigate();
  const sorts = [
    { value: '-id', label: t('tasks.sortNewest') },
    { value: '-updated_date', label: t('tasks.sortChanged') },
    { value: 'name', label: t('tasks.sortName') },
  ];
  const list = { page: search.page ?? 1, pageSize: listPageSize, search: search.q ?? '', sort: search.sort ?? '-id' };
  const tasks = useQuery({ ...queries.tasks(list), refetchOnMount: 'always' });
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => void navigate({ to: '/tasks/new' })}>
      {t('tasks.new')}
    </Button>
  );
  const nothingAtAll = tasks.data?.count === 0 && list.search === '';
  return (
    <Page title={t('tasks.title')} actions={create}>
      {!nothingAtAll && <ListControls search={search} sorts={sorts} placeholder={t('tasks.search')} />}
      {tasks.isPending && <PageLoader label={t('app.loading')} />}
      {tasks.isError && (
        <Problem
          title={t('common.loadFailed')}
          message={tasks.error.message}
          retry={{ label: t('common.retry'), run: () => void tasks.refetch() }}
        />
      )}
      {nothingAtAll && (
        <Empty
          icon={<IconPhotoDown size={48} stroke={1.25} />}
          title={t('tasks.emptyTitle')}
          text={t('tasks.emptyText')}
        />
      )}
      {tasks.data?.count === 0 && list.search !== '' && <Text c="dimmed">{t('tasks.nothingFound')}</Text>}
      {tasks.data !== undefined && tasks.data.results.length > 0 && <TaskList tasks={tasks.data.results} />}
      {tasks.data !== undefined && <ListPages search={search} count={tasks.data.count} />}
    </Page>
  );
}
