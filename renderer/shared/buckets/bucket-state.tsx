import { useQuery } from '@tanstack/react-query';
import type { CloudStorage } from '../../../preload/contract/schema/cloud-storages.ts';
import { bucketQueries } from '../../api/bucket-queries.ts';
import { messageOf } from '../../api/api-error.ts';
import { useText } from '../../i18n/index.ts';
import { Hint, Text } from '../../ui/kit.ts';
import { StateDot } from '../../ui/state-dot.tsx';

/** State of a bucket in words, as its server answers now. */
export function BucketState({ storage }: { readonly storage: CloudStorage }) {
  const t = useText();
  const { data, error } = useQuery(bucketQueries.state(storage.id, storage.updated_date));
  if (data === undefined && error === null) return <Hint role="status">{t('buckets.asking')}</Hint>;
  if (data?.status === 'AVAILABLE')
    return (
      <Text component="div" fz="xs" c="dimmed" role="status">
        <StateDot tone="ok">{t('buckets.connected')}</StateDot>
      </Text>
    );
  const state = data === undefined ? 'missing' : !data.reachable ? 'unreachable' : stateWords[data.status];
  return (
    <Text component="div" fz="xs" c="dimmed" role="status" style={{ overflowWrap: 'anywhere' }}>
      <StateDot tone="bad">{t(`buckets.states.${state}`)}</StateDot> {data?.message ?? messageOf(error)}
    </Text>
  );
}

const stateWords = { FORBIDDEN: 'forbidden', NOT_FOUND: 'missing' } as const;
