import { IconArrowDown, IconArrowsUpDown, IconArrowUp, IconRefresh, IconUnlink } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState, type ReactNode } from 'react';
import type { RemoteComparison, RemoteConflict, RemoteJob } from '../../../preload/contract/schema/remotes.ts';
import { call } from '../../api/client.ts';
import { remoteQueries } from '../../api/remote-queries.ts';
import { useText } from '../../i18n/index.ts';
import { ask } from '../../ui/confirm.tsx';
import { Button, Dimmed, Group, Hint, Menu, Stack, Text, Title } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreMenu } from '../../ui/more-menu.tsx';
import { notify } from '../../ui/notify.ts';
import { Conflicts, type Decided } from '../conflicts/conflicts.tsx';
import { formatWhen } from '../format-text.ts';
import { useChange } from '../use-change.ts';
import { DifferenceTable, isNothing } from './difference-table.tsx';
import { ExchangeDialog } from './exchange-dialog.tsx';
import { exchangeJob, useReloadRemotes, useShowRequest } from './follow-request.ts';
import { RemoteBadge } from './remote-badge.tsx';
import { RequestProgress, useRemoteRequests } from './remote-progress.tsx';

interface ExchangeCardProps {
  readonly job: RemoteJob;
  /** Conflicts are decided here, or on the page of the task. */
  readonly showsConflicts: boolean;
}

/** Changes of a checked-out job on both ends, with pull and push. */
export function ExchangeCard({ job, showsConflicts }: ExchangeCardProps) {
  const t = useText();
  const [dialog, setDialog] = useState<'pull' | 'push' | null>(null);
  const isOut = job.state === 'out';
  const running = useRemoteRequests(job.job_id);
  // A comparison would wait for the exchange.
  const compared = useQuery({ ...remoteQueries.comparison(job.id), enabled: isOut && running.length === 0 });
  return (
    <section aria-label={job.name} data-testid="exchange">
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div style={{ minWidth: 0 }}>
            <Title order={2}>{t('remote.job', { id: job.remote_job_id })}</Title>
            <Dimmed>{job.name}</Dimmed>
          </div>
          <CardMenu job={job} />
        </Group>
        <Group gap={8}>
          <RemoteBadge jobs={[job]} />
          {!showsConflicts && (
            <Link to="/tasks/$taskId" params={{ taskId: String(job.task_id) }}>
              {t('remote.openTask')}
            </Link>
          )}
        </Group>
        {job.is_push_interrupted && running.length === 0 && <Text fz="sm">{t('remote.interrupted')}</Text>}
        {dialog === null && running.map((request) => <RequestProgress key={request.id} request={request} />)}
        {isOut ? (
          <Loaded query={compared}>
            {(comparison) => (
              <Compared
                comparison={comparison}
                isComparing={compared.isFetching}
                isExchanging={running.length > 0}
                onCompare={() => void compared.refetch()}
                onExchange={setDialog}
                conflicts={
                  showsConflicts ? (
                    <JobConflicts job={job} conflicts={comparison.conflicts} />
                  ) : (
                    <Link
                      to="/tasks/$taskId"
                      params={{ taskId: String(job.task_id) }}
                      search={{ tab: 'server' }}
                      data-act="resolve"
                    >
                      {t('remote.resolve', { count: comparison.conflicts.length })}
                    </Link>
                  )
                }
              />
            )}
          </Loaded>
        ) : (
          <Dimmed>{t('remote.incomplete', { done: job.stored_frame_count, total: job.frame_count })}</Dimmed>
        )}
      </Stack>
      {dialog !== null && <ExchangeDialog job={job} kind={dialog} onClose={() => setDialog(null)} />}
    </section>
  );
}

interface ComparedProps {
  readonly comparison: RemoteComparison;
  readonly isComparing: boolean;
  readonly isExchanging: boolean;
  readonly onCompare: () => void;
  readonly onExchange: (kind: 'pull' | 'push') => void;
  readonly conflicts: ReactNode;
}

