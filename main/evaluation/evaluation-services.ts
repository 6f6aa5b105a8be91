import type { RequestRunner } from '../background-requests/request-queue.ts';
import type { RequestService } from '../background-requests/request-service.ts';
import { createImportRunner, type ImportDependencies } from '../import-export/import/import-runner.ts';
import type { MediaRepository } from '../work/tasks/media-repository.ts';
import type { UserRepository } from '../users/accounts/user-repository.ts';
import type { AnnotationService } from '../work/annotations/annotation-service.ts';
import type { WorkAccess } from '../work/work-access.ts';
import { createEvaluationRepository } from './runs/evaluation-repository.ts';
import { createEvaluationRunner, evaluationType } from './runs/evaluation-runner.ts';
import { createEvaluationService } from './runs/evaluation-service.ts';
import { createPredictionFilling } from './predictions/prediction-filling.ts';
import { createPredictionRepository } from './predictions/prediction-repository.ts';
import { createPredictionService } from './predictions/prediction-service.ts';
import { createPredictionsFile, createPredictionsOfTask } from './predictions/predictions-import.ts';

export interface EvaluationServicesDependencies extends Omit<ImportDependencies, 'staging'> {
  readonly imports: ImportDependencies;
  readonly users: UserRepository;
  readonly media: MediaRepository;
  readonly access: WorkAccess;
  readonly annotations: AnnotationService;
}

export function createEvaluationServices(dependencies: EvaluationServicesDependencies) {
  const { database, imports } = dependencies;
  const rows = createPredictionRepository(database);
  const evaluations = createEvaluationRepository(database);
  const source = { ...imports, predictions: rows };
  const runners: Readonly<Record<string, RequestRunner>> = {
    'import:predictions': createImportRunner(imports, createPredictionsFile(source)),
    'copy:predictions': createImportRunner(imports, createPredictionsOfTask(source)),
    [evaluationType]: createEvaluationRunner({ ...dependencies, evaluations }),
  };
  const filling = createPredictionFilling({ ...dependencies, predictions: rows });
  return {
    runners,
    predictions: { filling, rows },
    services(requests: RequestService) {
      const predictions = createPredictionService({ ...dependencies, filling, predictions: rows }, requests);
      return {
        predictions,
        evaluations: createEvaluationService({ ...dependencies, predictions, evaluations }, requests),
      };
    },
  };
}
