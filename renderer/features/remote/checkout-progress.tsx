import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { queries } from '../../api/queries.ts';
import { remoteQueries } from '../../api/remote-queries.ts';
import { cancelRequest } from '../../api/requests.ts';
import { useText } from '../../i18n/index.ts';
import { formatBytes } from '../../shared/format-text.ts';
import { useReloadRemotes } from '../../shared/remotes/follow-request.ts';
import { useChange } from '../../shared/use-change.ts';
import { Button, Group, Progress, Text } from '../../ui/kit.ts';

const types: ReadonlySet<string> = new Set(['checkout:remote', 'publish:remote']);

/** Running checkouts and publications, each with a button that cancels it, and the disk space of all frames. */
export function CheckoutProgress() {
  const t = useText();
  const reload = useReloadRemotes();
  const used = useQuery(remoteQueries.servers()).data?.results[0]?.frame_bytes ?? 0;
  const requests = useQuery({
    ...queries.requests(),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.results.some(isRunning) === true ? 700 : 5_000),
  });
  const running = (requests.data?.results ?? []).filter(isRunning);
  const cancel = useChange((id: string) => cancelRequest(id), {
    reloads: ['requests'],
    failed: t('requests.cancelFailed'),
  });
  const count = running.length;
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current) reload();
    before.current = count;
    // oxlint-disable-next-line react/exhaustive-deps -- only a request that has ended changes the lists
  }, [count]);
  return (
    <Group gap={16} flex={1} data-testid="checkout-progress">
      {running.map(({ id, message, progress, operation }) => (
        <Group key={id} gap={8} wrap="nowrap" role="status">
          <Text fz="xs">{message === '' ? t(`requests.type.${operation.type as 'checkout:remote'}`) : message}</Text>
          <Progress
            w={160}
            value={(progress ?? 1) * 100}
            animated={progress === null}
            aria-label={t('remote.progress')}
          />
          <Button size="compact-xs" variant="default" onClick={() => cancel.mutate(id)}>
            {t('common.cancel')}
          </Button>
        </Group>
      ))}
      {used > 0 && <Text fz="xs">{t('remote.usedSpace', { size: formatBytes(used) })}</Text>}
    </Group>
  );

  function isRunning({
    status,
    operation,
  }: {
    readonly status: string;
    readonly operation: { readonly type: string };
  }) {
    return types.has(operation.type) && (status === 'queued' || status === 'started');
  }
}
