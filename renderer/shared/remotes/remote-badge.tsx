import {
  IconArrowDown,
  IconArrowsUpDown,
  IconArrowUp,
  IconCloudDownload,
  IconDeviceDesktop,
} from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { RemoteComparison, RemoteJob } from '../../../preload/contract/schema/remotes.ts';
import { remoteQueries } from '../../api/remote-queries.ts';
import { useText } from '../../i18n/index.ts';
import { Badge } from '../../ui/kit.ts';
import classes from './remote-badge.module.css';

export type RemoteState = RemoteComparison['state'] | 'checking_out';

const icons = {
  out: IconDeviceDesktop,
  changed_here: IconArrowUp,
  changed_there: IconArrowDown,
  both: IconArrowsUpDown,
  checking_out: IconCloudDownload,
} as const;

/** State of several jobs together: a change here of one and a change there of another are changes on both ends. */
function combinedState(states: readonly RemoteState[]): RemoteState {
  if (states.includes('checking_out')) return 'checking_out';
  const here = states.some((state) => state === 'changed_here' || state === 'both');
  const there = states.some((state) => state === 'changed_there' || state === 'both');
  if (here) return there ? 'both' : 'changed_here';
  return there ? 'changed_there' : 'out';
}

/** States by the last comparisons in this window. A job that was not compared yet is only known to be out. */
export function useRemoteStates(jobs: readonly RemoteJob[]): ReadonlyMap<number, RemoteState> {
  const compared = useQueries({
    queries: jobs.map(({ id }) => ({ ...remoteQueries.comparison(id), enabled: false })),
  });
  return new Map(
    jobs.map(({ id, state }, index) => [
      id,
      state === 'checking_out' ? 'checking_out' : (compared[index]?.data?.state ?? 'out'),
    ]),
  );
}

interface RemoteBadgeProps {
  readonly jobs: readonly RemoteJob[];
  /** Shown for a task or project that is out. */
  readonly count?: number | undefined;
}

export function RemoteBadge({ jobs, count }: RemoteBadgeProps) {
  const t = useText();
  const state = combinedState([...useRemoteStates(jobs).values()]);
  const Icon = icons[state];
  return (
    <Badge
      className={classes.badge ?? ''}
      data-state={state}
      data-testid="remote-badge"
      leftSection={<Icon size={13} />}
      title={t(`remote.stateHint.${state}`)}
    >
      {state === 'out' && count !== undefined ? t('remote.jobsOut', { count }) : t(`remote.state.${state}`)}
    </Badge>
  );
}

interface LocalBadgeProps {
  readonly taskId: number;
  /** Absent: all jobs of the task. */
  readonly jobId?: number;
}

/** Badge of a local task or job that follows a server; nothing for others. */
export function LocalRemoteBadge({ taskId, jobId }: LocalBadgeProps) {
  const all = useQuery(remoteQueries.jobs()).data?.results ?? [];
  const jobs = all.filter(
    ({ task_id: task, job_id: job }) => task === taskId && (jobId === undefined || job === jobId),
  );
  return jobs.length > 0 && <RemoteBadge jobs={jobs} />;
}
