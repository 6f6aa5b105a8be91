import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProjectPredictions } from '../../../../preload/contract/schema/evaluations.ts';
import type { Project } from '../../../../preload/contract/schema/resources.ts';
import { call } from '../../../api/client.ts';
import { evaluationQueries } from '../../../api/evaluation-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { Dimmed, Stack, Title } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { DataTable, NumberCell } from '../../../ui/table.tsx';
import { EvaluationDialog } from './evaluation-dialog.tsx';
import { EvaluationList } from './evaluation-table.tsx';

interface DialogProps {
  readonly project: Project;
  readonly models: ProjectPredictions['results'];
  readonly onClose: () => void;
}

/** Evaluation of a project's tasks; sets of the same name form one model. */
function NewProjectEvaluationDialog({ project, models, onClose }: DialogProps) {
  const t = useText();
  return (
    <EvaluationDialog
      name={project.name}
      labelsOf={{ project_id: project.id }}
      truths={[
        { value: 'annotations', label: t('evaluations.truthTasks') },
        { value: 'ground_truth', label: t('evaluations.truthJobs') },
      ]}
      predictions={{
        label: t('evaluations.models'),
        description: t('evaluations.modelsNote'),
        all: models.map(({ name }) => ({ value: name, label: name })),
      }}
      chosenFirst={1}
      measure={({ truth, chosen, ...rest }) => {
        const body = {
          ...rest,
          truth: truth === 'ground_truth' ? ('ground_truth' as const) : ('annotations' as const),
          predictions: [...chosen],
        };
        return call('createProjectEvaluation', { params: { id: project.id }, body });
      }}
      onClose={onClose}
    />
  );
}

/** Predictions for a project's tasks and the evaluations over all of them. */
export function ProjectEvaluationsPanel({ project }: { readonly project: Project }) {
  const t = useText();
  const [isNew, setNew] = useState(false);
  const models = useQuery({ ...evaluationQueries.ofModels(project.id), refetchOnMount: 'always' });
  const evaluations = useQuery({ ...evaluationQueries.ofProject(project.id), refetchOnMount: 'always' });
  const known = models.data?.results ?? [];
  const [tasks, counts] = [t('evaluations.inTasks'), t('evaluations.predictions')];
  return (
    <Stack gap="lg">
      <EvaluationList
        evaluations={evaluations}
        empty={t('evaluations.projectListEmpty')}
        isReady={known.length > 0}
        onEvaluate={() => setNew(true)}
      />
      <section>
        <Title order={2} mb={8}>
          {t('evaluations.models')}
        </Title>
        <Loaded query={models}>
          {({ task_count: all, results }) =>
            results.length === 0 ? (
              <Dimmed maw={640}>{t('evaluations.modelsEmpty')}</Dimmed>
            ) : (
              <DataTable
                label={t('evaluations.models')}
                columns={[t('evaluations.name'), tasks, counts]}
                numbers={new Set([tasks, counts])}
              >
                {results.map(({ name, task_count: own, object_count: count }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <NumberCell>
                      {t('evaluations.ofTasks', { count: formatNumber(own), all: formatNumber(all) })}
                    </NumberCell>
                    <NumberCell>{t('evaluations.objects', { count, value: formatNumber(count) })}</NumberCell>
                    <td />
                  </tr>
                ))}
              </DataTable>
            )
          }
        </Loaded>
      </section>
      {isNew && <NewProjectEvaluationDialog project={project} models={known} onClose={() => setNew(false)} />}
    </Stack>
  );
}
