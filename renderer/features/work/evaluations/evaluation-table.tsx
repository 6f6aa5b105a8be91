import { IconRuler2 } from '@tabler/icons-react';
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Evaluation, ReportKind } from '../../../../preload/contract/schema/evaluations.ts';
import { messageOf } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { formatFixed } from '../../../i18n/language.ts';
import { ask } from '../../../ui/confirm.tsx';
import { Button, Dimmed, Group, Title } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { DeleteItem, MoreMenu } from '../../../ui/more-menu.tsx';
import { notify } from '../../../ui/notify.ts';
import { DataTable, NumberCell, RowActions } from '../../../ui/table.tsx';

interface EvaluationListProps {
  readonly evaluations: UseQueryResult<{ readonly results: readonly Evaluation[] }>;
  readonly empty: string;
  /** True if there is something to evaluate. */
  readonly isReady: boolean;
  readonly onEvaluate: () => void;
}

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

export function useDelete(kind: 'set' | 'evaluation') {
  const t = useText();
  const client = useQueryClient();
  return async (id: number, name: string): Promise<void> => {
    const isSet = kind === 'set';
    const isMeant = await ask({
      title: t(isSet ? 'evaluations.deleteSet' : 'evaluations.deleteEvaluation', { name }),
      text: t(isSet ? 'evaluations.deleteSetText' : 'evaluations.deleteEvaluationText'),
      confirm: t('evaluations.delete'),
    });
    if (!isMeant) return;
    try {
      await call(isSet ? 'deletePredictionSet' : 'deleteEvaluation', { params: { id } });
      await client.invalidateQueries({ queryKey: ['evaluations'] });
      await client.invalidateQueries({ queryKey: ['predictions'] });
    } catch (error) {
      notify.failure(name, messageOf(error));
    }
  };
}

const shown = (value: number | undefined): string =>
  value === undefined || value === -1 ? '–' : formatFixed(value, 3);

const ofObjects = ['AP', 'AP50'];
const mainMeasures: Readonly<Record<ReportKind, readonly string[]>> = {
  bbox: ofObjects,
  rotated: ofObjects,
  segm: ofObjects,
  keypoints: ofObjects,
  tags: ['accuracy', 'F1'],
  semantic: ['mIoU', 'pixelAccuracy'],
  tracks: ['HOTA', 'MOTA'],
};

function EvaluationTable({ evaluations }: { readonly evaluations: readonly Evaluation[] }) {
  const t = useText();
  const remove = useDelete('evaluation');
  const columns = (['name', 'kind', 'predictions', 'measures'] as const).map((column) => t(`evaluations.${column}`));
  const numbers = new Set([t('evaluations.measures')]);
  return (
    <DataTable label={t('evaluations.list')} columns={columns} numbers={numbers}>
      {evaluations.map(({ id, name, kind, models, finished_date: finished }) => (
        <tr key={id}>
          <th scope="row">
            <Link to="/evaluations/$evaluationId" params={{ evaluationId: String(id) }}>
              {name}
            </Link>
          </th>
          <td>{t(`evaluations.kinds.${kind}`)}</td>
          <td>{models.map((model) => model.name).join(', ')}</td>
          <NumberCell>
            {finished === null
              ? t('evaluations.measuring')
              : mainMeasures[kind]
                  .map((name) => `${name} ${models.map(({ measures }) => shown(measures?.[name])).join(' / ')}`)
                  .join(' · ')}
          </NumberCell>
          <RowActions>
            <MoreMenu of="row" label={t('evaluations.moreOf', { name })}>
              <DeleteItem onClick={() => void remove(id, name)}>{t('evaluations.delete')}</DeleteItem>
            </MoreMenu>
          </RowActions>
        </tr>
      ))}
    </DataTable>
  );
}
