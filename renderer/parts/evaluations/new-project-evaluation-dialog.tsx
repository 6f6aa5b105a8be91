import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  evaluationKinds,
  type ProjectPredictions,
  type ProjectTruth,
  type ReportKind,
} from '../../../preload/contract/schema/evaluations.ts';
import type { Project } from '../../../preload/contract/schema/resources.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { Button, Checkbox, Group, Modal, MultiSelect, Select, Stack, Text, TextInput } from '../../ui/kit.ts';

interface DialogProps {
  readonly project: Project;
  readonly models: ProjectPredictions['results'];
  readonly onClose: () => void;
}

const most = 4;

/** Which models over the tasks of a project, against which truth, compared how. */
export function NewProjectEvaluationDialog({ project, models, onClose }: DialogProps) {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const labels = useQuery(queries.labels({ project_id: project.id })).data ?? [];
  const [name, setName] = useState(project.name);
  const [truth, setTruth] = useState<ProjectTruth>('annotations');
  const [chosen, setChosen] = useState<readonly string[]>(models.slice(0, 1).map((model) => model.name));
  const [kind, setKind] = useState<ReportKind>('bbox');
  const [only, setOnly] = useState<string[]>([]);
  const measure = useMutation({
    mutationFn: () =>
      call('createProjectEvaluation', {
        params: { id: project.id },
        body: {
          name: name.trim(),
          predictions: [...chosen],
          truth,
          kind,
          labels: only.length === 0 ? null : only,
        },
      }),
    async onSuccess(made) {
      await client.invalidateQueries({ queryKey: ['evaluations'] });
      await navigate({ to: '/evaluations/$evaluationId', params: { evaluationId: String(made.id) } });
    },
  });
  const toggle = (model: string): void =>
    setChosen((now) => (now.includes(model) ? now.filter((one) => one !== model) : [...now, model]));
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
          data={[
            { value: 'annotations', label: t('evaluations.truthTasks') },
            { value: 'ground_truth', label: t('evaluations.truthJobs') },
          ]}
          value={truth}
          allowDeselect={false}
          onChange={(next) => setTruth(next === 'ground_truth' ? next : 'annotations')}
        />
        <Checkbox.Group label={t('evaluations.models')} description={t('evaluations.modelsNote')} value={[...chosen]}>
          <Stack gap={6} pt={4}>
            {models.map((model) => (
              <Checkbox
                key={model.name}
                value={model.name}
                label={model.name}
                disabled={!chosen.includes(model.name) && chosen.length >= most}
                onChange={() => toggle(model.name)}
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
