import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { GitBinding, GitTask } from '../../../../preload/contract/schema/git.ts';
import { messageOf } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { gitQueries } from '../../../api/git-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { ask } from '../../../ui/confirm.tsx';
import { Button, Code, Group, Stack, Text } from '../../../ui/kit.ts';
import { joined } from '../../../ui/list.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { notify } from '../../../ui/notify.ts';
import { BindForm } from './bind-form.tsx';
import { CommitList } from './commit-list.tsx';
import { Conflicts } from './conflicts.tsx';
import { differenceText } from './difference-text.ts';
import { ExchangeForm } from './exchange-form.tsx';
import { HostDialog } from './host-dialog.tsx';
import { useExchange } from './use-exchange.ts';

/** The repository that the annotations of a task are kept in, too. */
export function RepositoryPanel({ taskId }: { readonly taskId: number }) {
  const state = useQuery({ ...gitQueries.ofTask(taskId), refetchOnMount: 'always' });
  return (
    <Loaded query={state}>
      {({ binding, to_push: toPush }) =>
        binding === null ? <BindForm taskId={taskId} /> : <Bound taskId={taskId} binding={binding} toPush={toPush} />
      }
    </Loaded>
  );
}

interface BoundProps {
  readonly taskId: number;
  readonly binding: GitBinding;
  readonly toPush: GitTask['to_push'];
}

function Bound({ taskId, binding, toPush }: BoundProps) {
  const t = useText();
  const exchange = useExchange(taskId, binding);
  const what = toPush === null ? '' : differenceText(t, toPush);
  const state = what === '' ? t(binding.base === null ? 'git.never' : 'git.upToDate') : t('git.toPush', { what });
  return (
    <Stack gap="lg" maw={860}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={4} style={{ minWidth: 0 }}>
          <Text fz="sm" truncate title={binding.address}>
            <Code>{binding.address}</Code>
          </Text>
          <Text fz="sm" c="dimmed">
            {joined([`${t('git.branch')} ${binding.branch}`, binding.folder === '' ? null : binding.folder])}
          </Text>
        </Stack>
        <UnbindButton taskId={taskId} />
      </Group>
      <Text fz="sm" data-testid="git-state">
        {state}
      </Text>
      <ExchangeForm exchange={exchange} />
      {exchange.conflicts !== null && (
        <Conflicts
          taskId={taskId}
          conflicts={exchange.conflicts.shown}
          count={exchange.conflicts.count}
          isBusy={exchange.running !== null}
          onDecided={exchange.decide}
        />
      )}
      {binding.base !== null && <CommitList taskId={taskId} base={binding.base} />}
      {exchange.host !== null && (
        <HostDialog host={exchange.host} onConfirm={exchange.confirmHost} onClose={exchange.leaveHost} />
      )}
    </Stack>
  );
}

function UnbindButton({ taskId }: { readonly taskId: number }) {
  const t = useText();
  const client = useQueryClient();
  const unbind = useMutation({
    mutationFn: () => call('unbindTaskGit', { params: { id: taskId } }),
    onError: (error) => notify.failure(t('git.unbind'), messageOf(error)),
    onSettled: () => client.invalidateQueries({ queryKey: gitQueries.ofTask(taskId).queryKey }),
  });
  const askAndUnbind = async (): Promise<void> => {
    const words = { confirm: t('git.unbind'), cancel: t('common.cancel'), danger: false };
    if (await ask({ title: t('git.unbindTitle'), text: t('git.unbindText'), ...words })) unbind.mutate();
  };
  return (
    <Button size="xs" variant="default" loading={unbind.isPending} onClick={() => void askAndUnbind()}>
      {t('git.unbind')}
    </Button>
  );
}
