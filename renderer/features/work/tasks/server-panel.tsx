import type { RemoteJob } from '../../../../preload/contract/schema/remotes.ts';
import { ExchangeCard } from '../../../shared/remotes/exchange-card.tsx';
import { Stack } from '../../../ui/kit.ts';

/** Jobs of a task that follow a CVAT server, with their changes and conflicts. */
export const ServerPanel = ({ jobs }: { readonly jobs: readonly RemoteJob[] }) => (
  <Stack gap={32} maw={720}>
    {jobs.map((job) => (
      <ExchangeCard key={job.id} job={job} showsConflicts />
    ))}
  </Stack>
);
