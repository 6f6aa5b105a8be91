import type { PredictionSet } from '../../../preload/contract/schema/predictions.ts';
import type { Job, Task } from '../../../preload/contract/schema/resources.ts';
import { call } from '../../api/client.ts';
import { useText } from '../../i18n/index.ts';
import { EvaluationDialog } from './evaluation-dialog.tsx';

interface NewEvaluationProps {
  readonly task: Task;
  readonly jobs: readonly Job[];
  readonly sets: readonly PredictionSet[];
  readonly onClose: () => void;
}

/** Of a task: its annotations, a ground-truth job or a prediction set is the truth. */
export function NewEvaluationDialog({ task, jobs, sets, onClose }: NewEvaluationProps) {
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
