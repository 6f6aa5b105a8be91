import { useQuery } from '@tanstack/react-query';
import { modelQueries } from '../../api/model-queries.ts';
import { useText } from '../../i18n/index.ts';
import { Text } from '../../ui/kit.ts';

const lookMs = 2000;

export function WaitingPlace({ name }: { readonly name: string }) {
  const t = useText();
  const model = useQuery({
    ...modelQueries.one(name),
    staleTime: 0,
    retry: false,
    // A function that runs elsewhere has no position.
    refetchInterval: ({ state: { status } }) => (status === 'error' ? false : lookMs),
  });
  const waiting = model.data?.waiting ?? null;
  if (waiting === null) return null;
  return (
    <Text fz="xs" role="status" title={waiting.message} data-testid="waiting-place">
      {t('models.waiting', { place: waiting.position })}
    </Text>
  );
}
