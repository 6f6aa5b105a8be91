import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Request } from '../../../preload/contract/schema/resources.ts';
import { queries } from '../../api/queries.ts';
import { remoteQueries } from '../../api/remote-queries.ts';
import { cancelRequest } from '../../api/requests.ts';
import { useText } from '../../i18n/index.ts';
import { formatBytes, requestTypeText } from '../format-text.ts';
import { useReloadRemotes } from './follow-request.ts';
import { useChange } from '../use-change.ts';
import { Button, Group, Progress, Text } from '../../ui/kit.ts';

const types: ReadonlySet<string> = new Set(['checkout:remote', 'publish:remote', 'pull:remote', 'push:remote']);
const isRunning = ({ status, operation }: Request): boolean =>
  types.has(operation.type) && (status === 'queued' || status === 'started');

/** Running requests that exchange with servers: all, or those of one local job. */
export function useRemoteRequests(jobId?: number | null): readonly Request[] {
  const { data } = useQuery({
    ...queries.requests(),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.results.some(isRunning) === true ? 700 : 5_000),
  });
  const running = (data?.results ?? []).filter(isRunning);
  if (jobId === undefined) return running;
  return running.filter(({ operation }) => operation.job_id !== null && operation.job_id === jobId);
}

/** Progress of a request, with a button that cancels it. */
export function RequestProgress({ request }: { readonly request: Request }) {
  const t = useText();
  const { id, message, progress, operation } = request;
  const cancel = useChange(() => cancelRequest(id), { reloads: ['requests'], failed: t('requests.cancelFailed') });
  return (
    <Group gap={8} role="status" data-testid="remote-progress">
      <Text fz="xs">{message === '' ? requestTypeText(operation.type, t) : message}</Text>
      <Group gap={8} wrap="nowrap">
        <Progress
          w={160}
          value={(progress ?? 1) * 100}
          animated={progress === null}
          aria-label={t('remote.progress')}
        />
        <Button size="compact-xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('common.cancel')}
        </Button>
      </Group>
    </Group>
  );
}

/** Running checkouts, publications, pulls and pushes, and the disk space of all frames. */
export function RemoteProgress() {
  const t = useText();
  const reload = useReloadRemotes();
  const used = useQuery(remoteQueries.servers()).data?.results[0]?.frame_bytes ?? 0;
  const running = useRemoteRequests();
  const count = running.length;
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current) reload();
    before.current = count;
    // oxlint-disable-next-line react/exhaustive-deps -- only a request that has ended changes the lists
  }, [count]);
  return (
    <Group gap={16} flex={1}>
      {running.map((request) => (
        <RequestProgress key={request.id} request={request} />
      ))}
      {used > 0 && <Text fz="xs">{t('remote.usedSpace', { size: formatBytes(used) })}</Text>}
    </Group>
  );
}
