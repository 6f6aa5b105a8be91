import type { WorkerPool } from '../../platform/worker-pool.ts';
import { writeExportFile } from '../../background-requests/export-file.ts';
import type { RequestRunner } from '../../background-requests/request-queue.ts';
import type { ProjectRepository } from '../../work/tables/project-repository.ts';
import type { TaskRepository } from '../../work/tables/task-repository.ts';
import type { BackupExportJob, BackupTarget } from './backup-export-job.ts';
import type { BucketTarget } from './bucket-target.ts';
import { backupFileName } from './file-names.ts';

export interface BackupRequest extends BucketTarget {
  readonly lightweight: boolean;
  readonly fileName?: string;
}

export interface BackupExportParameters extends BackupRequest {
  readonly target: BackupTarget;
}

/** Creates the runner of `export:backup`. */
export function createBackupExportRunner(dependencies: {
  readonly databaseFile: string;
  readonly dataDirectory: string;
  readonly tasks: TaskRepository;
  readonly projects: ProjectRepository;
  readonly workers: WorkerPool;
}): RequestRunner {
  const { databaseFile, dataDirectory, tasks, projects, workers } = dependencies;
  return async ({ parameters }, { signal, progress }) => {
    const { target, fileName, lightweight } = JSON.parse(parameters) as BackupExportParameters;
    const row = target.kind === 'task' ? tasks.get(target.id) : projects.get(target.id);
    progress(0, 'Writing the backup');
    const { resultFile } = await writeExportFile(dataDirectory, (destination) => {
      const job: BackupExportJob = { databaseFile, dataDirectory, target, destination };
      return workers.run('exportBackup', job, { signal, onProgress: progress });
    });
    const resultName = fileName ?? backupFileName(target.kind, row?.name ?? '', lightweight, new Date());
    return { resultFile, resultName };
  };
}
