import type { Operations } from '../../../../preload/contract/operations/index.ts';
import type { CasesOf } from '../operation-case.ts';
import { annotationCases } from './annotation-cases.ts';
import { backupCases } from './backup-cases.ts';
import { evaluationCases, predictionCases } from './evaluation-cases.ts';
import { findingCases } from './finding-cases.ts';
import { exportCases } from './export-cases.ts';
import { consensusCases } from './consensus-cases.ts';
import { qualityCases } from './quality-cases.ts';
import { frameCases } from './frame-cases.ts';
import { gitCases } from './git-cases.ts';
import { historyCases } from './history-cases.ts';
import { batchCases, lambdaCases, modelCases } from './function-cases.ts';
import { logCases } from './log-cases.ts';
import { nativeCases } from './native-cases.ts';
import { peopleCases } from './people-cases.ts';
import { reviewCases } from './review-cases.ts';
import { activityCases, serverCases } from './server-cases.ts';
import { statisticsCases } from './statistics-cases.ts';
import { settingsCases } from './settings-cases.ts';
import { storageCases } from './storage-cases.ts';
import { webhookCases } from './webhook-cases.ts';
import { weightsCases } from './weights-cases.ts';
import { jobCases, labelCases, projectCases, requestCases, taskCases } from './work-cases.ts';

/** A case for every operation of the table: without one this does not compile, and the test fails. */
export const cases: CasesOf<Operations> = {
  ...serverCases,
  ...peopleCases,
  ...projectCases,
  ...labelCases,
  ...taskCases,
  ...jobCases,
  ...annotationCases,
  ...requestCases,
  ...predictionCases,
  ...evaluationCases,
  ...findingCases,
  ...statisticsCases,
  ...exportCases,
  ...frameCases,
  ...consensusCases,
  ...qualityCases,
  ...reviewCases,
  ...lambdaCases,
  ...modelCases,
  ...batchCases,
  ...activityCases,
  ...backupCases,
  ...gitCases,
  ...historyCases,
  ...logCases,
  ...settingsCases,
  ...storageCases,
  ...webhookCases,
  ...weightsCases,
  ...nativeCases,
};
