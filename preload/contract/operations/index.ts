import { activityOperations } from './activity.ts';
import { backupOperations } from './backups.ts';
import { batchOperations } from './batches.ts';
import { evaluationOperations } from './evaluations.ts';
import { findingOperations } from './finding.ts';
import { exportOperations } from './exports.ts';
import { consensusOperations } from './consensus.ts';
import { qualityOperations } from './quality.ts';
import { frameOperations } from './frames.ts';
import { gitOperations } from './git.ts';
import { historyOperations } from './history.ts';
import { lambdaOperations, modelOperations } from './functions.ts';
import { logOperations } from './logs.ts';
import { nativeOperations } from './native-functions.ts';
import { peopleOperations } from './people.ts';
import { predictionOperations } from './predictions.ts';
import { reviewOperations } from './review.ts';
import { serverOperations } from './server.ts';
import { settingsOperations } from './settings.ts';
import { statisticsOperations } from './statistics.ts';
import { storageOperations } from './storage.ts';
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
  ...findingOperations,
  ...statisticsOperations,
  ...exportOperations,
  ...frameOperations,
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
  ...backupOperations,
  ...gitOperations,
  ...historyOperations,
  ...logOperations,
  ...settingsOperations,
  ...storageOperations,
  ...webhookOperations,
} as const;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
