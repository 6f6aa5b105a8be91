import { IconChecklist } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type KeyboardEvent } from 'react';
import type { Job } from '../../../preload/contract/schema/resources.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { ListControls, ListPages, listPageSize, useListAddress } from '../../parts/lists/list-controls.tsx';
import rows from '../../parts/lists/rows.module.css';
import { Button, Text } from '../../ui/kit.ts';
import { Empty, Page, PageLoader, Problem } from '../../ui/page.tsx';
import { JobFilterBar } from './job-filters.tsx';
import { JobPreview } from './job-preview.tsx';
import { JobRow } from './job-row.tsx';
import { isFiltered, type JobsAddress } from './jobs-address.ts';

/** Rows with their preview. Arrows go from row to row, Space previews, Enter opens. */
function JobRows({ jobs }: { readonly jobs: readonly Job[] }) {
  const [shownId, setShownId] = useState<number | null>(null);
  const index = jobs.findIndex((job) => job.id === shownId);
  const shown = jobs[index];
  const to = (job: Job | undefined) => (job === undefined ? undefined : () => setShownId(job.id));
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
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
      <div className={rows.list} role="list" onKeyDown={onKeyDown}>
        {jobs.map((job) => (
          <JobRow key={job.id} job={job} onPreview={() => setShownId(job.id)} />
        ))}
      </div>
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
  const navigate = useNavigate();
  const change = useListAddress<JobsAddress>(search);
  const sorts = [
    { value: '-id', label: t('jobs.sortNewest') },
    { value: '-updated_date', label: t('jobs.sortChanged') },
    { value: 'task_name,id', label: t('jobs.sortTask') },
  ];
  const { page = 1, q = '', sort = '-id', ...filters } = search;
  const jobs = useQuery({
    ...queries.allJobs({ ...filters, page, pageSize: listPageSize, search: q, sort }),
    refetchOnMount: 'always',
  });
  const filtered = isFiltered(search);
  const clear = (): void => void navigate({ to: '.', search: {}, replace: true });
  const isEmpty = jobs.data?.count === 0;
  return (
    <Page title={t('jobs.title')}>
      {(!isEmpty || filtered) && (
        <ListControls
          search={search}
          sorts={sorts}
          placeholder={t('jobs.search')}
          searchWidth={208}
          filters={<JobFilterBar search={search} onChange={change} onClear={clear} />}
        />
      )}
      {jobs.isPending && <PageLoader label={t('app.loading')} />}
      {jobs.isError && (
        <Problem
          title={t('common.loadFailed')}
          message={jobs.error.message}
          retry={{ label: t('common.retry'), run: () => void jobs.refetch() }}
        />
      )}
      {isEmpty && !filtered && (
        <Empty
          icon={<IconChecklist size={48} stroke={1.25} />}
          title={t('jobs.emptyTitle')}
          text={t('jobs.emptyText')}
        />
      )}
      {isEmpty && filtered && (
        <Text c="dimmed">
          {t('jobs.nothingMatches')}{' '}
          <Button variant="subtle" size="compact-sm" onClick={clear}>
            {t('jobs.clearFilters')}
          </Button>
        </Text>
      )}
      {jobs.data !== undefined && !isEmpty && <JobRows jobs={jobs.data.results} />}
      {jobs.data !== undefined && <ListPages search={search} count={jobs.data.count} />}
    </Page>
  );
}
