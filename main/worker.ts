import { exportEvents as runEvents } from './core/activity/export-events-job.ts';
import { exportBackup as runBackup } from './core/backups/backup-export-job.ts';
import { prepareBackupMedia as runBackupMedia } from './core/backups/backup-media-job.ts';
import { openBackup as runOpenBackup } from './core/backups/open-backup-job.ts';
import { parseBackup as runParseBackup } from './core/backups/parse-backup-job.ts';
import { exportDataset as runExport } from './core/datasets/export-job.ts';
import { importDataset as runImport, writeAnnotations as runWrite } from './core/datasets/import-job.ts';
import { readShapes as runReadShapes } from './core/datasets/read-shapes-job.ts';
import { withWorkerContext, type WorkerPaths } from './core/datasets/worker-context.ts';
import { parseDataset as runParse } from './core/dataset-import/parse-job.ts';
import { prepareSubsetMedia as runSubset, surveyDataset as runSurvey } from './core/dataset-import/survey-job.ts';
import { videoReaderFor } from './core/tasks/task-media.ts';
import type { PrepareJob } from './core/tasks/task-data-service.ts';
import { prepareTaskMedia } from './media/prepare.ts';
import { workerJob } from './platform/worker-job.ts';

/** The one module of the worker threads: each export is a job that `worker-pool.ts` runs by its name. */
export const exportDataset = workerJob(runExport);
export const readShapes = workerJob(runReadShapes);
export const importDataset = workerJob(runImport);
export const writeAnnotations = workerJob(runWrite);
export const surveyDataset = workerJob(runSurvey);
export const prepareSubsetMedia = workerJob(runSubset);
export const parseDataset = workerJob(runParse);
export const exportBackup = workerJob(runBackup);
export const openBackup = workerJob(runOpenBackup);
export const prepareBackupMedia = workerJob(runBackupMedia);
export const parseBackup = workerJob(runParseBackup);
export const exportEvents = workerJob(runEvents);

export const prepareMedia = workerJob(async ({ dataDirectory, taskId, request }: PrepareJob, run) => {
  const videos = await videoReaderFor(dataDirectory, taskId);
  return prepareTaskMedia(request, { signal: run.signal, progress: run.progress, videos });
});

/** Empties discarded annotation sets, giving way to other writers between its short transactions. */
export const collectGarbage = workerJob((paths: WorkerPaths, run) =>
  withWorkerContext(paths, run.turns, ({ sets }) =>
    sets.collectGarbage(() => new Promise((resolve) => setTimeout(resolve, 5)), run.signal),
  ),
);
