import type { evaluationOperations } from '../../../preload/contract/operations/evaluations.ts';
import type { predictionOperations } from '../../../preload/contract/operations/predictions.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';

export const createPredictionHandlers = ({
  functions: { predictions },
}: Pick<Core, 'functions'>): HandlersOf<typeof predictionOperations> => ({
  listPredictionSets: ({ actor, params }) => ({ results: predictions.list(actor, params.id) }),
  createPredictionSet: ({ actor, params, body }) => predictions.create(actor, params.id, body),
  takePredictionsOfTask: ({ actor, params, body }) => predictions.startTask(actor, params.id, body),
  getPredictionSet: ({ actor, params }) => predictions.get(actor, params.id),
  updatePredictionSet: ({ actor, params, body }) => predictions.update(actor, params.id, body),
  addPredictions: ({ actor, params, body }) => predictions.append(actor, params.id, body),
  exportPredictionSet: ({ actor, params, body }) => predictions.startExport(actor, params.id, body),
  deletePredictionSet: ({ actor, params }) => predictions.remove(actor, params.id),
});

export const createEvaluationHandlers = ({
  functions: { evaluations },
}: Pick<Core, 'functions'>): HandlersOf<typeof evaluationOperations> => ({
  listEvaluations: ({ actor, query }) => ({ results: evaluations.list(actor, query) }),
  createEvaluation: ({ actor, body }) => evaluations.create(actor, body),
  listProjectPredictions: ({ actor, params }) => evaluations.predictionsOfProject(actor, params.id),
  createProjectEvaluation: ({ actor, params, body }) => evaluations.createOfProject(actor, params.id, body),
  getEvaluation: ({ actor, params }) => evaluations.get(actor, params.id),
  deleteEvaluation: ({ actor, params }) => evaluations.remove(actor, params.id),
  getEvaluationCounts: ({ actor, params, query }) => evaluations.counts(actor, params.id, query),
  listEvaluationFrames: ({ actor, params, query }) => evaluations.frames(actor, params.id, query),
  compareEvaluationFrame: ({ actor, params, query }) => evaluations.compare(actor, params.id, params.frame, query),
  getEvaluationFile: ({ actor, params, query }) => evaluations.file(actor, params.id, query),
});
