import { z } from 'zod';
import { modelFunctionSchema } from '../schema/functions.ts';
import * as files from '../schema/model-files.ts';
import { operation } from '../operation.ts';

const params = z.object({ name: z.string() });

/** ONNX models. Only for the owner of this computer. */
export const modelFileOperations = {
  inspectModelFile: operation.post('/api/models/files/inspect', 'Inspect an ONNX file of this computer', {
    status: 200,
    body: files.modelFilePathSchema,
    output: files.modelFileInspectionSchema,
  }),
  inspectModelServer: operation.post('/api/models/files/inspect-server', 'Inspect a model of an inference server', {
    status: 200,
    body: files.modelServerSchema,
    output: files.modelFileInspectionSchema,
  }),
  tryModelFile: operation.post('/api/models/files/trial', 'Try a model on an image', {
    status: 200,
    body: files.modelFileTrialSchema,
    output: files.modelFileTrialAnswerSchema,
  }),
  addModelFile: operation.post('/api/models/files', 'Create a function from an ONNX file', {
    body: files.modelFileWriteSchema,
    output: modelFunctionSchema,
  }),
  getModelFile: operation.get('/api/models/files/{name}', 'Input and output settings of a model', {
    params,
    output: files.modelFileSchema,
  }),
  updateModelFile: operation.patch('/api/models/files/{name}', 'Change input and output settings of a model', {
    params,
    body: files.modelFilePatchSchema,
    output: files.modelFileSchema,
  }),
  setDecoder: operation.post(
    '/api/models/functions/{name}/decoder',
    'Add a decoder to a function that returns features',
    { status: 204, params, body: files.decoderWriteSchema },
  ),
} as const;
