import { IconPhotoPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Project } from '../../../preload/contract/schema/resources.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { TaskList } from '../../parts/tasks/task-list.tsx';
import { Group, Pagination, Text, TextInput, useDebouncedValue } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/page.tsx';

const pageSize = 50;

/** The tasks of a project, searched by name. */
export function ProjectTasks({ project }: { readonly project: Project }) {
  const t = useText();
  const [text, setText] = useState('');
  const [page, setPage] = useState(1);
  const [search] = useDebouncedValue(text.trim(), 250);
  const list = { page, pageSize, search, sort: '-id', project_id: String(project.id) };
  const tasks = useQuery({ ...queries.tasks(list), refetchOnMount: 'always' });
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
      <TextInput
        w="min(320px, 100%)"
        mb={12}
        leftSection={<IconSearch size={16} />}
        placeholder={t('tasks.search')}
        aria-label={t('tasks.search')}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setPage(1);
        }}
      />
      <Loaded query={tasks}>
        {({ count, results }) => (
          <>
            {results.length > 0 ? <TaskList tasks={results} /> : <Text c="dimmed">{t('tasks.nothingFound')}</Text>}
            {count > pageSize && (
              <Group justify="center" mt={12}>
                <Pagination
                  size="sm"
                  total={Math.ceil(count / pageSize)}
                  value={page}
                  onChange={setPage}
                  aria-label={t('lists.pages')}
                  getItemProps={(number) => ({ 'aria-label': t('lists.page', { page: number }) })}
                  getControlProps={(control) => ({
                    'aria-label': t(control === 'previous' ? 'lists.previous' : 'lists.next'),
                  })}
                />
              </Group>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
