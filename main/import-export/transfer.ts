import type { Logger } from '../platform/log.ts';
import type { RequestRunner } from '../background-requests/request-queue.ts';
import type { RequestService } from '../background-requests/request-service.ts';
import type { MediaRepository } from '../work/tasks/media-repository.ts';
import type { WorkAccess } from '../work/work-access.ts';
import { createBackupExportRunner } from './export/backup-export.ts';
import { createDatasetExportRunner } from './export/dataset-export.ts';
import { createFramesExportRunner, createFramesService } from './frames/frames-service.ts';
import { createFramesToTask } from './frames/frames-to-task.ts';
import { createImportRunner, type ImportDependencies } from './import/import-runner.ts';
import { createImportStaging } from './import/import-staging.ts';
import { createAnnotationsImport } from './sources/annotations/annotations-import.ts';
import { createBackupImport } from './sources/backup/backup-import.ts';
import { createDatasetImport } from './sources/dataset/dataset-import.ts';
import { createBackupService, createDatasetService } from './transfer-services.ts';

export interface TransferDependencies extends Omit<ImportDependencies, 'staging'> {
  readonly access: WorkAccess;
  readonly media: MediaRepository;
  readonly log: Logger;
}

/**
 * Imports and exports of datasets, backups and annotations: one import runner for all sources, and the export runners.
 */
export function createTransfer(dependencies: TransferDependencies) {
  const shared = { ...dependencies, staging: createImportStaging(dependencies) };
  const datasetExport = createDatasetExportRunner(dependencies);
  const runners: Readonly<Record<string, RequestRunner>> = {
    'export:annotations': datasetExport,
    'export:dataset': datasetExport,
    'export:backup': createBackupExportRunner(dependencies),
    'import:annotations': createImportRunner(shared, createAnnotationsImport(shared)),
    'import:dataset': createImportRunner(shared, createDatasetImport(shared)),
    'import:backup': createImportRunner(shared, createBackupImport(shared)),
    'create:frames': createImportRunner(shared, createFramesToTask(shared)),
    'export:frames': createFramesExportRunner(dependencies),
  };
  return {
    runners,
    /** For other sources of imports: see `createImportRunner`. */
    imports: shared,
    services: (requests: RequestService) => ({
      datasets: createDatasetService(dependencies, requests),
      backups: createBackupService(dependencies, requests),
      frameImages: createFramesService(dependencies, requests),
    }),
    /** Call it at start, before requests are resumed. */
    recover: shared.staging.recover,
  };
}
