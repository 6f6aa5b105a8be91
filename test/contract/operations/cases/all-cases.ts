import type { Operations } from '../../../../preload/contract/operations/index.ts';
import type { CasesOf } from '../operation-case.ts';
import { annotationCases } from './annotation-cases.ts';
import { cloudStorageCases } from './cloud-storage-cases.ts';
import { evaluationCases, predictionCases } from './evaluation-cases.ts';
import { exportCases } from './export-cases.ts';
import { consensusCases } from './consensus-cases.ts';
import { qualityCases } from './quality-cases.ts';
import { gitCases } from './git-cases.ts';
import { batchCases, lambdaCases, modelCases } from './function-cases.ts';
import { administrationCases } from './administration-cases.ts';
import { nativeCases } from './native-cases.ts';
import { overviewCases } from './overview-cases.ts';
import { peopleCases } from './people-cases.ts';
import { remoteCases } from './remote-cases.ts';
import { reviewCases } from './review-cases.ts';
import { activityCases, serverCases } from './server-cases.ts';
import { webhookCases } from './webhook-cases.ts';
import { modelFileCases } from './model-file-cases.ts';
import { jobCases, labelCases, projectCases, requestCases, taskCases } from './work-cases.ts';

/** One case per operation of the table. A missing one does not compile. */
export const cases: CasesOf<Operations> = {
  ...serverCases,
  ...peopleCases,
  ...projectCases,
  ...labelCases,
  ...taskCases,
  ...jobCases,
  ...annotationCases,
  ...requestCases,
  ...cloudStorageCases,
  ...predictionCases,
  ...evaluationCases,
  ...overviewCases,
  ...exportCases,
  ...consensusCases,
  ...qualityCases,
  ...reviewCases,
  ...lambdaCases,
  ...modelCases,
  ...batchCases,
  ...activityCases,
  ...gitCases,
  ...remoteCases,
  ...administrationCases,
  ...webhookCases,
  ...modelFileCases,
  ...nativeCases,
};
