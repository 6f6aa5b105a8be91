import { IconChecklist } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type KeyboardEvent } from 'react';
import type { Job } from '../../../preload/contract/schema/resources.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { listOf } from '../../parts/lists/list-controls.tsx';
import { ListPage } from '../../parts/lists/list-page.tsx';
import { List } from '../../ui/list.tsx';
import { JobFilterBar } from './job-filters.tsx';
import { JobPreview } from './job-preview.tsx';
import { JobRow } from './job-row.tsx';
import type { JobsAddress } from './jobs-address.ts';

/** Rows with their preview. Arrows go from row to row, Space previews, Enter opens. */
function JobRows({ jobs }: { readonly jobs: readonly Job[] }) {
  const [shownId, setShownId] = useState<number | null>(null);
  const index = jobs.findIndex((job) => job.id === shownId);
  const shown = jobs[index];
  const to = (job: Job | undefined) => (job === undefined ? undefined : () => setShownId(job.id));
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>): void => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset['rowLink'] === undefined) return;
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')];
    const at = links.indexOf(event.target);
    if (event.key === 'ArrowDown') links[at + 1]?.focus();
    else if (event.key === 'ArrowUp') links[at - 1]?.focus();
    else if (event.key === ' ') setShownId(Number(event.target.dataset['rowLink']));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <List onKeyDown={onKeyDown}>
        {jobs.map((job) => (
          <JobRow key={job.id} job={job} onPreview={() => setShownId(job.id)} />
        ))}
      </List>
      {shown !== undefined && (
        <JobPreview
          key={shown.id}
          job={shown}
          onClose={() => setShownId(null)}
          onPrevious={to(jobs[index - 1])}
          onNext={to(jobs[index + 1])}
        />
      )}
    </>
  );
}

/** All jobs, over tasks and projects. */
export function JobsPage({ search }: { readonly search: JobsAddress }) {
  const t = useText();
  const { page: _page, q: _q, sort: _sort, ...filters } = search;
  const jobs = useQuery({ ...queries.allJobs({ ...filters, ...listOf(search) }), refetchOnMount: 'always' });
  return (
    <ListPage
      title={t('jobs.title')}
      query={jobs}
      empty={{
        icon: <IconChecklist size={48} stroke={1.25} />,
        title: t('jobs.emptyTitle'),
        text: t('jobs.emptyText'),
      }}
      controls={{
        search,
        sorts: [
          { value: '-id', label: t('jobs.sortNewest') },
          { value: '-updated_date', label: t('jobs.sortChanged') },
          { value: 'task_name,id', label: t('jobs.sortTask') },
        ],
        placeholder: t('jobs.search'),
        searchWidth: 208,
        filters: <JobFilterBar search={search} />,
        nothingFound: t('jobs.nothingMatches'),
        clear: t('jobs.clearFilters'),
      }}
    >
      {(found) => <JobRows jobs={found} />}
    </ListPage>
  );
}
