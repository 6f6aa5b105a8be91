import { operation } from '../operation.ts';
import * as evaluations from '../schema/evaluations.ts';

/** Limner extension: measures prediction sets against a ground truth. */
export const evaluationOperations = {
  listEvaluations: operation.get('/api/limner/evaluations', 'Evaluations, the newest first', {
    query: evaluations.evaluationsQuerySchema,
    output: evaluations.evaluationsSchema,
  }),
  createEvaluation: operation.post('/api/limner/evaluations', 'Start measuring prediction sets against a truth', {
    status: 202,
    body: evaluations.evaluationWriteSchema,
    output: evaluations.evaluationStartedSchema,
  }),
  listProjectPredictions: operation.get(
    '/api/limner/projects/{id}/predictions',
    'What models have said of the tasks of a project, by their names',
    { output: evaluations.projectPredictionsSchema },
  ),
  createProjectEvaluation: operation.post(
    '/api/limner/projects/{id}/evaluations',
    'Start measuring models over all tasks of a project that they have said something of',
    { status: 202, body: evaluations.projectEvaluationWriteSchema, output: evaluations.evaluationStartedSchema },
  ),
  getEvaluation: operation.get('/api/limner/evaluations/{id}', 'An evaluation with its measures and curves', {
    output: evaluations.evaluationReportSchema,
  }),
  deleteEvaluation: operation.delete('/api/limner/evaluations/{id}', 'Delete an evaluation'),
  getEvaluationCounts: operation.get(
    '/api/limner/evaluations/{id}/counts',
    'What is found, missed, extra and mixed up at an overlap and a score',
    { query: evaluations.countsQuerySchema, output: evaluations.evaluationCountsSchema },
  ),
  listEvaluationFrames: operation.get('/api/limner/evaluations/{id}/frames', 'The frames behind a number', {
    query: evaluations.evaluationFramesQuerySchema,
    output: evaluations.evaluationFramesSchema,
  }),
  compareEvaluationFrame: operation.get(
    '/api/limner/evaluations/{id}/frames/{frame}',
    'Truth and predictions of one frame as they are now: matched, missed and extra',
    {
      params: evaluations.evaluationFrameParams,
      query: evaluations.comparedFrameQuerySchema,
      output: evaluations.comparedFrameSchema,
    },
  ),
  getEvaluationFile: operation.get('/api/limner/evaluations/{id}/file', 'The report as one file', {
    query: evaluations.evaluationFileQuerySchema,
    output: evaluations.evaluationFileSchema,
  }),
} as const;
