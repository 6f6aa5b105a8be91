import { IconFilterOff } from '@tabler/icons-react';
import { jobStages, jobStates } from '../../../preload/contract/schema/resources.ts';
import { useText } from '../../i18n/index.ts';
import { ResourceSelect } from '../../parts/lists/resource-select.tsx';
import { usePeople } from '../../parts/people/use-people.ts';
import { userName } from '../../parts/people/user-name.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select } from '../../ui/kit.ts';
import { useListAddress } from '../../parts/lists/list-controls.tsx';
import type { JobsAddress } from './jobs-address.ts';

const idOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

/** Narrows the list of jobs; what is chosen stands in the address. */
export function JobFilterBar({ search }: { readonly search: JobsAddress }) {
  const t = useText();
  const { people, areSeveral } = usePeople();
  const changeAddress = useListAddress<JobsAddress>(search);
  const filter = (change: JobsAddress): void => changeAddress({ ...change, page: 1 });
  const { page: _page, sort: _sort, ...narrowing } = search;
  return (
    <>
      <Select
        size="xs"
        w={120}
        aria-label={t('jobs.stateFilter')}
        placeholder={t('jobs.anyState')}
        clearable
        data={jobStates.map((value) => ({ value, label: t(`tasks.status.${value}`) }))}
        value={search.state ?? null}
        onChange={(state) => filter({ state: state ?? undefined })}
      />
      <Select
        size="xs"
        w={128}
        aria-label={t('jobs.stageFilter')}
        placeholder={t('jobs.anyStage')}
        clearable
        data={jobStages.map((value) => ({ value, label: t(`tasks.status.${value}`) }))}
        value={search.stage ?? null}
        onChange={(stage) => filter({ stage: stage ?? undefined })}
      />
      <ResourceSelect
        size="xs"
        kind="project"
        width={132}
        label={t('jobs.projectFilter')}
        placeholder={t('jobs.anyProject')}
        value={idOf(search.project_id)}
        onChange={(id) => filter({ project_id: id === null ? undefined : String(id) })}
      />
      <ResourceSelect
        size="xs"
        kind="task"
        width={128}
        label={t('jobs.taskFilter')}
        placeholder={t('jobs.anyTask')}
        value={idOf(search.task_id)}
        onChange={(id) => filter({ task_id: id === null ? undefined : String(id) })}
      />
      {areSeveral && (
        <Select
          size="xs"
          w={136}
          aria-label={t('jobs.assigneeFilter')}
          placeholder={t('jobs.anyAssignee')}
          searchable
          clearable
          data={people.map((one) => ({ value: one.username, label: userName(one) }))}
          value={search.assignee ?? null}
          onChange={(assignee) => filter({ assignee: assignee ?? undefined })}
        />
      )}
      {Object.keys(narrowing).length > 0 && (
        <IconButton
          label={t('jobs.clearFilters')}
          size="md"
          icon={<IconFilterOff size={16} stroke={1.5} />}
          onClick={() => filter(Object.fromEntries(Object.keys(narrowing).map((name) => [name, undefined])))}
        />
      )}
    </>
  );
}
