import type { Database } from '../db/open.ts';
import type { FormatCatalog } from '../formats/format-catalog.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/log.ts';
import type { WorkerPool } from '../platform/worker-pool.ts';
import type { RequestRunner } from '../requests/request-queue.ts';
import type { RequestService } from '../requests/request-service.ts';
import type { WorkEvents } from '../webhooks/events/work-events.ts';
import type { AnnotationSetRepository } from '../work/annotations/annotation-set-repository.ts';
import type { ChangeKeeper } from '../work/annotations/change-keeper.ts';
import type { JobRepository } from '../work/jobs/job-repository.ts';
import type { LabelRepository } from '../work/labels/label-repository.ts';
import type { ProjectRepository } from '../work/projects/project-repository.ts';
import type { MediaRepository } from '../work/tasks/media-repository.ts';
import type { TaskRepository } from '../work/tasks/task-repository.ts';
import type { WorkAccess } from '../work/work-access.ts';
import { createBackupService } from './backup-service.ts';
import { createDatasetService } from './dataset-service.ts';
import { createBackupExportRunner } from './export/backup-export.ts';
import { createDatasetExportRunner } from './export/dataset-export.ts';
import { createImportRunner } from './import/import-runner.ts';
import { createIntake } from './import/intake.ts';
import { createAnnotationsImport } from './sources/annotations/annotations-import.ts';
import { createBackupImport } from './sources/backup/backup-import.ts';
import { createBackupRestorer } from './sources/backup/backup-restorer.ts';
import { createDatasetImport } from './sources/dataset/dataset-import.ts';

export interface TransferDependencies {
  readonly database: Database;
  readonly databaseFile: string;
  readonly dataDirectory: string;
  readonly access: WorkAccess;
  readonly projects: ProjectRepository;
  readonly tasks: TaskRepository;
  readonly jobs: JobRepository;
  readonly media: MediaRepository;
  readonly labelRows: LabelRepository;
  readonly sets: AnnotationSetRepository;
  readonly keeper: ChangeKeeper;
  readonly events: WorkEvents;
  readonly workers: WorkerPool;
  readonly formats: FormatCatalog;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called when annotations were discarded: their rows go in the background. */
  readonly onDiscarded: () => void;
}

/** Data sets, backups and annotations, in and out: three sources on one way in, and what runs exports. */
export function createTransfer(dependencies: TransferDependencies) {
  const { database, dataDirectory } = dependencies;
  const shared = { ...dependencies, intake: createIntake(dependencies) };
  const restorer = createBackupRestorer(database, dataDirectory);
  const datasetExport = createDatasetExportRunner(dependencies);
  const runners: Readonly<Record<string, RequestRunner>> = {
    'export:annotations': datasetExport,
    'export:dataset': datasetExport,
    'export:backup': createBackupExportRunner(dependencies),
    'import:annotations': createImportRunner(shared, createAnnotationsImport(shared)),
    'import:dataset': createImportRunner(shared, createDatasetImport(shared)),
    'import:backup': createImportRunner(shared, createBackupImport({ ...shared, restorer })),
  };
  return {
    runners,
    datasets: (requests: RequestService) => createDatasetService(dependencies, requests),
    backups: (requests: RequestService) => createBackupService(dependencies, requests),
    /** At start, before requests begin again. */
    recover: shared.intake.recover,
  };
}
