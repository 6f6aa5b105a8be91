import { z } from 'zod';
import { modelFunctionSchema } from '../schema/functions.ts';
import * as weights from '../schema/weights.ts';
import { operation } from '../operation.ts';

const params = z.object({ name: z.string() });

/** ONNX models. Only for the owner of this computer. */
export const weightsOperations = {
  lookAtWeights: operation.post('/api/models/weights/look', 'Inspect an ONNX file of this computer', {
    status: 200,
    body: weights.weightsPathSchema,
    output: weights.weightsLookSchema,
  }),
  tryWeights: operation.post('/api/models/weights/trial', 'Try a model on an image', {
    status: 200,
    body: weights.weightsTrialSchema,
    output: weights.weightsTrialAnswerSchema,
  }),
  addWeights: operation.post('/api/models/weights', 'Create a function from an ONNX file', {
    body: weights.weightsWriteSchema,
    output: modelFunctionSchema,
  }),
  getWeights: operation.get('/api/models/weights/{name}', 'Input and output settings of a model', {
    params,
    output: weights.weightsSchema,
  }),
  updateWeights: operation.patch('/api/models/weights/{name}', 'Change input and output settings of a model', {
    params,
    body: weights.weightsPatchSchema,
    output: weights.weightsSchema,
  }),
  setDecoder: operation.post(
    '/api/models/functions/{name}/decoder',
    'Add a decoder to a function that returns features',
    { status: 204, params, body: weights.decoderWriteSchema },
  ),
} as const;
