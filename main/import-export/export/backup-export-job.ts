import { valuesFor } from '../../db/columns.ts';
import { projectColumns } from '../../work/tables/project-table.ts';
import { createZipWriter } from '../../formats/io/zip-writer.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { withWorkerContext, type WorkerPaths } from '../bulk-writer/worker-context.ts';
import { backupFiles, backupVersion } from '../sources/backup/backup-layout.ts';
import { backupLabel, textPromptsOf, writeGuide, writeTaskBackup, type BackupWriting } from './backup-task-writer.ts';
import { storagesOf } from '../../work/tables/storage-repository.ts';

export interface BackupTarget {
  readonly kind: 'project' | 'task';
  readonly id: number;
}

export interface BackupExportJob extends WorkerPaths {
  readonly target: BackupTarget;
  readonly destination: string;
}

/** Writes a backup in one read transaction, so that the file is a consistent snapshot. */
export function exportBackup({ target, destination, ...paths }: BackupExportJob, run: JobRun): Promise<void> {
  return withWorkerContext(paths, run, async (context) => {
    context.database.beginSnapshot();
    const zip = await createZipWriter(destination);
    try {
      const writing: BackupWriting = { zip, context, dataDirectory: paths.dataDirectory, run };
      await (target.kind === 'task' ? writeTask(writing, target.id) : writeProject(writing, target.id));
      run.checkCancelled();
      await zip.finish();
    } finally {
      await zip.abort();
    }
    context.database.endSnapshot();
  });
}

async function writeTask(writing: BackupWriting, id: number): Promise<void> {
  const task = writing.context.tasks.get(id);
  if (!task) throw new AppError('not-found', 'The task was deleted during the export.');
  await writeTaskBackup(writing, task, '', (fraction) => writing.run.progress(fraction));
}

async function writeProject(writing: BackupWriting, id: number): Promise<void> {
  const { zip, context, run } = writing;
  const project = context.projects.get(id);
  if (!project) throw new AppError('not-found', 'The project was deleted during the export.');
  const file = {
    version: backupVersion,
    ...valuesFor(projectColumns, 'backup', project),
    status: project.status,
    limner: { ...storagesOf(project), text_prompts: textPromptsOf(context, { project_id: id, task_id: null }) },
    labels: context.labels.list({ kind: 'project', id }).map(backupLabel),
  };
  await zip.add(backupFiles.project, JSON.stringify(file));
  await writeGuide(writing, { project_id: id, task_id: null }, '');
  const taskIds = context.tasks.idsOfProject(id);
  for (const [index, taskId] of taskIds.entries()) {
    const task = context.tasks.get(taskId);
    const progress = (fraction: number) => run.progress((index + fraction) / taskIds.length);
    if (task) await writeTaskBackup(writing, task, `task_${index}/`, progress);
  }
}
