import { z } from 'zod';
import { organizationQuery } from '../schema/common.ts';
import * as functions from '../schema/functions.ts';
import { modelMetricsQuerySchema, modelMetricsSchema } from '../schema/model-metrics.ts';
import * as versions from '../schema/function-versions.ts';
import { operation } from '../operation.ts';

const functionParams = z.object({ id: z.string() });
const nameParams = z.object({ name: z.string() });
const versionParams = z.object({ name: z.string(), version: z.coerce.number().int().positive() });
const requestParams = z.object({ id: z.string() });
const query = z.object(organizationQuery);

/** CVAT's API for its clients: paths, fields and status codes are CVAT's. */
export const lambdaOperations = {
  listLambdaFunctions: operation.get('/api/lambda/functions', 'Functions that can be used as models', {
    query,
    output: z.array(functions.lambdaFunctionSchema),
  }),
  getLambdaFunction: operation.get('/api/lambda/functions/{id}', 'One function', {
    params: functionParams,
    query,
    output: functions.lambdaFunctionSchema,
  }),
  callLambdaFunction: operation.post('/api/lambda/functions/{id}', 'Call a function for a frame of a task or job', {
    status: 200,
    params: functionParams,
    query,
    body: functions.lambdaCallSchema,
    output: functions.lambdaAnswerSchema,
  }),
  listLambdaRequests: operation.get('/api/lambda/requests', 'Waiting, running and finished automatic annotations', {
    query,
    output: z.array(functions.lambdaRequestSchema),
  }),
  createLambdaRequest: operation.post('/api/lambda/requests', 'Annotate a task or job with a function', {
    status: 200,
    query,
    body: functions.lambdaCallSchema,
    output: functions.lambdaRequestSchema,
  }),
  getLambdaRequest: operation.get('/api/lambda/requests/{id}', 'Automatic annotation', {
    params: requestParams,
    query,
    output: functions.lambdaRequestSchema,
  }),
  deleteLambdaRequest: operation.delete('/api/lambda/requests/{id}', 'Cancel or delete an automatic annotation', {
    params: requestParams,
    query,
  }),
} as const;

