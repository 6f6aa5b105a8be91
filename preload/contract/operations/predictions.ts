import { collection, operation } from '../operation.ts';
import { labeledDataSchema } from '../schema/annotations.ts';
import { rqIdSchema } from '../schema/common.ts';
import * as predictions from '../schema/predictions.ts';

const sets = collection('/api/limner/predictions', predictions.predictionSetSchema);
/** Limner extension: predictions of models, stored separately from the annotations of a task. */
export const predictionOperations = {
  listPredictionSets: operation.get('/api/limner/tasks/{id}/predictions', 'Prediction sets of a task', {
    output: predictions.predictionSetsSchema,
  }),
  createPredictionSet: operation.post('/api/limner/tasks/{id}/predictions', 'Create an empty prediction set', {
    body: predictions.predictionSetWriteSchema,
    output: predictions.predictionSetSchema,
  }),
  takePredictionsOfTask: operation.post(
    '/api/limner/tasks/{id}/predictions/task',
    "Start the creation of a prediction set from another task's annotations",
    { status: 202, body: predictions.predictionsOfTaskSchema, output: rqIdSchema },
  ),
  getPredictionSet: sets.get('A prediction set'),
  updatePredictionSet: sets.update('Rename or complete a prediction set', predictions.predictionSetPatchSchema),
  addPredictions: operation.post(
    '/api/limner/predictions/{id}/objects',
    'Add objects to an incomplete prediction set',
    {
      status: 200,
      body: labeledDataSchema,
      output: predictions.predictionsAddedSchema,
    },
  ),
  exportPredictionSet: operation.post('/api/limner/predictions/{id}/export', 'Start the export of a prediction set', {
    status: 202,
    body: predictions.predictionsExportSchema,
    output: rqIdSchema,
  }),
  listSuggestions: operation.get('/api/limner/jobs/{id}/suggestions', 'Objects that await a decision in a job', {
    query: predictions.suggestionsQuerySchema,
    output: predictions.suggestionsSchema,
  }),
  decideSuggestions: operation.post(
    '/api/limner/jobs/{id}/suggestions/decided',
    'Remove accepted or rejected suggestions',
    { status: 204, body: predictions.decidedSuggestionsSchema },
  ),
  deletePredictionSet: sets.delete('Delete a prediction set'),
} as const;
