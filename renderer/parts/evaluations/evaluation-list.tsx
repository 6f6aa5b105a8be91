import { IconRuler2 } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Evaluation } from '../../../preload/contract/schema/evaluations.ts';
import { useText } from '../../i18n/index.ts';
import { Button, Dimmed, Group, Title } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { EvaluationTable } from './evaluation-table.tsx';

interface EvaluationListProps {
  readonly evaluations: UseQueryResult<{ readonly results: readonly Evaluation[] }>;
  /** What an evaluation would be of, where there is none yet. */
  readonly empty: string;
  /** There is something to be measured. */
  readonly isReady: boolean;
  readonly onEvaluate: () => void;
}

/** The evaluations of a task or a project, and the way to one more. */
export function EvaluationList({ evaluations, empty, isReady, onEvaluate }: EvaluationListProps) {
  const t = useText();
  return (
    <section>
      <Group justify="space-between" mb={8}>
        <Title order={2}>{t('evaluations.list')}</Title>
        <Button leftSection={<IconRuler2 size={16} />} disabled={!isReady} onClick={onEvaluate}>
          {t('evaluations.evaluate')}
        </Button>
      </Group>
      <Loaded query={evaluations}>
        {({ results }) =>
          results.length === 0 ? <Dimmed maw={640}>{empty}</Dimmed> : <EvaluationTable evaluations={results} />
        }
      </Loaded>
    </section>
  );
}
