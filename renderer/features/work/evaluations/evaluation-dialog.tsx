import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { evaluationKinds, type ReportKind } from '../../../../preload/contract/schema/evaluations.ts';
import { queries } from '../../../api/queries.ts';
import { useText } from '../../../i18n/index.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { Checkbox, MultiSelect, Stack, TextInput, ChoiceField } from '../../../ui/kit.ts';

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
  const client = useQueryClient();
  const labels = useQuery(queries.labels(labelsOf)).data ?? [];
  const [name, setName] = useState(props.name);
  const [truth, setTruth] = useState(truths[0]?.value ?? '');
  const [chosen, setChosen] = useState(predictions.all.slice(0, props.chosenFirst).map(({ value }) => value));
  const [kind, setKind] = useState<ReportKind>('bbox');
  const [only, setOnly] = useState<string[]>([]);
  const measure = useMutation({
    mutationFn: () =>
      props.measure({ name: name.trim(), truth, chosen, kind, labels: only.length === 0 ? null : only }),
    async onSuccess({ id }) {
      await client.invalidateQueries({ queryKey: ['evaluations'] });
      await navigate({ to: '/evaluations/$evaluationId', params: { evaluationId: String(id) } });
    },
  });
  return (
    <FormDialog
      title={t('evaluations.newTitle')}
      submit={t('evaluations.start')}
      onSubmit={() => measure.mutate()}
      onClose={props.onClose}
      isBusy={measure.isPending}
      isReady={chosen.length > 0 && name.trim() !== ''}
      error={measure.error?.message}
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
