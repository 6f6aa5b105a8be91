import { join } from 'node:path';
import type { batchOperations } from '../../../../preload/contract/operations/batches.ts';
import type { lambdaOperations, modelOperations } from '../../../../preload/contract/operations/functions.ts';
import type { CasesOf, OperationCase } from '../operation-case.ts';
import { startChatServer } from '../../../support/chat-server.ts';
import { functionConfiguration, nowhere, type OperationWorld } from '../operation-world.ts';

const call = ({ task }: OperationWorld) => ({ task: task.id, frame: 0 });

export const lambdaCases: CasesOf<typeof lambdaOperations> = {
  listLambdaFunctions: { good: () => ({}), denied: 'everybody', takesAnything: true },
  getLambdaFunction: { good: () => ({ params: { id: 'detector' } }), denied: 'everybody' },
  callLambdaFunction: {
    good: (world) => ({ params: { id: 'detector' }, raw: call(world) }),
    bad: ({ task }) => [
      [400, { raw: {} }],
      [400, { raw: { task: task.id, frame: 99 } }],
      [400, { raw: { task: task.id, frame: 'first' } }],
    ],
  },
  listLambdaRequests: { good: ({ newRun }) => newRun().then(() => ({})), denied: 'sees less', takesAnything: true },
  createLambdaRequest: {
    good: async ({ newTask }) => ({ raw: { function: 'detector', task: (await newTask()).id } }),
    bad: ({ task }) => [
      [400, { raw: {} }],
      [404, { raw: { function: 'nobody', task: task.id } }],
    ],
  },
  getLambdaRequest: { good: async ({ newRun }) => ({ params: { id: await newRun() } }) },
  deleteLambdaRequest: { good: async ({ newRun }) => ({ params: { id: await newRun() } }) },
};

const batchOf = ({ id }: { readonly id: number }) => ({ function: 'detector', targets: [{ task: id }] });

async function newBatch({ boss, newTask }: OperationWorld): Promise<{ readonly params: { readonly id: number } }> {
  const { id } = await boss.good('createBatch', { body: batchOf(await newTask()) });
  return { params: { id } };
}

export const batchCases: CasesOf<typeof batchOperations> = {
  listBatches: { good: (world) => newBatch(world).then(() => ({})), denied: 'sees less', takesAnything: true },
  createBatch: {
    good: async ({ newTask }) => ({ body: batchOf(await newTask()) }),
    bad: ({ task }) => [
      [400, { raw: {} }],
      [400, { body: { ...batchOf(task), targets: [{ task: task.id, first: 2, last: 1 }] } }],
      [400, { body: { ...batchOf(task), fill: 'objects' } }],
      [400, { body: { ...batchOf(task), targets: [{ task: 999_999 }] } }],
    ],
  },
  getBatch: { good: newBatch, denied: 404 },
  updateBatch: {
    good: async (world) => ({ ...(await newBatch(world)), body: { priority: 3 } }),
    denied: 404,
    bad: () => [[400, { raw: { priority: 'high' } }]],
  },
  cancelBatch: { good: newBatch, denied: 404 },
  undoBatch: { good: newBatch, denied: 404 },
  deleteBatch: { good: newBatch, denied: 404 },
};

const byAdmin = { caller: ({ admin }: OperationWorld) => admin } as const satisfies Partial<
  OperationCase<'listModels'>
>;
const needsEngine = { ...byAdmin, goodStatus: 503 } as const;

