import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { evaluationKinds, type ReportKind } from '../../../preload/contract/schema/evaluations.ts';
import type { PredictionSet } from '../../../preload/contract/schema/predictions.ts';
import type { Job, Task } from '../../../preload/contract/schema/resources.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { Button, Checkbox, Group, Modal, MultiSelect, Select, Stack, Text, TextInput } from '../../ui/kit.ts';

interface NewEvaluationProps {
  readonly task: Task;
  readonly jobs: readonly Job[];
  readonly sets: readonly PredictionSet[];
  readonly onClose: () => void;
}

const most = 4;

/** Which truth, which predictions, compared how. */
export function NewEvaluationDialog({ task, jobs, sets, onClose }: NewEvaluationProps) {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const labels = useQuery(queries.labels({ task_id: task.id })).data ?? [];
  const [name, setName] = useState(task.name);
  const [truth, setTruth] = useState('task');
  const [chosen, setChosen] = useState<readonly number[]>(sets.slice(0, 2).map(({ id }) => id));
  const [kind, setKind] = useState<ReportKind>('bbox');
  const [only, setOnly] = useState<string[]>([]);
  const groundTruths = jobs.filter(({ type }) => type === 'ground_truth');
  const truths = [
    { value: 'task', label: t('evaluations.truthTask') },
    ...groundTruths.map(({ id }) => ({ value: `job ${id}`, label: t('evaluations.truthJob', { id }) })),
    ...sets.map((set) => ({ value: `set ${set.id}`, label: t('evaluations.truthSet', { name: set.name }) })),
  ];
  const [of, id = ''] = truth.split(' ');
  const measure = useMutation({
    mutationFn: () =>
      call('createEvaluation', {
        body: {
          name: name.trim(),
          task_id: task.id,
          truth_job_id: of === 'job' ? Number(id) : null,
          truth_prediction_set_id: of === 'set' ? Number(id) : null,
          predictions: [...chosen],
          kind,
          labels: only.length === 0 ? null : only,
        },
      }),
    async onSuccess(made) {
      await client.invalidateQueries({ queryKey: ['evaluations'] });
      await navigate({ to: '/evaluations/$evaluationId', params: { evaluationId: String(made.id) } });
    },
  });
  const toggle = (set: number): void =>
    setChosen((now) => (now.includes(set) ? now.filter((one) => one !== set) : [...now, set]));
  return (
    <Modal opened title={t('evaluations.newTitle')} onClose={onClose}>
      <Stack gap="sm">
        <TextInput
          label={t('evaluations.name')}
          value={name}
          maxLength={256}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label={t('evaluations.truth')}
          data={truths}
          value={truth}
          allowDeselect={false}
          onChange={(next) => setTruth(next ?? 'task')}
        />
        <Checkbox.Group label={t('evaluations.predictions')} value={chosen.map(String)}>
          <Stack gap={6} pt={4}>
            {sets.map((set) => (
              <Checkbox
                key={set.id}
                value={String(set.id)}
                label={set.name}
                disabled={!chosen.includes(set.id) && chosen.length >= most}
                onChange={() => toggle(set.id)}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select
          label={t('evaluations.kind')}
          data={evaluationKinds.map((value) => ({ value, label: t(`evaluations.kinds.${value}`) }))}
          value={kind}
          allowDeselect={false}
          onChange={(next) => setKind(evaluationKinds.find((one) => one === next) ?? 'bbox')}
        />
        <MultiSelect
          label={t('evaluations.labels')}
          placeholder={only.length === 0 ? t('evaluations.allLabels') : ''}
          data={labels.map((label) => label.name)}
          value={only}
          onChange={setOnly}
        />
        {measure.isError && (
          <Text fz="sm" c="red" role="alert">
            {messageOf(measure.error)}
          </Text>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            loading={measure.isPending}
            disabled={chosen.length === 0 || name.trim() === ''}
            onClick={() => measure.mutate()}
          >
            {t('evaluations.start')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