function Compared({
  comparison,
  isComparing,
  isExchanging,
  onCompare,
  onExchange,
  conflicts: renderedConflicts,
}: ComparedProps) {
  const t = useText();
  const { here, there, conflicts, job } = comparison;
  const hasConflicts = conflicts.length > 0;
  const isBusy = isComparing || isExchanging;
  return (
    <>
      <DifferenceTable
        columns={[
          { name: t('remote.here'), difference: here },
          { name: t('remote.there'), difference: there },
        ]}
      />
      <Group gap={8}>
        <Button
          size="xs"
          data-act="push"
          leftSection={<IconArrowUp size={14} />}
          disabled={isBusy || hasConflicts || isNothing(here)}
          onClick={() => onExchange('push')}
        >
          {t('remote.push')}
        </Button>
        <Button
          size="xs"
          variant="default"
          data-act="pull"
          leftSection={<IconArrowDown size={14} />}
          disabled={isBusy || hasConflicts || isNothing(there)}
          onClick={() => onExchange('pull')}
        >
          {t('remote.pull')}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} />}
          disabled={isExchanging}
          loading={isComparing}
          onClick={onCompare}
        >
          {t('remote.compare')}
        </Button>
      </Group>
      {hasConflicts && (
        <Stack gap={8}>
          <Group gap={6} wrap="nowrap">
            <IconArrowsUpDown size={16} color="var(--limner-failure)" />
            <Text fz="sm">{t('remote.conflictNote', { count: conflicts.length })}</Text>
          </Group>
          {renderedConflicts}
        </Stack>
      )}
      <Hint>
        {job.pushed_date === null
          ? t('remote.neverPushed')
          : t('remote.lastPush', { when: formatWhen(job.pushed_date) })}
      </Hint>
    </>
  );
}

function JobConflicts({ job, conflicts }: { readonly job: RemoteJob; readonly conflicts: readonly RemoteConflict[] }) {
  const t = useText();
  const client = useQueryClient();
  const reload = useReloadRemotes();
  const onStart = useShowRequest();
  const [rest, setRest] = useState<readonly RemoteConflict[] | null>(null);
  /** The service shows a part of very many conflicts, so earlier choices are sent again with the next part. */
  const decided = useRef(new Map<string, Decided>());
  const shown = (rest ?? conflicts).map((conflict) => ({ ...conflict, task_id: job.task_id, task_name: job.name }));
  const pull = useChange(
    (decisions: readonly Decided[]) => {
      for (const one of decisions) decided.current.set(one.uid, one);
      const body = { decisions: [...decided.current.values()] };
      return exchangeJob(job.id, { kind: 'pull', body }, { onStart });
    },
    {
      failed: t('remote.pullFailed', { name: job.name }),
      done: async (pulled) => {
        setRest(pulled.conflicts.length > 0 ? pulled.conflicts : null);
        if (pulled.conflicts.length > 0) return;
        decided.current.clear();
        notify.success(t('remote.pulled', { name: job.name }));
        await client.invalidateQueries({ queryKey: remoteQueries.comparison(job.id).queryKey });
        reload();
      },
    },
  );
  return (
    <Conflicts
      namesTasks={false}
      conflicts={shown}
      count={shown.length}
      deletedThere={t('remote.theyDeleted')}
      isBusy={pull.isPending}
      onDecided={(decisions) => pull.mutate(decisions)}
    />
  );
}

function CardMenu({ job }: { readonly job: RemoteJob }) {
  const t = useText();
  const release = useChange(() => call('deleteRemoteJob', { params: { id: job.id }, organization: null }), {
    reloads: ['remote-jobs', 'remotes'],
    failed: job.name,
    done: () => notify.success(t('remote.released', { name: job.name })),
  });
  const askAndRelease = async (): Promise<void> => {
    const title = t('remote.releaseTitle', { name: job.name });
    if (await ask({ title, text: t('remote.releaseText'), confirm: t('remote.release') })) release.mutate();
  };
  return (
    <MoreMenu of="row" label={t('remote.moreOf', { name: job.name })}>
      <Menu.Item leftSection={<IconUnlink size={16} />} onClick={() => void askAndRelease()}>
        {t('remote.release')}
      </Menu.Item>
    </MoreMenu>
  );
}