/** Limner extension: deploys, monitors and stops functions. Only for the owner of this computer. */
export const modelOperations = {
  getEngineStatus: operation.get('/api/models/engine', 'Docker Engine and GPUs of this computer', {
    output: functions.engineStatusSchema,
  }),
  listModelEngines: operation.get(
    '/api/models/engines',
    'Docker Engines of this and other computers, last known state',
    {
      output: z.array(functions.modelEngineSchema),
    },
  ),
  addModelEngine: operation.post('/api/models/engines', 'Add the Docker Engine of another computer', {
    body: functions.engineWriteSchema,
    output: functions.modelEngineSchema,
  }),
  testModelEngine: operation.post('/api/models/engines/{name}/test', 'Connect to a Docker Engine and read its state', {
    status: 200,
    params: nameParams,
    output: functions.modelEngineSchema,
  }),
  deleteModelEngine: operation.delete('/api/models/engines/{name}', 'Remove an added Docker Engine', {
    params: nameParams,
  }),
  listModelSources: operation.get(
    '/api/models/sources',
    'Nuclio dashboards, inference servers and other addresses that are called',
    {
      output: z.array(functions.modelSourceSchema),
    },
  ),
  testModelSource: operation.post('/api/models/sources/test', 'Ask a source without calling a model', {
    status: 200,
    body: functions.modelSourceIdSchema,
    output: functions.modelSourceSchema,
  }),
  probeGpu: operation.post(
    '/api/models/engine/gpu-probe',
    'Check that Docker Engine can provide GPUs, with a container',
    { status: 200, body: z.object({ image: z.string().optional() }), output: functions.gpuProbeSchema },
  ),
  listModelImages: operation.get('/api/models/images', 'Images in Docker Engine', {
    output: z.array(functions.modelImageSchema),
  }),
  importModelImage: operation.post('/api/models/images/import', 'Import an image archive from this computer', {
    status: 200,
    body: z.object({ path: z.string().min(1) }),
    output: z.object({ images: z.array(z.string()) }),
  }),
  buildBaseImage: operation.post('/api/models/images/base', 'Build a base image from an interpreter of this computer', {
    status: 200,
    body: z.object({
      language: z.enum(['python', 'node']),
      packages: z.array(z.string()).default([]),
      /** Interpreter, virtual or conda environment, or folder of wheels; used with all its packages. */
      environment: z.string().min(1).optional(),
    }),
    output: z.object({ image: z.string() }),
  }),
  inspectEnvironment: operation.post('/api/models/images/environment', 'Contents of a Python environment', {
    status: 200,
    body: functions.environmentPathSchema,
    output: functions.environmentInspectionSchema,
  }),
  listModelSamples: operation.get('/api/models/samples', 'Sample functions included in Limner', {
    output: z.array(functions.modelSampleSchema),
  }),
  listModels: operation.get('/api/models/functions', 'Deployed functions with their state', {
    output: z.array(functions.modelFunctionSchema),
  }),
  checkModel: operation.post(
    '/api/models/check',
    'Check a deployment without deploying: steps, requirements and permissions',
    {
      status: 200,
      body: functions.deploySchema,
      output: functions.deployCheckSchema,
    },
  ),
  deployModel: operation.post('/api/models/functions', 'Deploy a function, replacing one with the same name', {
    status: 202,
    body: functions.deploySchema,
    output: functions.modelFunctionSchema,
  }),
  getModel: operation.get('/api/models/functions/{name}', 'Deployed function', {
    params: nameParams,
    output: functions.modelFunctionSchema,
  }),
  getModelMetrics: operation.get(
    '/api/models/functions/{name}/metrics',
    "Durations and resource use of a function's calls over time",
    {
      params: nameParams,
      query: modelMetricsQuerySchema,
      output: modelMetricsSchema,
    },
  ),
  updateModel: operation.patch(
    '/api/models/functions/{name}',
    'Start or stop a function, or change its GPU memory or idle time',
    { params: nameParams, body: functions.modelPatchSchema, output: functions.modelFunctionSchema },
  ),
  redeployModel: operation.post('/api/models/functions/{name}/redeploy', 'Deploy a function again from its source', {
    status: 202,
    params: nameParams,
    body: z.object({ grants: z.array(z.string()).optional() }),
    output: functions.modelFunctionSchema,
  }),
  listModelVersions: operation.get('/api/models/functions/{name}/versions', 'Stored versions of a function', {
    params: nameParams,
    output: versions.modelVersionsSchema,
  }),
  getVersionChanges: operation.get(
    '/api/models/functions/{name}/versions/{version}/changes',
    'Changes between two versions: configuration and files of the handler',
    { params: versionParams, query: versions.versionChangesQuerySchema, output: versions.versionChangesSchema },
  ),
  rollBackModel: operation.post('/api/models/functions/{name}/rollback', 'Return to an earlier version of a function', {
    status: 202,
    params: nameParams,
    body: versions.rollBackSchema,
    output: functions.modelFunctionSchema,
  }),
  cancelDeployment: operation.delete(
    '/api/models/functions/{name}/deployment',
    'Cancel the running deployment; answers once it has ended',
    { params: nameParams },
  ),
  deleteModel: operation.delete('/api/models/functions/{name}', 'Delete a function with its container', {
    params: nameParams,
  }),
  addEndpoint: operation.post('/api/models/endpoints', 'Add a function that answers at an address', {
    body: functions.endpointWriteSchema,
    output: functions.modelFunctionSchema,
  }),
  addChatModel: operation.post('/api/models/chat', 'Add a vision model behind a chat endpoint', {
    body: functions.chatModelWriteSchema,
    output: functions.modelFunctionSchema,
  }),
  checkModelAddress: operation.post(
    '/api/models/functions/{name}/address/check',
    'Check whether the address of a function answers, without running it',
    { status: 200, params: nameParams, output: functions.modelAddressCheckSchema },
  ),
  listDashboards: operation.get('/api/models/dashboards', 'Nuclio dashboards whose functions are used', {
    output: z.array(functions.dashboardSchema),
  }),
  addDashboard: operation.post('/api/models/dashboards', 'Use the functions of a Nuclio dashboard', {
    body: functions.dashboardWriteSchema,
    output: functions.dashboardSchema,
  }),
  deleteDashboard: operation.delete('/api/models/dashboards/{id}', 'Stop using the functions of a dashboard'),
} as const;
