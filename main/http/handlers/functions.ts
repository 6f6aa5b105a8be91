import type { lambdaOperations, modelOperations } from '../../../preload/contract/operations/functions.ts';
import type { modelFileOperations } from '../../../preload/contract/operations/model-files.ts';
import type { batchOperations } from '../../../preload/contract/operations/batches.ts';
import type { nativeOperations } from '../../../preload/contract/operations/native-functions.ts';
import type { evaluationOperations } from '../../../preload/contract/operations/evaluations.ts';
import type { predictionOperations } from '../../../preload/contract/operations/predictions.ts';
import type { Services } from '../../composition/services.ts';
import type { HandlersOf } from '../handler.ts';

type FunctionOperations = typeof lambdaOperations &
  typeof modelOperations &
  typeof modelFileOperations &
  typeof nativeOperations &
  typeof batchOperations &
  typeof predictionOperations &
  typeof evaluationOperations;

export function createFunctionHandlers({ functions }: Services): HandlersOf<FunctionOperations> {
  const { calls, requests, service, dashboards, modelFiles, native, batches, predictions, suggestions, evaluations } =
    functions;
  return {
    // Models as CVAT's clients call them.
    listLambdaFunctions: ({ actor }) => calls.list(actor),
    getLambdaFunction: ({ actor, params }) => calls.get(actor, params.id),
    callLambdaFunction: ({ actor, params, body, request }) => calls.call(actor, params.id, body, request.signal),
    listLambdaRequests: ({ actor }) => requests.list(actor),
    createLambdaRequest: ({ actor, body }) => requests.create(actor, body),
    getLambdaRequest: ({ actor, params }) => requests.get(actor, params.id),
    deleteLambdaRequest: ({ actor, params }) => requests.remove(actor, params.id),

    // Functions that Limner deploys and monitors.
    getEngineStatus: ({ actor }) => service.engineStatus(actor),
    listModelSources: ({ actor }) => service.sources(actor),
    testModelSource: ({ actor, body }) => service.testSource(actor, body.id),
    listModelEngines: ({ actor }) => service.engines(actor),
    addModelEngine: ({ actor, body }) => service.addEngine(actor, body),
    testModelEngine: ({ actor, params }) => service.testEngine(actor, params.name),
    deleteModelEngine: ({ actor, params }) => service.removeEngine(actor, params.name),
    probeGpu: ({ actor, body }) => service.probeGpu(actor, body.image),
    listModelImages: ({ actor }) => service.images(actor),
    importModelImage: ({ actor, body }) => service.importFile(actor, body.path),
    buildBaseImage: ({ actor, body }) => service.buildBaseImage(actor, body),
    inspectEnvironment: ({ actor, body }) => service.inspectEnvironment(actor, body.path),
    listModelSamples: ({ actor }) => service.samples(actor),
    listModels: ({ actor }) => service.list(actor),
    checkModel: ({ actor, body }) => service.check(actor, body),
    deployModel: ({ actor, body }) => service.deploy(actor, body),
    getModel: ({ actor, params }) => service.get(actor, params.name),
    getModelMetrics: ({ actor, params, query }) => service.numbers(actor, params.name, query),
    updateModel: ({ actor, params, body }) => service.update(actor, params.name, body),
    redeployModel: ({ actor, params, body }) => service.redeploy(actor, params.name, body.grants),
    listModelVersions: ({ actor, params }) => service.versions(actor, params.name),
    getVersionChanges: ({ actor, params: { name, version }, query }) =>
      service.versionChanges(actor, name, version, query.since),
    rollBackModel: ({ actor, params, body }) => service.rollBack(actor, params.name, body.version),
    cancelDeployment: ({ actor, params }) => service.cancelDeployment(actor, params.name),
    deleteModel: ({ actor, params }) => service.remove(actor, params.name),
    addEndpoint: ({ actor, body }) => service.addEndpoint(actor, body),
    addChatModel: ({ actor, body }) => service.addChatModel(actor, body),
    checkModelAddress: ({ actor, params }) => service.checkAddress(actor, params.name),
    listDashboards: ({ actor }) => dashboards.list(actor),
    addDashboard: ({ actor, body }) => dashboards.add(actor, body),
    deleteDashboard: ({ actor, params }) => dashboards.remove(actor, params.id),

    // ONNX models.
    inspectModelFile: ({ actor, body }) => modelFiles.inspectFile(actor, body.path),
    inspectModelServer: ({ actor, body }) => modelFiles.inspectServer(actor, body.url),
    tryModelFile: ({ actor, body, request }) => modelFiles.tryOut(actor, body, request.signal),
    addModelFile: ({ actor, body }) => modelFiles.add(actor, body),
    getModelFile: ({ actor, params }) => modelFiles.get(actor, params.name),
    updateModelFile: ({ actor, params, body }) => modelFiles.update(actor, params.name, body),
    setDecoder: ({ actor, params, body }) => modelFiles.setDecoder(actor, params.name, body.id),

    // Native functions and their agents.
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

    listBatches: ({ actor }) => batches.list(actor),
    createBatch: ({ actor, body }) => batches.create(actor, body),
    getBatch: ({ actor, params }) => batches.get(actor, params.id),
    updateBatch: ({ actor, params, body }) => batches.update(actor, params.id, body),
    cancelBatch: ({ actor, params }) => batches.cancel(actor, params.id),
    undoBatch: ({ actor, params }) => batches.undo(actor, params.id),
    deleteBatch: ({ actor, params }) => batches.remove(actor, params.id),

    listPredictionSets: ({ actor, params }) => ({ results: predictions.list(actor, params.id) }),
    createPredictionSet: ({ actor, params, body }) => predictions.create(actor, params.id, body),
    takePredictionsOfTask: ({ actor, params, body }) => predictions.startTask(actor, params.id, body),
    getPredictionSet: ({ actor, params }) => predictions.get(actor, params.id),
    updatePredictionSet: ({ actor, params, body }) => predictions.update(actor, params.id, body),
    addPredictions: ({ actor, params, body }) => predictions.append(actor, params.id, body),
    exportPredictionSet: ({ actor, params, body }) => predictions.startExport(actor, params.id, body),
    listSuggestions: ({ actor, params, query }) => suggestions.list(actor, params.id, query.frame),
    decideSuggestions: ({ actor, params, body }) => suggestions.decide(actor, params.id, body),
    deletePredictionSet: ({ actor, params }) => predictions.remove(actor, params.id),

    listEvaluations: ({ actor, query }) => ({ results: evaluations.list(actor, query) }),
    createEvaluation: ({ actor, body }) => evaluations.create(actor, body),
    listProjectPredictions: ({ actor, params }) => evaluations.predictionsOfProject(actor, params.id),
    createProjectEvaluation: ({ actor, params, body }) => evaluations.createOfProject(actor, params.id, body),
    getEvaluation: ({ actor, params }) => evaluations.get(actor, params.id),
    deleteEvaluation: ({ actor, params }) => evaluations.remove(actor, params.id),
    getEvaluationCounts: ({ actor, params, query }) => evaluations.counts(actor, params.id, query),
    listEvaluationFrames: ({ actor, params, query }) => evaluations.frames(actor, params.id, query),
    compareEvaluationFrame: ({ actor, params, query }) => evaluations.compare(actor, params.id, params.frame, query),
    getEvaluationFile: ({ actor, params, query }) => evaluations.file(actor, params.id, query),
  };
}
