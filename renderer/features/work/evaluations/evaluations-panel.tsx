import { IconFileImport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PredictionSet } from '../../../../preload/contract/schema/predictions.ts';
import type { Job, Task, Project } from '../../../../preload/contract/schema/resources.ts';
import { call } from '../../../api/client.ts';
import { evaluationQueries } from '../../../api/evaluation-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { Dimmed, Group, QuietButton, Stack, Title } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { DeleteItem, MoreMenu } from '../../../ui/more-menu.tsx';
import { DataTable, NumberCell, RowActions } from '../../../ui/table.tsx';
import { EvaluationDialog, EvaluationList, useDelete } from './evaluation-table.tsx';
import { CopyDialog, FileDialog } from './predictions-dialogs.tsx';
import type { ProjectPredictions } from '../../../../preload/contract/schema/evaluations.ts';

interface NewEvaluationProps {
  readonly task: Task;
  readonly jobs: readonly Job[];
  readonly sets: readonly PredictionSet[];
  readonly onClose: () => void;
}

/** Evaluation of a task, whose truth is its annotations, a ground-truth job or a prediction set. */
function NewEvaluationDialog({ task, jobs, sets, onClose }: NewEvaluationProps) {
  const t = useText();
  const groundTruths = jobs.filter(({ type }) => type === 'ground_truth');
  return (
    <EvaluationDialog
      name={task.name}
      labelsOf={{ task_id: task.id }}
      truths={[
        { value: 'task', label: t('evaluations.truthTask') },
        ...groundTruths.map(({ id }) => ({ value: `job ${id}`, label: t('evaluations.truthJob', { id }) })),
        ...sets.map(({ id, name }) => ({ value: `set ${id}`, label: t('evaluations.truthSet', { name }) })),
      ]}
      predictions={{
        label: t('evaluations.predictions'),
        all: sets.map(({ id, name }) => ({ value: String(id), label: name })),
      }}
      chosenFirst={2}
      measure={({ truth, chosen, ...rest }) => {
        const [of, id] = truth.split(' ');
        const body = {
          ...rest,
          task_id: task.id,
          truth_job_id: of === 'job' ? Number(id) : null,
          truth_prediction_set_id: of === 'set' ? Number(id) : null,
          predictions: chosen.map(Number),
        };
        return call('createEvaluation', { body });
      }}
      onClose={onClose}
    />
  );
}

interface PanelProps {
  readonly task: Task;
  readonly jobs: readonly Job[];
}

export function EvaluationsPanel({ task, jobs }: PanelProps) {
  const t = useText();
  const [dialog, setDialog] = useState<'file' | 'copy' | 'evaluate' | null>(null);
  const sets = useQuery({ ...evaluationQueries.predictions(task.id), refetchOnMount: 'always' });
  const evaluations = useQuery({ ...evaluationQueries.ofTask(task.id), refetchOnMount: 'always' });
  const ready = (sets.data?.results ?? []).filter(({ state }) => state === 'ready');
  const close = (): void => setDialog(null);
  return (
    <Stack gap="lg">
      <EvaluationList
        evaluations={evaluations}
        empty={t('evaluations.listEmpty')}
        isReady={ready.length > 0}
        onEvaluate={() => setDialog('evaluate')}
      />
      <section>
        <Group justify="space-between" mb={8}>
          <Title order={2}>{t('evaluations.sets')}</Title>
          <Group gap="sm">
            <QuietButton onClick={() => setDialog('copy')}>{t('evaluations.ofTask')}</QuietButton>
            <QuietButton leftSection={<IconFileImport size={16} />} onClick={() => setDialog('file')}>
              {t('evaluations.importFile')}
            </QuietButton>
          </Group>
        </Group>
        <Loaded query={sets}>
          {({ results }) =>
            results.length === 0 ? <Dimmed maw={640}>{t('evaluations.setsEmpty')}</Dimmed> : <SetTable sets={results} />
          }
        </Loaded>
      </section>
      {dialog === 'file' && <FileDialog taskId={task.id} onClose={close} />}
      {dialog === 'copy' && <CopyDialog taskId={task.id} onClose={close} />}
      {dialog === 'evaluate' && <NewEvaluationDialog task={task} jobs={jobs} sets={ready} onClose={close} />}
    </Stack>
  );
}

function SetTable({ sets }: { readonly sets: readonly PredictionSet[] }) {
  const t = useText();
  const remove = useDelete('set');
  const counts = t('evaluations.predictions');
  return (
    <DataTable
      label={t('evaluations.sets')}
      columns={[t('evaluations.name'), t('evaluations.source'), counts]}
      numbers={new Set([counts])}
    >
      {sets.map(({ id, name, detail, format, state, object_count: count }) => (
        <tr key={id}>
          <th scope="row">{name}</th>
          <td>{[detail, format].filter((part) => part !== null && part !== '').join(' · ') || '–'}</td>
          <NumberCell>
            {t('evaluations.objects', { count, value: formatNumber(count) })}
            {state === 'filling' && ` · ${t('evaluations.filling')}`}
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
