import { operation } from '../operation.ts';
import { labeledDataSchema } from '../schema/annotations.ts';
import { rqIdSchema } from '../schema/common.ts';
import * as predictions from '../schema/predictions.ts';

/** Limner's own: what models say, beside the annotations of a task and never among them. */
export const predictionOperations = {
  listPredictionSets: operation.get('/api/limner/tasks/{id}/predictions', 'The prediction sets of a task', {
    output: predictions.predictionSetsSchema,
  }),
  createPredictionSet: operation.post('/api/limner/tasks/{id}/predictions', 'Begin a prediction set', {
    body: predictions.predictionSetWriteSchema,
    output: predictions.predictionSetSchema,
  }),
  takePredictionsOfTask: operation.post(
    '/api/limner/tasks/{id}/predictions/task',
    'Start making a prediction set of the annotations of another task',
    { status: 202, body: predictions.predictionsOfTaskSchema, output: rqIdSchema },
  ),
  getPredictionSet: operation.get('/api/limner/predictions/{id}', 'A prediction set', {
    output: predictions.predictionSetSchema,
  }),
  updatePredictionSet: operation.patch('/api/limner/predictions/{id}', 'Rename a prediction set, or end its filling', {
    body: predictions.predictionSetPatchSchema,
    output: predictions.predictionSetSchema,
  }),
  addPredictions: operation.post('/api/limner/predictions/{id}/objects', 'Add objects to a set that is filled', {
    status: 200,
    body: labeledDataSchema,
    output: predictions.predictionsAddedSchema,
  }),
  exportPredictionSet: operation.post('/api/limner/predictions/{id}/export', 'Start writing a set into a file', {
    status: 202,
    body: predictions.predictionsExportSchema,
    output: rqIdSchema,
  }),
  deletePredictionSet: operation.delete('/api/limner/predictions/{id}', 'Delete a prediction set'),
} as const;
