import { useQuery } from '@tanstack/react-query';
import type { RemoteItem } from '../../../preload/contract/schema/remotes.ts';
import { call } from '../../api/client.ts';
import { remoteQueries } from '../../api/remote-queries.ts';
import { useText } from '../../i18n/index.ts';
import { formatBytes } from '../../shared/format-text.ts';
import { useFollowRequest } from '../../shared/remotes/follow-request.ts';
import { useChange } from '../../shared/use-change.ts';
import { FormDialog } from '../../ui/form.tsx';
import { Dimmed, NumberInput, useLocalStorage } from '../../ui/kit.ts';
import { itemName } from './item-words.ts';

const gigabyte = 1e9;
const usualBudget = 40;
const maxBudget = 100_000;

/** Disk space in GB for frames of all servers, kept on this computer. */
const useBudget = () =>
  useLocalStorage({ key: 'limner.remote-budget', defaultValue: usualBudget, getInitialValueInEffect: false });

interface CheckoutDialogProps {
  readonly serverId: number;
  readonly item: Pick<RemoteItem, 'kind' | 'id' | 'name' | 'child_count' | 'frame_count'>;
  readonly onClose: () => void;
}

export function CheckoutDialog({ serverId, item, onClose }: CheckoutDialogProps) {
  const t = useText();
  const [budget, setBudget] = useBudget();
  const follow = useFollowRequest();
  const used = useQuery(remoteQueries.servers()).data?.results[0]?.frame_bytes ?? 0;
  const name = itemName(t, item);
  const start = useChange(
    () => {
      if (item.kind === 'organization') throw new Error('Organizations have no frames.');
      const body = { kind: item.kind, id: item.id, budget_bytes: Math.round(budget * gigabyte) };
      return call('checkOutRemote', { params: { id: serverId }, body });
    },
    {
      done: ({ rq_id: id }) => {
        follow(id, t('remote.checkoutFailed', { name }));
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title={t('remote.checkoutTitle', { name })}
      submit={t('remote.checkOut')}
      change={start}
      isReady={budget > 0}
      onClose={onClose}
    >
      <Dimmed>
        {item.frame_count === null ? t('remote.checkoutText') : t('remote.checkoutFrames', { count: item.frame_count })}
      </Dimmed>
      <NumberInput
        label={t('remote.budget')}
        description={t('remote.budgetHint', { size: formatBytes(used) })}
        data-autofocus
        min={0.1}
        max={maxBudget}
        value={budget}
        onChange={(value) => setBudget(Number(value))}
      />
    </FormDialog>
  );
}
