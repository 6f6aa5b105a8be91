import { useQuery } from '@tanstack/react-query';
import type { RemoteJob } from '../../../preload/contract/schema/remotes.ts';
import { useText } from '../../i18n/index.ts';
import { FormDialog } from '../../ui/form.tsx';
import { Dimmed, Text } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { DifferenceTable, isNothing } from './difference-table.tsx';
import { exchangeJob, useFollowExchange, useShowRequest } from './follow-request.ts';
import { RequestProgress, useRemoteRequests } from './remote-progress.tsx';

interface ExchangeDialogProps {
  readonly job: RemoteJob;
  readonly kind: 'pull' | 'push';
  readonly onClose: () => void;
}

/** Shows the changes of a pull or push, and starts it in the background. */
export function ExchangeDialog({ job, kind, onClose }: ExchangeDialogProps) {
  const t = useText();
  const follow = useFollowExchange();
  const onStart = useShowRequest();
  const [request] = useRemoteRequests(job.job_id);
  const planned = useQuery({
    queryKey: ['remote-dry-run', job.id, kind],
    queryFn: ({ signal }) => exchangeJob(job.id, { kind, body: { dry_run: true } }, { signal, onStart }),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const { data, error } = planned;
  const isReady = data !== undefined && data.conflicts.length === 0 && !isNothing(data.changed);
  const start = (): void => {
    follow(job, kind);
    onClose();
  };
  return (
    <FormDialog
      title={t(kind === 'push' ? 'remote.pushTitle' : 'remote.pullTitle', { name: job.name })}
      submit={t(kind === 'push' ? 'remote.push' : 'remote.pull')}
      onSubmit={start}
      isReady={isReady}
      onClose={onClose}
    >
      {data === undefined && error === null && request !== undefined && <RequestProgress request={request} />}
      <Loaded query={planned}>
        {({ changed, kept, conflicts }) => {
          if (conflicts.length > 0)
            return (
              <Text fz="sm" role="alert">
                {t('remote.resolveFirst', { count: conflicts.length })}
              </Text>
            );
          if (isNothing(changed)) return <Dimmed>{t(`remote.${kind}Nothing`)}</Dimmed>;
          const columns = [
            { name: t(kind === 'push' ? 'remote.sent' : 'remote.applied'), difference: changed },
            ...(kind === 'push' ? [{ name: t('remote.kept'), difference: kept }] : []),
          ];
          return (
            <>
              <Dimmed>{t(kind === 'push' ? 'remote.pushText' : 'remote.pullText')}</Dimmed>
              <DifferenceTable columns={columns} />
            </>
          );
        }}
      </Loaded>
    </FormDialog>
  );
}
