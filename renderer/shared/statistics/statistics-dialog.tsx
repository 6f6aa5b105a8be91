import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { Group, Loader, Modal, SmallButton, Stack, Text } from '../../ui/kit.ts';
import { Problem } from '../../ui/page.tsx';
import { StatisticsView } from './statistics-view.tsx';

/** A notice appears only after this delay. */
const patienceMs = 500;

export interface StatisticsTarget {
  readonly kind: 'job' | 'task' | 'project';
  readonly id: number;
  readonly name: string;
}

function Counting({ onStop }: { readonly onStop: () => void }) {
  const t = useText();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) return null;
  return (
    <Group role="status" gap={12}>
      <Loader size="sm" />
      <Text fz="sm">{t('statistics.counting')}</Text>
      <SmallButton onClick={onStop}>{t('common.cancel')}</SmallButton>
    </Group>
  );
}

interface StatisticsDialogProps {
  readonly target: StatisticsTarget;
  readonly onClose: () => void;
  /** Waits for unsent edits, so that they are counted. */
  readonly beforeStart?: () => Promise<unknown>;
}

export function StatisticsDialog({ target, onClose, beforeStart }: StatisticsDialogProps) {
  const t = useText();
  const client = useQueryClient();
  const options = queries.statistics(target.kind, target.id, beforeStart);
  const query = useQuery(options);
  const retry = { label: t('statistics.again'), run: () => void query.refetch() };
  return (
    <Modal opened onClose={onClose} size={1080} title={t('statistics.of', { name: target.name })}>
      <Stack mih={240}>
        {query.isFetching ? (
          <Counting onStop={() => void client.cancelQueries({ queryKey: options.queryKey })} />
        ) : query.data !== undefined ? (
          <StatisticsView name={target.name} statistics={query.data} />
        ) : query.error !== null ? (
          <Problem title={t('common.loadFailed')} message={query.error.message} retry={retry} />
        ) : (
          <Group>
            <Text fz="sm">{t('statistics.stopped')}</Text>
            <SmallButton onClick={retry.run}>{retry.label}</SmallButton>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}
