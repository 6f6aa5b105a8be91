import {
  IconArrowBackUp,
  IconArrowDown,
  IconArrowUp,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Batch } from '../../../preload/contract/schema/batches.ts';
import { call } from '../../api/client.ts';
import { useText } from '../../i18n/index.ts';
import { ask } from '../../ui/confirm.tsx';
import { Menu } from '../../ui/kit.ts';
import { DeleteItem, MoreMenu } from '../../ui/more-menu.tsx';
import { notify } from '../../ui/notify.ts';

type State = Batch['state'];

const canPause = (state: State): boolean => state === 'queued' || state === 'running' || state === 'waiting';
const canGoOn = (state: State): boolean => state === 'paused' || state === 'failed' || state === 'waiting';
const isOver = (state: State): boolean => state === 'finished' || state === 'cancelled' || state === 'undone';
const [lowest, highest, step] = [-100, 100, 10];

export function BatchMenu({ batch }: { readonly batch: Batch }) {
  const t = useText();
  const client = useQueryClient();
  const { id, state, priority, results, done_count: done } = batch;
  const params = { id };
  const run = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onError: (error) => notify.failure(t('batches.changeFailed'), error),
    onSettled: () =>
      Promise.all(
        ['batches', 'predictions', 'annotations'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      ),
  });
  const change = (body: { readonly state?: 'queued' | 'paused'; readonly priority?: number }): void =>
    run.mutate(() => call('updateBatch', { params, body }));
  const undo = async (): Promise<void> => {
    const text = t(results === 'predictions' ? 'batches.undoPredictions' : 'batches.undoAnnotations');
    const words = { title: t('batches.undoTitle'), text, confirm: t('batches.undo') };
    if (await ask(words)) run.mutate(() => call('undoBatch', { params }));
  };
  const forget = async (): Promise<void> => {
    const words = { title: t('batches.forgetTitle'), text: t('batches.forgetText') };
    if (!(await ask({ ...words, confirm: t('batches.forget') }))) return;
    run.mutate(() => call('deleteBatch', { params }));
  };
  return (
    <MoreMenu of="row" label={t('batches.moreOf', { id })} loading={run.isPending}>
      {canPause(state) && (
        <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => change({ state: 'paused' })}>
          {t('batches.pause')}
        </Menu.Item>
      )}
      {canGoOn(state) && (
        <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={() => change({ state: 'queued' })}>
          {t('batches.resume')}
        </Menu.Item>
      )}
      {!isOver(state) && (
        <>
          <Menu.Item
            leftSection={<IconArrowUp size={16} />}
            disabled={priority >= highest}
            onClick={() => change({ priority: Math.min(highest, priority + step) })}
          >
            {t('batches.sooner')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowDown size={16} />}
            disabled={priority <= lowest}
            onClick={() => change({ priority: Math.max(lowest, priority - step) })}
          >
            {t('batches.later')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPlayerStop size={16} />}
            onClick={() => run.mutate(() => call('cancelBatch', { params }))}
          >
            {t('batches.cancel')}
          </Menu.Item>
        </>
      )}
      {state !== 'undone' && done > 0 && (
        <Menu.Item leftSection={<IconArrowBackUp size={16} />} onClick={() => void undo()}>
          {t('batches.undo')}
        </Menu.Item>
      )}
      <DeleteItem onClick={() => void forget()}>{t('batches.forget')}</DeleteItem>
    </MoreMenu>
  );
}
