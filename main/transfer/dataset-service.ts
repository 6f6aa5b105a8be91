import type { FormatCatalog } from '../formats/format-catalog.ts';
import { makesLabels, readImportChoices } from '../formats/import-choices/import-choices.ts';
import type { Actor } from '../people/access/actor.ts';
import { AppError } from '../platform/errors.ts';
import type { RequestService } from '../requests/request-service.ts';
import type { TaskRepository } from '../work/tasks/task-repository.ts';
import type { WorkAccess } from '../work/work-access.ts';
import type { ExportParameters, ExportRequest } from './export/dataset-export.ts';
import type { AnnotationsImportParameters } from './sources/annotations/annotations-import.ts';
import type { DatasetImportParameters } from './sources/dataset/dataset-import.ts';
import type { DatasetTarget } from './view/stored-view.ts';

type Purpose = 'export:dataset' | 'export:annotations' | 'import:annotations';

const unknownFormat = ({ isLooking }: FormatCatalog) => {
  if (isLooking) {
    const message = 'The formats of plug-ins are still being read. Try again in a moment.';
    return new AppError('unavailable', message, [message]);
  }
  const message = 'Unknown format specified for the request';
  return new AppError('invalid', message, [message]);
};

/** Starts exports and imports of annotations as background requests. */
export function createDatasetService(
  {
    access,
    tasks,
    formats,
  }: { readonly access: WorkAccess; readonly tasks: TaskRepository; readonly formats: FormatCatalog },
  requests: RequestService,
) {
  /** Ids of the object and of what contains it, after the check that the actor may do this. */
  function open(actor: Actor, target: DatasetTarget, purpose: Purpose) {
    if (target.kind === 'project') {
      // Annotations come into a project as part of a dataset.
      const project = access.project(actor, target.id, purpose === 'import:annotations' ? 'import:dataset' : purpose);
      return {
        organizationId: project.organization_id,
        projectId: project.id,
        taskId: null,
        jobId: null,
        updated: project.updated_date,
        media: 1,
      };
    }
    const taskId = target.kind === 'job' ? access.job(actor, target.id, purpose).task_id : target.id;
    const task = target.kind === 'job' ? tasks.get(taskId) : access.task(actor, taskId, purpose);
    const jobId = target.kind === 'job' ? target.id : null;
    return {
      organizationId: task?.organization_id ?? null,
      projectId: task?.project_id ?? null,
      taskId,
      jobId,
      updated: task?.updated_date ?? '',
      media: task?.media_id ?? null,
    };
  }

  return {
    startExport(actor: Actor, target: DatasetTarget, request: ExportRequest): { rq_id: string } {
      const subresource = request.saveImages ? 'dataset' : 'annotations';
      const { organizationId, projectId, taskId, jobId, updated, media } = open(actor, target, `export:${subresource}`);
      if (media === null) throw new AppError('invalid', 'The task has no data yet.', ['The task has no data yet.']);
      const exporter = formats.exporter(request.format);
      if (!exporter) throw unknownFormat(formats);
      const parameters: ExportParameters = { ...request, format: exporter.display_name, target };
      return requests.start(actor, {
        key: {
          action: 'export',
          target: target.kind,
          targetId: target.id,
          userId: actor.userId,
          subresource,
          format: exporter.display_name,
        },
        type: `export:${subresource}`,
        organizationId,
        projectId,
        taskId,
        jobId,
        parameters: { ...parameters },
        ...(request.fileName === undefined && request.options === undefined ? { freshSince: updated } : {}),
      });
    },

    startImport(
      actor: Actor,
      target: DatasetTarget & { kind: 'task' | 'job' },
      request: Omit<AnnotationsImportParameters, 'target'>,
    ): { rq_id: string } {
      const { organizationId, projectId, taskId, jobId, media } = open(actor, target, 'import:annotations');
      if (media === null) throw new AppError('invalid', 'The task has no data yet.', ['The task has no data yet.']);
      const importer = formats.importer(request.format);
      if (!importer) throw unknownFormat(formats);
      if (request.dryRun !== true && makesLabels(readImportChoices(request.options ?? {}, undefined))) {
        // Labels belong to the task, or to the project that it is in.
        if (projectId !== null) access.project(actor, projectId, 'update');
        else if (taskId !== null) access.task(actor, taskId, 'update');
      }
      const parameters: AnnotationsImportParameters = { ...request, format: importer.display_name, target };
      return requests.start(actor, {
        key: {
          action: 'import',
          target: target.kind,
          targetId: target.id,
          subresource: 'annotations',
          // A look at a file keeps the report of the last import.
          ...(request.dryRun === true ? { format: 'preview' } : {}),
        },
        type: 'import:annotations',
        organizationId,
        projectId,
        taskId,
        jobId,
        parameters: { ...parameters },
      });
    },

    /** A whole dataset, with images: each subset becomes a task of the project. */
    startDatasetImport(
      actor: Actor,
      projectId: number,
      request: Pick<DatasetImportParameters, 'format' | 'file'>,
    ): { rq_id: string } {
      const project = access.project(actor, projectId, 'import:dataset');
      const importer = formats.importer(request.format);
      if (!importer) throw unknownFormat(formats);
      const parameters: DatasetImportParameters = { format: importer.display_name, file: request.file };
      return requests.start(actor, {
        key: { action: 'import', target: 'project', targetId: projectId, subresource: 'dataset' },
        type: 'import:dataset',
        organizationId: project.organization_id,
        projectId,
        parameters: { ...parameters },
      });
    },
  };
}
