import { z } from 'zod';
import { organizationQuery } from '../schema/common.ts';
import * as functions from '../schema/functions.ts';
import { modelNumbersQuerySchema, modelNumbersSchema } from '../schema/model-numbers.ts';
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
  listLambdaRequests: operation.get('/api/lambda/requests', 'Automatic annotation that waits, runs or has finished', {
    query,
    output: z.array(functions.lambdaRequestSchema),
  }),
  createLambdaRequest: operation.post('/api/lambda/requests', 'Annotate a whole task or job by a function', {
    status: 200,
    query,
    body: functions.lambdaCallSchema,
    output: functions.lambdaRequestSchema,
  }),
  getLambdaRequest: operation.get('/api/lambda/requests/{id}', 'One automatic annotation', {
    params: requestParams,
    query,
    output: functions.lambdaRequestSchema,
  }),
  deleteLambdaRequest: operation.delete(
    '/api/lambda/requests/{id}',
    'Cancel an automatic annotation, or forget one that has ended',
    { params: requestParams, query },
  ),
} as const;

/** Limner extension: deploys, monitors and stops functions. Only for the owner of this computer. */
export const modelOperations = {
  getEngineStatus: operation.get('/api/models/engine', 'The Docker Engine and the graphics cards of this computer', {
    output: functions.engineStatusSchema,
  }),
  probeGpu: operation.post(
    '/api/models/engine/gpu-probe',
    'Prove by a container that the Engine can give out graphics cards',
    { status: 200, body: z.object({ image: z.string().optional() }), output: functions.gpuProbeSchema },
  ),
  listModelImages: operation.get('/api/models/images', 'Images that the Engine has', {
    output: z.array(functions.modelImageSchema),
  }),
  importModelImage: operation.post(
    '/api/models/images/import',
    'Import an archive of images that lies on this computer',
    { status: 200, body: z.object({ path: z.string().min(1) }), output: z.object({ images: z.array(z.string()) }) },
  ),
  makeBaseImage: operation.post('/api/models/images/base', "Make a base image out of this computer's own interpreter", {
    status: 200,
    body: z.object({
      language: z.enum(['python', 'node']),
      packages: z.array(z.string()).default([]),
      /** Interpreter, virtual or conda environment, or folder of wheels; used with all its packages. */
      environment: z.string().min(1).optional(),
    }),
    output: z.object({ image: z.string() }),
  }),
  lookAtEnvironment: operation.post('/api/models/images/environment', 'What an environment of Python is made of', {
    status: 200,
    body: functions.environmentPathSchema,
    output: functions.environmentLookSchema,
  }),
  listModelSamples: operation.get('/api/models/samples', 'Functions that come with Limner', {
    output: z.array(functions.modelSampleSchema),
  }),
  listModels: operation.get('/api/models/functions', 'Deployed functions with their state', {
    output: z.array(functions.modelFunctionSchema),
  }),
  checkModel: operation.post('/api/models/check', 'What a deployment would do, need and ask for; nothing is deployed', {
    status: 200,
    body: functions.deploySchema,
    output: functions.deployCheckSchema,
  }),
  deployModel: operation.post('/api/models/functions', 'Deploy a function, in the place of the one of its name', {
    status: 202,
    body: functions.deploySchema,
    output: functions.modelFunctionSchema,
  }),
  getModel: operation.get('/api/models/functions/{name}', 'One deployed function', {
    params: nameParams,
    output: functions.modelFunctionSchema,
  }),
  getModelNumbers: operation.get('/api/models/functions/{name}/numbers', 'What calls of a function took, over time', {
    params: nameParams,
    query: modelNumbersQuerySchema,
    output: modelNumbersSchema,
  }),
  updateModel: operation.patch(
    '/api/models/functions/{name}',
    'Start or stop a function, or change its graphics memory or its idle time',
    { params: nameParams, body: functions.modelPatchSchema, output: functions.modelFunctionSchema },
  ),
  redeployModel: operation.post('/api/models/functions/{name}/redeploy', 'Deploy a function again from where it came', {
    status: 202,
    params: nameParams,
    body: z.object({ grants: z.array(z.string()).optional() }),
    output: functions.modelFunctionSchema,
  }),
  listModelVersions: operation.get('/api/models/functions/{name}/versions', 'Deployments of a function that are kept', {
    params: nameParams,
    output: versions.modelVersionsSchema,
  }),
  getVersionChanges: operation.get(
    '/api/models/functions/{name}/versions/{version}/changes',
    'What a version changed of another: its configuration and the files of its handler',
    { params: versionParams, query: versions.versionChangesQuerySchema, output: versions.versionChangesSchema },
  ),
  rollBackModel: operation.post(
    '/api/models/functions/{name}/rollback',
    'Let an earlier version of a function answer again',
    { status: 202, params: nameParams, body: versions.rollBackSchema, output: functions.modelFunctionSchema },
  ),
  cancelDeployment: operation.delete(
    '/api/models/functions/{name}/deployment',
    'Cancel the deployment that runs; answered when it has ended',
    { params: nameParams },
  ),
  deleteModel: operation.delete('/api/models/functions/{name}', 'Delete a function with its container', {
    params: nameParams,
  }),
  addEndpoint: operation.post('/api/models/endpoints', 'Add a function that answers at an address', {
    body: functions.endpointWriteSchema,
    output: functions.modelFunctionSchema,
  }),
  listDashboards: operation.get('/api/models/dashboards', 'Nuclio dashboards whose functions are used', {
    output: z.array(functions.dashboardSchema),
  }),
  addDashboard: operation.post('/api/models/dashboards', 'Use the functions of a Nuclio dashboard', {
    body: functions.dashboardWriteSchema,
    output: functions.dashboardSchema,
  }),
  deleteDashboard: operation.delete('/api/models/dashboards/{id}', 'Stop using the functions of a dashboard'),
} as const;
