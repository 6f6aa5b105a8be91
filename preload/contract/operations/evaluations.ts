import { operation } from '../operation.ts';
import * as evaluations from '../schema/evaluations.ts';

/** Limner extension: measures prediction sets against a ground truth. */
export const evaluationOperations = {
  listEvaluations: operation.get('/api/limner/evaluations', 'Evaluations, newest first', {
    query: evaluations.evaluationsQuerySchema,
    output: evaluations.evaluationsSchema,
  }),
  createEvaluation: operation.post('/api/limner/evaluations', 'Start an evaluation of prediction sets', {
    status: 202,
    body: evaluations.evaluationWriteSchema,
    output: evaluations.evaluationStartedSchema,
  }),
  listProjectPredictions: operation.get(
    '/api/limner/projects/{id}/predictions',
    "Prediction sets of a project's tasks, by name",
    { output: evaluations.projectPredictionsSchema },
  ),
  createProjectEvaluation: operation.post(
    '/api/limner/projects/{id}/evaluations',
    'Start an evaluation over all tasks of a project',
    { status: 202, body: evaluations.projectEvaluationWriteSchema, output: evaluations.evaluationStartedSchema },
  ),
  getEvaluation: operation.get('/api/limner/evaluations/{id}', 'Evaluation with its measures and curves', {
    output: evaluations.evaluationReportSchema,
  }),
  deleteEvaluation: operation.delete('/api/limner/evaluations/{id}', 'Delete an evaluation'),
  getEvaluationCounts: operation.get(
    '/api/limner/evaluations/{id}/counts',
    'Counts of matches, misses, false positives and confusions at an IoU and a score',
    { query: evaluations.countsQuerySchema, output: evaluations.evaluationCountsSchema },
  ),
  listEvaluationFrames: operation.get('/api/limner/evaluations/{id}/frames', 'Frames behind a number of the report', {
    query: evaluations.evaluationFramesQuerySchema,
    output: evaluations.evaluationFramesSchema,
  }),
  compareEvaluationFrame: operation.get(
    '/api/limner/evaluations/{id}/frames/{frame}',
    'Current truth and predictions of a frame: matched, missed and extra',
    {
      params: evaluations.evaluationFrameParams,
      query: evaluations.comparedFrameQuerySchema,
      output: evaluations.comparedFrameSchema,
    },
  ),
  getEvaluationFile: operation.get('/api/limner/evaluations/{id}/file', 'Report as a file', {
    query: evaluations.evaluationFileQuerySchema,
    output: evaluations.evaluationFileSchema,
  }),
} as const;
