import { useQuery } from '@tanstack/react-query';
import type { ModelFunction } from '../../../../preload/contract/schema/functions.ts';
import { modelQueries } from '../../../api/model-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { RowNote } from '../../../ui/list.tsx';
import { notify } from '../../../ui/notify.ts';
import { StateDot } from '../../../ui/state-dot.tsx';
import { ModelState } from './model-state.tsx';
import { timeText } from './model-text.ts';
import { addressRefreshMs } from './model-timing.ts';

/** Functions at addresses and models of inference servers. Functions of dashboards have the state of their dashboard. */
const hasAddress = ({ address, provider }: ModelFunction): boolean =>
  address !== null && (provider === 'url' || provider === 'limner');

const useAddress = (model: ModelFunction, canManage: boolean) =>
  useQuery({
    ...modelQueries.address(model.name),
    enabled: canManage && hasAddress(model),
    refetchInterval: addressRefreshMs,
  });

interface AddressProps {
  readonly model: ModelFunction;
  /** Only administrators may check addresses. */
  readonly canManage: boolean;
}

/** State of a function; for one at an address, whether it answers now. */
export function ReachedState({ model, canManage }: AddressProps) {
  const t = useText();
  const { data } = useAddress(model, canManage);
  if (data?.is_reachable !== false) return <ModelState model={model} />;
  return (
    <StateDot tone="bad" testId="model-state" title={data.reason}>
      {t('models.unreachable')}
    </StateDot>
  );
}

/** Time until the address answered, or the reason why it did not. */
export function AddressNote({ model, canManage }: AddressProps) {
  const t = useText();
  const { data } = useAddress(model, canManage);
  if (data === undefined) return null;
  const { is_reachable: isReachable, reason, duration_ms: time } = data;
  const text = isReachable ? t('models.reached', { time: timeText(time ?? 0, t) }) : reason;
  return <RowNote text={text} failed={!isReachable} whole />;
}

/** Checks the address now and shows the result; null for functions without one. */
export function useAddressTest(model: ModelFunction): (() => Promise<void>) | null {
  const t = useText();
  const { refetch } = useAddress(model, false);
  if (!hasAddress(model)) return null;
  return async () => {
    const { data, error } = await refetch();
    if (data?.is_reachable) notify.success(t('models.reached', { time: timeText(data.duration_ms ?? 0, t) }));
    else notify.failure(t('models.unreachable'), data?.reason ?? error ?? '');
  };
}