export const modelCases: CasesOf<typeof modelOperations> = {
  getEngineStatus: { ...byAdmin, denied: 'everybody', good: () => ({}), takesAnything: true },
  listModelEngines: { ...byAdmin, good: () => ({}), takesAnything: true },
  addModelEngine: {
    ...byAdmin,
    good: () => ({ body: { name: 'gpu-box', address: 'ssh://user@127.0.0.1:9' } }),
    bad: () => [
      [400, { body: { name: 'bad', address: 'tcp://10.0.0.8:2375' } }],
      [400, { body: { name: 'no blanks', address: 'ssh://user@127.0.0.1:9' } }],
    ],
  },
  testModelEngine: { ...byAdmin, good: () => ({ params: { name: 'default' } }) },
  deleteModelEngine: {
    ...byAdmin,
    good: async ({ admin }) => {
      const body = { name: 'spare', address: 'ssh://user@127.0.0.1:7' };
      return { params: { name: (await admin.good('addModelEngine', { body })).name } };
    },
  },
  listModelSources: { ...byAdmin, good: () => ({}), takesAnything: true },
  testModelSource: {
    ...byAdmin,
    good: async ({ admin }) => {
      const { id } = await admin.good('addDashboard', { body: { url: 'http://127.0.0.1:5' } });
      return { body: { id: `nuclio-${id}` } };
    },
    bad: () => [[400, { raw: { id: 7 } }]],
  },
  probeGpu: { ...byAdmin, goodStatus: 503, good: () => ({ body: {} }), bad: () => [[400, { raw: { image: 7 } }]] },
  listModelImages: { ...needsEngine, good: () => ({}), takesAnything: true },
  importModelImage: {
    ...needsEngine,
    good: ({ harness }) => ({ body: { path: join(harness.folder, 'db', 'limner.sqlite') } }),
    bad: () => [
      [400, { body: { path: '' } }],
      [400, { body: { path: '/no/such/archive.tar' } }],
    ],
  },
  buildBaseImage: {
    ...needsEngine,
    good: () => ({ body: { language: 'node' } }),
    bad: () => [[400, { raw: { language: 'cobol' } }]],
  },
  inspectEnvironment: {
    ...byAdmin,
    good: () => ({ body: { path: '/no/such/environment' } }),
    goodStatus: 400,
    bad: () => [[400, { raw: {} }]],
  },
  listModelSamples: { ...byAdmin, denied: 'everybody', good: () => ({}), takesAnything: true },
  listModels: { ...byAdmin, denied: 'everybody', good: () => ({}), takesAnything: true },
  checkModel: {
    ...byAdmin,
    good: async ({ sample }) => ({ body: { sample: await sample() } }),
    bad: () => [
      [400, { body: { sample: 'no such sample' } }],
      [400, { body: { configuration: 'spec: [' } }],
    ],
  },
  deployModel: {
    ...needsEngine,
    good: async ({ sample }) => ({ body: { sample: await sample() } }),
    bad: () => [[400, { body: { directory: '/no/such/folder' } }]],
  },
  cancelDeployment: {
    ...byAdmin,
    good: async ({ newEndpoint }) => ({ params: { name: await newEndpoint() } }),
    goodStatus: 409,
  },
  getModel: {
    ...byAdmin,
    denied: 'everybody',
    good: async ({ newEndpoint }) => ({ params: { name: await newEndpoint() } }),
  },
  getModelMetrics: {
    ...byAdmin,
    good: async ({ newEndpoint }) => ({ params: { name: await newEndpoint() }, query: { hours: 1 } }),
    bad: () => [[400, { query: { hours: 0 } }]],
  },
  updateModel: {
    ...byAdmin,
    good: async ({ newEndpoint }) => ({ params: { name: await newEndpoint() }, body: {} }),
    bad: () => [[400, { raw: { state: 'asleep' } }]],
  },
  redeployModel: {
    ...byAdmin,
    good: async ({ newEndpoint }) => ({ params: { name: await newEndpoint() }, body: {} }),
    bad: () => [[400, { raw: { grants: 'everything' } }]],
    goodStatus: 409,
  },
  // External functions have no versions; test/docker tests those of containers.
  listModelVersions: { ...byAdmin, good: async ({ newEndpoint }) => ({ params: { name: await newEndpoint() } }) },
  getVersionChanges: {
    ...byAdmin,
    good: async ({ newEndpoint }) => ({ params: { name: await newEndpoint(), version: 1 } }),
    bad: () => [[400, { query: { since: 0 } }]],
    goodStatus: 404,
  },
  rollBackModel: {
    ...byAdmin,
    good: async ({ newEndpoint }) => ({ params: { name: await newEndpoint() }, body: { version: 1 } }),
    bad: () => [[400, { raw: { version: 'first' } }]],
    goodStatus: 409,
  },
  deleteModel: { ...byAdmin, good: async ({ newEndpoint }) => ({ params: { name: await newEndpoint() } }) },
  addEndpoint: {
    ...byAdmin,
    good: () => ({ body: { configuration: functionConfiguration('elsewhere'), url: nowhere } }),
    bad: () => [
      [400, { body: { configuration: 'spec: [', url: nowhere } }],
      [400, { body: { configuration: functionConfiguration('bad'), url: 'file:///etc/passwd' } }],
    ],
  },
  addChatModel: {
    ...byAdmin,
    good: async () => ({ body: { url: (await startChatServer()).url } }),
    bad: () => [
      [400, { body: { url: 'file:///etc/passwd' } }],
      [503, { body: { url: nowhere } }],
    ],
  },
  checkModelAddress: {
    ...byAdmin,
    good: async ({ newEndpoint }) => ({ params: { name: await newEndpoint() } }),
    bad: () => [[404, { params: { name: 'nothing' } }]],
  },
  listDashboards: { ...byAdmin, good: () => ({}), takesAnything: true },
  addDashboard: {
    ...byAdmin,
    good: () => ({ body: { url: 'http://127.0.0.1:9' } }),
    bad: () => [[400, { body: { url: 'ftp://example.org' } }]],
  },
  deleteDashboard: {
    ...byAdmin,
    good: async ({ admin }) => ({
      params: { id: (await admin.good('addDashboard', { body: { url: 'http://127.0.0.1:7' } })).id },
    }),
  },
};
