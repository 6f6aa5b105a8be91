import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { moveIntoPlace } from '../../platform/durable-files.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import type { ProjectRepository } from '../../work/projects/project-repository.ts';
import { exportFolder } from '../../requests/export-folder.ts';
import type { RequestRunner } from '../../requests/request-queue.ts';
import type { TaskRepository } from '../../work/tasks/task-repository.ts';
import type { BackupExportJob } from './backup-export-job.ts';
import { backupFileName } from './backup-names.ts';
import type { BackupExportParameters } from './backup-service.ts';

/** Runs `export:backup`. */
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
    const destination = join(await exportFolder(dataDirectory), `${randomUUID()}.part`);
    const finished = destination.replace(/\.part$/, '');
    const row = target.kind === 'task' ? tasks.get(target.id) : projects.get(target.id);
    progress(0, 'Writing the backup');
    try {
      const job: BackupExportJob = { databaseFile, dataDirectory, target, destination };
      await workers.run<BackupExportJob, void>('exportBackup', job, { signal, onProgress: progress });
      await moveIntoPlace(destination, finished);
      return {
        resultFile: finished,
        resultName: fileName ?? backupFileName(target.kind, row?.name ?? '', lightweight, new Date()),
      };
    } finally {
      await rm(destination, { force: true });
    }
  };
}
