import { useQuery } from '@tanstack/react-query';
import type { RemoteDifference, RemoteJob } from '../../../preload/contract/schema/remotes.ts';
import { call } from '../../api/client.ts';
import { useText } from '../../i18n/index.ts';
import { FormDialog } from '../../ui/form.tsx';
import { Dimmed, Text } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { notify } from '../../ui/notify.ts';
import { useChange } from '../use-change.ts';
import { DifferenceTable, isNothing } from './difference-table.tsx';
import { useReloadRemotes } from './follow-request.ts';

interface Planned {
  /** Changes of the end that the exchange writes to. */
  readonly changed: RemoteDifference;
  /** Changes of others, which a push keeps. */
  readonly kept: RemoteDifference | null;
  readonly conflictCount: number;
}

async function exchange(kind: 'pull' | 'push', id: number, isDry: boolean, signal?: AbortSignal): Promise<Planned> {
  const given = { params: { id }, body: { dry_run: isDry }, signal, organization: null };
  if (kind === 'push') {
    const { sent, kept, conflicts } = await call('pushRemoteJob', given);
    return { changed: sent, kept, conflictCount: conflicts.length };
  }
  const { changed, conflicts } = await call('pullRemoteJob', given);
  return { changed, kept: null, conflictCount: conflicts.length };
}

interface ExchangeDialogProps {
  readonly job: RemoteJob;
  readonly kind: 'pull' | 'push';
  readonly onClose: () => void;
}

/** Shows what a pull or push would change, and does it. */
export function ExchangeDialog({ job, kind, onClose }: ExchangeDialogProps) {
  const t = useText();
  const reload = useReloadRemotes();
  const planned = useQuery({
    queryKey: ['remote-jobs', 'dry-run', job.id, kind],
    queryFn: ({ signal }) => exchange(kind, job.id, true, signal),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const { refetch } = planned;
  const run = useChange(() => exchange(kind, job.id, false), {
    done: ({ conflictCount }) => {
      reload();
      // Another user changed the job since the dry run. Nothing was sent or changed.
      if (conflictCount > 0) return refetch();
      notify.success(t(kind === 'push' ? 'remote.pushed' : 'remote.pulled', { name: job.name }));
      return onClose();
    },
  });
  const { data } = planned;
  const isReady = data !== undefined && data.conflictCount === 0 && !isNothing(data.changed);
  return (
    <FormDialog
      title={t(kind === 'push' ? 'remote.pushTitle' : 'remote.pullTitle', { name: job.name })}
      submit={t(kind === 'push' ? 'remote.push' : 'remote.pull')}
      change={run}
      isReady={isReady}
      onClose={onClose}
    >
      <Loaded query={planned}>
        {({ changed, kept, conflictCount }) => {
          if (conflictCount > 0)
            return (
              <Text fz="sm" role="alert">
                {t('remote.resolveFirst', { count: conflictCount })}
              </Text>
            );
          if (isNothing(changed)) return <Dimmed>{t(`remote.${kind}Nothing`)}</Dimmed>;
          const columns = [
            { name: t(kind === 'push' ? 'remote.sent' : 'remote.applied'), difference: changed },
            ...(kept === null ? [] : [{ name: t('remote.kept'), difference: kept }]),
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
