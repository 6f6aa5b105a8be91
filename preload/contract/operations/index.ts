import { activityOperations } from './activity.ts';
import { batchOperations } from './batches.ts';
import { evaluationOperations } from './evaluations.ts';
import { exportOperations } from './exports.ts';
import { lambdaOperations, modelOperations } from './functions.ts';
import { gitOperations } from './git.ts';
import { houseOperations } from './house.ts';
import { nativeOperations } from './native-functions.ts';
import { overviewOperations } from './overview.ts';
import { peopleOperations } from './people.ts';
import { predictionOperations } from './predictions.ts';
import { consensusOperations, qualityOperations } from './quality.ts';
import { reviewOperations } from './review.ts';
import { serverOperations } from './server.ts';
import { webhookOperations } from './webhooks.ts';
import { weightsOperations } from './weights.ts';
import {
  annotationOperations,
  jobOperations,
  labelOperations,
  projectOperations,
  requestOperations,
  taskOperations,
} from './work.ts';

/** Every operation of the service API. Routes, handlers, the client and the OpenAPI document come from this table. */
export const operations = {
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
  ...weightsOperations,
  ...nativeOperations,
  ...predictionOperations,
  ...evaluationOperations,
  ...batchOperations,
  ...activityOperations,
  ...houseOperations,
  ...gitOperations,
  ...webhookOperations,
} as const;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
