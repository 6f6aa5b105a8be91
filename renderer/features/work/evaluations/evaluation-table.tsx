import { IconRuler2 } from '@tabler/icons-react';
import { useQueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Evaluation, type ReportKind, evaluationKinds } from '../../../../preload/contract/schema/evaluations.ts';
import { call } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { formatFixed } from '../../../i18n/language.ts';
import { ask } from '../../../ui/confirm.tsx';
import { Button, Dimmed, Group, Title, Checkbox, MultiSelect, Stack, TextInput, ChoiceField } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { DeleteItem, MoreMenu } from '../../../ui/more-menu.tsx';
import { notify } from '../../../ui/notify.ts';
import { DataTable, NumberCell, RowActions } from '../../../ui/table.tsx';
import { queries } from '../../../api/queries.ts';
import { useChange } from '../../../shared/use-change.ts';
import { FormDialog } from '../../../ui/form.tsx';

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
      notify.failure(name, error);
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

interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface Measured {
  readonly name: string;
  readonly truth: string;
  readonly chosen: readonly string[];
  readonly kind: ReportKind;
  /** Null for all labels. */
  readonly labels: string[] | null;
}

interface EvaluationDialogProps {
  readonly name: string;
  readonly labelsOf: { readonly task_id: number } | { readonly project_id: number };
  readonly truths: readonly Choice[];
  readonly predictions: { readonly label: string; readonly description?: string; readonly all: readonly Choice[] };
  readonly chosenFirst: number;
  readonly measure: (given: Measured) => Promise<{ readonly id: number }>;
  readonly onClose: () => void;
}

const most = 4;

/** Chooses ground truth, predictions and comparison; then opens the evaluation's page. */
export function EvaluationDialog(props: EvaluationDialogProps) {
  const { labelsOf, truths, predictions } = props;
  const t = useText();
  const navigate = useNavigate();
  const labels = useQuery(queries.labels(labelsOf)).data ?? [];
  const [name, setName] = useState(props.name);
  const [truth, setTruth] = useState(truths[0]?.value ?? '');
  const [chosen, setChosen] = useState(predictions.all.slice(0, props.chosenFirst).map(({ value }) => value));
  const [kind, setKind] = useState<ReportKind>('bbox');
  const [only, setOnly] = useState<string[]>([]);
  const measure = useChange(
    () => props.measure({ name: name.trim(), truth, chosen, kind, labels: only.length === 0 ? null : only }),
    {
      reloads: ['evaluations'],
      done: ({ id }) => navigate({ to: '/evaluations/$evaluationId', params: { evaluationId: String(id) } }),
    },
  );
  return (
    <FormDialog
      title={t('evaluations.newTitle')}
      submit={t('evaluations.start')}
      change={measure}
      onClose={props.onClose}
      isReady={chosen.length > 0 && name.trim() !== ''}
    >
      <TextInput label={t('evaluations.name')} value={name} maxLength={256} onChange={setName} />
      <ChoiceField label={t('evaluations.truth')} data={truths} value={truth} onChange={setTruth} />
      <Checkbox.Group
        label={predictions.label}
        description={predictions.description}
        value={chosen}
        onChange={setChosen}
      >
        <Stack gap={6} pt={4}>
          {predictions.all.map((one) => (
            <Checkbox key={one.value} {...one} disabled={!chosen.includes(one.value) && chosen.length >= most} />
          ))}
        </Stack>
      </Checkbox.Group>
      <ChoiceField
        label={t('evaluations.kind')}
        data={evaluationKinds.map((value) => ({ value, label: t(`evaluations.kinds.${value}`) }))}
        value={kind}
        onChange={(next) => setKind(evaluationKinds.find((one) => one === next) ?? 'bbox')}
      />
      <MultiSelect
        label={t('evaluations.labels')}
        placeholder={only.length === 0 ? t('evaluations.allLabels') : ''}
        data={labels.map((label) => label.name)}
        value={only}
        onChange={setOnly}
      />
    </FormDialog>
  );
}
