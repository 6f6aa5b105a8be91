import { createPredictionFilling } from '../evaluation/predictions/prediction-filling.ts';
import { createPredictionRepository } from '../evaluation/predictions/prediction-repository.ts';
import { createPredictionService } from '../evaluation/predictions/prediction-service.ts';
import { createPredictionsFile, createPredictionsOfTask } from '../evaluation/predictions/predictions-import.ts';
import { createSuggestionService } from '../evaluation/predictions/suggestion-service.ts';
import { createEvaluationRepository } from '../evaluation/runs/evaluation-repository.ts';
import { createEvaluationRunner, evaluationType } from '../evaluation/runs/evaluation-runner.ts';
import { createEvaluationService } from '../evaluation/runs/evaluation-service.ts';
import type { RunImport } from '../import-export/import/import-runner.ts';
import type { AnnotationService } from '../work/annotations/annotation-service.ts';
import type { Foundation } from './foundation.ts';

/** Prediction sets and evaluations. */
export function createEvaluation(foundation: Foundation, annotations: AnnotationService, runImport: RunImport) {
  const { database, databaseFile, dataDirectory, workers, clock, access, formats, queue, requests } = foundation;
  const { garbage, repositories } = foundation;
  const { tasks, jobs, media, labelRows, sets, users } = repositories;
  const rows = createPredictionRepository(database);
  const evaluations = createEvaluationRepository(database);
  const filling = createPredictionFilling({
    database,
    predictions: rows,
    sets,
    labelRows,
    access,
    clock,
    onDiscarded: garbage.collect,
  });
  const source = { databaseFile, dataDirectory, tasks, sets, predictions: rows, clock };
  queue.register('import:predictions', runImport(createPredictionsFile(source)));
  queue.register('copy:predictions', runImport(createPredictionsOfTask(source)));
  queue.register(
    evaluationType,
    createEvaluationRunner({ database, databaseFile, dataDirectory, workers, evaluations, sets, tasks, clock }),
  );
  const predictions = createPredictionService(
    { filling, predictions: rows, sets, users, access, formats, clock },
    requests,
  );
  return {
    /** For batches, which fill prediction sets. */
    predictionSets: { filling, rows },
    services: {
      predictions,
      suggestions: createSuggestionService({ database, predictions: rows, sets, access }),
      evaluations: createEvaluationService(
        {
          database,
          evaluations,
          annotations,
          predictions,
          sets,
          labelRows,
          tasks,
          jobs,
          media,
          users,
          access,
          clock,
        },
        requests,
      ),
    },
  };
}
