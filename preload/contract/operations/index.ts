import { uploadSteps, type AnyOperation, type RawOperation } from '../operation.ts';
import { activityOperations } from './activity.ts';
import { batchOperations } from './batches.ts';
import { cloudStorageFileOperations, cloudStorageOperations } from './cloud-storages.ts';
import { evaluationOperations } from './evaluations.ts';
import { exportOperations } from './exports.ts';
import { lambdaOperations, modelOperations } from './functions.ts';
import { gitOperations } from './git.ts';
import { administrationOperations } from './administration.ts';
import { downloadOperations } from './downloads.ts';
import { assetOperations, detectOperations, functionFileOperations, serverFileOperations } from './files.ts';
import { mediaOperations } from './media.ts';
import { nativeOperations } from './native-functions.ts';
import { overviewOperations } from './overview.ts';
import { peopleOperations } from './people.ts';
import { predictionOperations } from './predictions.ts';
import { consensusOperations, qualityFileOperations, qualityOperations } from './quality.ts';
import { remoteOperations } from './remotes.ts';
import { reviewOperations } from './review.ts';
import { serverOperations } from './server.ts';
import { streamOperations } from './streams.ts';
import { uploadOperations } from './uploads.ts';
import { webhookOperations } from './webhooks.ts';
import { modelFileOperations } from './model-files.ts';
import {
  annotationOperations,
  jobOperations,
  labelOperations,
  projectOperations,
  requestOperations,
  taskOperations,
} from './work.ts';

/** An interface can extend only named types. */
type Of<Table extends object> = Table;

/**
 * Types of {@link operations}, composed by name. Written out they would be 660 KB in the declarations of every file.
 */
export interface Operations
  extends
    Of<typeof serverOperations>,
    Of<typeof peopleOperations>,
    Of<typeof projectOperations>,
    Of<typeof labelOperations>,
    Of<typeof taskOperations>,
    Of<typeof jobOperations>,
    Of<typeof annotationOperations>,
    Of<typeof requestOperations>,
    Of<typeof overviewOperations>,
    Of<typeof exportOperations>,
    Of<typeof consensusOperations>,
    Of<typeof qualityOperations>,
    Of<typeof reviewOperations>,
    Of<typeof lambdaOperations>,
    Of<typeof modelOperations>,
    Of<typeof modelFileOperations>,
    Of<typeof nativeOperations>,
    Of<typeof predictionOperations>,
    Of<typeof evaluationOperations>,
    Of<typeof batchOperations>,
    Of<typeof activityOperations>,
    Of<typeof administrationOperations>,
    Of<typeof gitOperations>,
    Of<typeof remoteOperations>,
    Of<typeof webhookOperations>,
    Of<typeof cloudStorageOperations> {}

/**
 * All operations of the service API. Routes, handlers, the client and the OpenAPI document are derived from this table.
 */
export const operations: Operations = {
  ...serverOperations,
  ...peopleOperations,
  ...projectOperations,
  ...labelOperations,
  ...taskOperations,
  ...jobOperations,
  ...annotationOperations,
  ...requestOperations,
  ...overviewOperations,
  ...exportOperations,
  ...consensusOperations,
  ...qualityOperations,
  ...reviewOperations,
  ...lambdaOperations,
  ...modelOperations,
  ...modelFileOperations,
  ...nativeOperations,
  ...predictionOperations,
  ...evaluationOperations,
  ...batchOperations,
  ...activityOperations,
  ...administrationOperations,
  ...gitOperations,
  ...remoteOperations,
  ...webhookOperations,
  ...cloudStorageOperations,
};

export type OperationId = keyof Operations;

/** {@link operations} without their types, for generic code. */
export const operationList: readonly (readonly [OperationId, AnyOperation])[] = Object.entries(operations) as [
  OperationId,
  AnyOperation,
][];

/** Types of {@link rawOperations}. */
export interface RawOperations
  extends
    Of<typeof mediaOperations>,
    Of<typeof functionFileOperations>,
    Of<typeof uploadOperations>,
    Of<typeof downloadOperations>,
    Of<typeof assetOperations>,
    Of<typeof qualityFileOperations>,
    Of<typeof detectOperations>,
    Of<typeof streamOperations>,
    Of<typeof serverFileOperations>,
    Of<typeof cloudStorageFileOperations> {}

/** Operations that send or receive more than JSON. Clients of {@link operations} do not call them. */
const rawOperations: RawOperations = {
  ...mediaOperations,
  ...functionFileOperations,
  ...uploadOperations,
  ...downloadOperations,
  ...assetOperations,
  ...qualityFileOperations,
  ...detectOperations,
  ...streamOperations,
  ...serverFileOperations,
  ...cloudStorageFileOperations,
};

export type RawOperationId = keyof RawOperations;

/** {@link rawOperations} without their types, and with the steps of uploads, for generic code. */
export const rawOperationList: readonly (readonly [RawOperationId, RawOperation])[] = (
  Object.entries(rawOperations) as [RawOperationId, RawOperation][]
).flatMap(([id, operation]) => {
  const steps = operation.kind === 'upload' ? uploadSteps(operation) : [];
  return [operation, ...steps].map((one) => [id, one] as const);
});
