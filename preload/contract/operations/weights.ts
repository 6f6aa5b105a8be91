import { z } from 'zod';
import { modelFunctionSchema } from '../schema/functions.ts';
import * as weights from '../schema/weights.ts';
import { operation } from '../operation.ts';

const params = z.object({ name: z.string() });

/** ONNX models. Only for the owner of this computer. */
export const weightsOperations = {
  lookAtWeights: operation.post('/api/models/weights/look', 'Read what an ONNX file of this computer is', {
    status: 200,
    body: weights.weightsPathSchema,
    output: weights.weightsLookSchema,
  }),
  tryWeights: operation.post('/api/models/weights/trial', 'What a function of that file would find in a picture', {
    status: 200,
    body: weights.weightsTrialSchema,
    output: weights.weightsTrialAnswerSchema,
  }),
  addWeights: operation.post('/api/models/weights', 'Make a function of a file of weights', {
    body: weights.weightsWriteSchema,
    output: modelFunctionSchema,
  }),
  getWeights: operation.get('/api/models/weights/{name}', 'How pictures go into a model and what comes out', {
    params,
    output: weights.weightsSchema,
  }),
  updateWeights: operation.patch('/api/models/weights/{name}', 'Change how pictures go in and what comes out', {
    params,
    body: weights.weightsPatchSchema,
    output: weights.weightsSchema,
  }),
  setDecoder: operation.post(
    '/api/models/functions/{name}/decoder',
    'Give a function that answers features the decoder that makes masks of them',
    { status: 204, params, body: weights.decoderWriteSchema },
  ),
} as const;
