import type { ProjectPredictions } from '../../../preload/contract/schema/evaluations.ts';
import type { Project } from '../../../preload/contract/schema/resources.ts';
import { call } from '../../api/client.ts';
import { useText } from '../../i18n/index.ts';
import { EvaluationDialog } from './evaluation-dialog.tsx';

interface DialogProps {
  readonly project: Project;
  readonly models: ProjectPredictions['results'];
  readonly onClose: () => void;
}

/** Of the tasks of a project: sets of one name are one model. */
export function NewProjectEvaluationDialog({ project, models, onClose }: DialogProps) {
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
