import type { lambdaOperations, modelOperations } from '../../../preload/contract/operations/functions.ts';
import type { weightsOperations } from '../../../preload/contract/operations/weights.ts';
import type { batchOperations } from '../../../preload/contract/operations/batches.ts';
import type { nativeOperations } from '../../../preload/contract/operations/native-functions.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';

/** The models of functions, as CVAT's clients call them. */
export function createLambdaHandlers({ functions }: Pick<Core, 'functions'>): HandlersOf<typeof lambdaOperations> {
  const { calls, requests } = functions;
  return {
    listLambdaFunctions: ({ actor }) => calls.list(actor),
    getLambdaFunction: ({ actor, params }) => calls.get(actor, params.id),
    callLambdaFunction: ({ actor, params, body, request }) => calls.call(actor, params.id, body, request.signal),
    listLambdaRequests: ({ actor }) => requests.list(actor),
    createLambdaRequest: ({ actor, body }) => requests.create(actor, body),
    getLambdaRequest: ({ actor, params }) => requests.get(actor, params.id),
    deleteLambdaRequest: ({ actor, params }) => requests.remove(actor, params.id),
  };
}

/** Functions as Limner deploys and watches them. */
export function createModelHandlers({ functions }: Pick<Core, 'functions'>): HandlersOf<typeof modelOperations> {
  const { service, dashboards } = functions;
  return {
    getEngineStatus: ({ actor }) => service.engineStatus(actor),
    probeGpu: ({ actor, body }) => service.probeGpu(actor, body.image),
    listModelImages: ({ actor }) => service.images(actor),
    importModelImage: ({ actor, body }) => service.importFile(actor, body.path),
    makeBaseImage: ({ actor, body }) => service.makeBaseImage(actor, body),
    lookAtEnvironment: ({ actor, body }) => service.lookAtEnvironment(actor, body.path),
    listModelSamples: ({ actor }) => service.samples(actor),
    listModels: ({ actor }) => service.list(actor),
    checkModel: ({ actor, body }) => service.check(actor, body),
    deployModel: ({ actor, body }) => service.deploy(actor, body),
    getModel: ({ actor, params }) => service.get(actor, params.name),
    getModelNumbers: ({ actor, params, query }) => service.numbers(actor, params.name, query),
    updateModel: ({ actor, params, body }) => service.update(actor, params.name, body),
    redeployModel: ({ actor, params, body }) => service.redeploy(actor, params.name, body.grants),
    listModelVersions: ({ actor, params }) => service.versions(actor, params.name),
    getVersionChanges: ({ actor, params: { name, version }, query }) =>
      service.versionChanges(actor, name, version, query.since),
    rollBackModel: ({ actor, params, body }) => service.rollBack(actor, params.name, body.version),
    cancelDeployment: ({ actor, params }) => service.cancelDeployment(actor, params.name),
    deleteModel: ({ actor, params }) => service.remove(actor, params.name),
    addEndpoint: ({ actor, body }) => service.addEndpoint(actor, body),
    listDashboards: ({ actor }) => dashboards.list(actor),
    addDashboard: ({ actor, body }) => dashboards.add(actor, body),
    deleteDashboard: ({ actor, params }) => dashboards.remove(actor, params.id),
  };
}

/** Models that are files of weights. */
export function createWeightsHandlers({ functions }: Pick<Core, 'functions'>): HandlersOf<typeof weightsOperations> {
  const { weights } = functions;
  return {
    lookAtWeights: ({ actor, body }) => weights.lookAtFile(actor, body.path),
    tryWeights: ({ actor, body, request }) => weights.tryOut(actor, body, request.signal),
    addWeights: ({ actor, body }) => weights.add(actor, body),
    getWeights: ({ actor, params }) => weights.get(actor, params.name),
    updateWeights: ({ actor, params, body }) => weights.update(actor, params.name, body),
    setDecoder: ({ actor, params, body }) => weights.setDecoder(actor, params.name, body.id),
  };
}

/** Native functions, and what their agents ask. */
export function createNativeHandlers({ functions }: Pick<Core, 'functions'>): HandlersOf<typeof nativeOperations> {
  const { native } = functions;
  return {
    createNativeFunction: ({ actor, body }) => native.create(actor, body),
    getNativeFunction: ({ actor, params }) => native.get(actor, params.id),
    deleteNativeFunction: ({ actor, params }) => native.remove(actor, params.id),
    acquireAgentRequest: ({ actor, params, body }) =>
      native.acquire(actor, params.queue_id, body.agent_id, body.request_category),
    updateAgentRequest({ actor, params, body }) {
      native.update(actor, params.queue_id, params.request_id, body.agent_id);
      return {};
    },
    completeAgentRequest({ actor, params, body }) {
      native.complete(actor, params.queue_id, params.request_id, body);
      return {};
    },
    failAgentRequest({ actor, params, body }) {
      native.fail(actor, params.queue_id, params.request_id, body.agent_id, body.exc_info);
      return {};
    },
  };
}

export function createBatchHandlers({ functions }: Pick<Core, 'functions'>): HandlersOf<typeof batchOperations> {
  const { batches } = functions;
  return {
    listBatches: ({ actor }) => batches.list(actor),
    createBatch: ({ actor, body }) => batches.create(actor, body),
    getBatch: ({ actor, params }) => batches.get(actor, params.id),
    updateBatch: ({ actor, params, body }) => batches.update(actor, params.id, body),
    cancelBatch: ({ actor, params }) => batches.cancel(actor, params.id),
    undoBatch: ({ actor, params }) => batches.undo(actor, params.id),
    deleteBatch: ({ actor, params }) => batches.remove(actor, params.id),
  };
}
