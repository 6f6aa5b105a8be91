import { randomUUID } from 'node:crypto';
import type { DatasetExportOptions, ExportPreview } from '../../preload/contract/schema/export-options.ts';
import type { FramePreview } from '../../preload/contract/schema/frame-preview.ts';
import type { CloudStorageService } from '../buckets/cloud-storage-service.ts';
import type { FormatCatalog, KnownFormat } from '../formats/format-catalog.ts';
import { makesLabels, readImportChoices } from '../formats/import-choices/import-choices.ts';
import { requireAllowed } from '../users/access/access-rules.ts';
import type { Actor } from '../users/access/actor.ts';
import { organizationOf } from '../users/access/scope.ts';
import { AppError, invalidField, invalidRequest } from '../platform/errors.ts';
import type { WorkerPool } from '../platform/worker-pool.ts';
import type { FramePreparation } from '../work/tasks/frame-preparation.ts';
import type { RequestService } from '../background-requests/request-service.ts';
import type { ProjectRow } from '../work/tables/project-repository.ts';
import type { TaskRepository, TaskRow } from '../work/tables/task-repository.ts';
import type { WorkAccess } from '../work/work-access.ts';
import { checkExportOptions } from './export-options/check-export-options.ts';
import type { BucketTarget } from './export/bucket-target.ts';
import type { BackupTarget } from './export/backup-export-job.ts';
import type { BackupExportParameters, BackupRequest } from './export/backup-export.ts';
import type { ExportParameters, ExportRequest } from './export/dataset-export.ts';
import type { ExportPictureJob } from './export-preview/frame-preview-job.ts';
import type { AnnotationsImportParameters } from './sources/annotations/annotations-import.ts';
import type { BackupImportParameters } from './sources/backup/backup-import.ts';
import type { DatasetImportParameters } from './sources/dataset/dataset-import.ts';
import type { DatasetTarget } from './annotation-reader/stored-view.ts';

interface Dependencies {
  readonly access: WorkAccess;
  readonly tasks: TaskRepository;
  readonly formats: FormatCatalog;
  readonly workers: WorkerPool;
  readonly databaseFile: string;
  readonly dataDirectory: string;
  readonly preparation: Pick<FramePreparation, 'wholeOf'>;
  readonly cloudStorages: Pick<CloudStorageService, 'clientFor'>;
}

export interface PreviewRequest {
  readonly format: string;
  readonly exportOptions: DatasetExportOptions;
  readonly onlyAnnotated: boolean;
}

/** Id of a started request, to query its state. */
export interface Started {
  readonly rq_id: string;
}

const unknownFormat = ({ isLooking }: FormatCatalog) => {
  if (isLooking) {
    const message = 'The formats of plug-ins are still being read. Try again in a moment.';
    return new AppError('unavailable', message, [message]);
  }
  return invalidRequest('Unknown format specified for the request');
};

const countsFrames = (format: string) =>
  invalidField(
    'only_annotated_frames',
    `${format} is a format of sequences: its frames are consecutive, so none can be left out. Remove this option, or choose a format of images.`,
  );

const notForProjects = (name: string) =>
  invalidField(
    'options',
    `${name} is not for a project: a dataset has its own frames, and all labels that the project lacks are created.`,
  );

const ofProject = ({ id, organization_id: organizationId }: ProjectRow) => ({
  organizationId,
  projectId: id,
  taskId: null,
  jobId: null,
});

function ofTask(task: TaskRow | undefined, jobId: number | null = null, empty = 'The task has no data yet.') {
  if (!task || task.media_id === null) throw invalidRequest(empty);
  const { id: taskId, organization_id: organizationId, project_id: projectId } = task;
  return { organizationId, projectId, taskId, jobId };
}

/** Replaces the default place of an export by the target storage of the task or project. */
const bucketPlaces =
  ({ access, tasks, cloudStorages }: Pick<Dependencies, 'access' | 'tasks' | 'cloudStorages'>) =>
  <Request extends BucketTarget>(
    actor: Actor,
    { kind, id }: Pick<DatasetTarget, 'kind' | 'id'>,
    { usesDefault, ...request }: Request,
  ): Omit<Request, 'usesDefault'> => {
    if (request.cloudStorageId !== undefined) cloudStorages.clientFor(actor, request.cloudStorageId);
    if (usesDefault !== true) return request;
    const owner =
      kind === 'project'
        ? access.project(actor, id)
        : kind === 'task'
          ? access.task(actor, id)
          : tasks.get(access.job(actor, id).task_id);
    // As in CVAT, who may export may do so to the default place, also without access to the cloud storage.
    const storageId = owner?.target_cloud_storage_id ?? null;
    return storageId === null ? request : { ...request, cloudStorageId: storageId };
  };

interface ExportChecks {
  readonly open: (actor: Actor, target: DatasetTarget, purpose: 'export:annotations') => unknown;
  readonly exporterOf: (
    format: string,
    request: Pick<ExportRequest, 'exportOptions' | 'onlyAnnotated'>,
  ) => Promise<KnownFormat>;
}

/** Previews of an export: counts, and one frame of it. */
function createExportPreviews(dependencies: Dependencies, { open, exporterOf }: ExportChecks) {
  const { formats, workers, databaseFile, dataDirectory, preparation } = dependencies;
  return {
    async previewExport(
      actor: Actor,
      target: DatasetTarget,
      request: PreviewRequest,
      signal: AbortSignal,
    ): Promise<ExportPreview> {
      open(actor, target, 'export:annotations');
      const { format: name, ...choices } = request;
      const { display_name, lacksSubsets, support } = await exporterOf(name, request);
      const job = {
        databaseFile,
        dataDirectory,
        target,
        format: { display_name, lacksSubsets, support },
        ...choices,
      };
      await preparation.wholeOf(target, { signal });
      return workers.run('previewExport', job, { signal });
    },

    async drawExport(
      actor: Actor,
      target: DatasetTarget,
      request: PreviewRequest & Pick<ExportPictureJob, 'options' | 'place'>,
      signal: AbortSignal,
    ): Promise<FramePreview> {
      open(actor, target, 'export:annotations');
      const { format: name, ...choices } = request;
      const { display_name, ext, lacksSubsets, support } = await exporterOf(name, request);
      const job = {
        databaseFile,
        dataDirectory,
        target,
        format: { display_name, ext, lacksSubsets, support },
        plugin: await formats.exporterPlugin(display_name),
        readerPlugin: await formats.importerPlugin(display_name),
        ...choices,
      };
      await preparation.wholeOf(target, { signal });
      return workers.run('pictureExport', job, { signal });
    },
  };
}

/** Starts exports and imports of annotations as background requests. */
export function createDatasetService(dependencies: Dependencies, requests: RequestService) {
  const { access, tasks, formats } = dependencies;
  const inBucket = bucketPlaces(dependencies);

  /** Returns the location after checking the permission. */
  function open(
    actor: Actor,
    { kind, id }: DatasetTarget,
    purpose: 'export:dataset' | 'export:annotations' | 'import:annotations',
  ) {
    if (kind === 'task') return ofTask(access.task(actor, id, purpose));
    if (kind === 'job') return ofTask(tasks.get(access.job(actor, id, purpose).task_id), id);
    // Annotations can only be imported into a project as part of a dataset.
    return ofProject(access.project(actor, id, purpose === 'import:annotations' ? 'import:dataset' : purpose));
  }

  async function exporterOf(
    format: string,
    { exportOptions, onlyAnnotated }: Pick<ExportRequest, 'exportOptions' | 'onlyAnnotated'>,
  ) {
    const exporter = await formats.exporter(format);
    if (!exporter) throw unknownFormat(formats);
    if (onlyAnnotated === true && exporter.isSequence) throw countsFrames(exporter.display_name);
    if (exportOptions) checkExportOptions(exportOptions, exporter);
    return exporter;
  }

  return {
    ...createExportPreviews(dependencies, { open, exporterOf }),

    async startExport(actor: Actor, target: DatasetTarget, request: ExportRequest): Promise<Started> {
      const subresource = request.saveImages ? 'dataset' : 'annotations';
      const type = `export:${subresource}` as const;
      open(actor, target, type);
      const format = (await exporterOf(request.format, request)).display_name;
      // Checked again: the target may have changed while the format was loaded.
      const place = open(actor, target, type);
      const { kind, id: targetId } = target;
      const parameters: ExportParameters = { ...inBucket(actor, target, request), format, target };
      return requests.start(actor, {
        key: { action: 'export', target: kind, targetId, userId: actor.userId, subresource, format },
        type,
        ...place,
        parameters: { ...parameters },
      });
    },

    async startImport(
      actor: Actor,
      target: DatasetTarget & { kind: 'task' | 'job' },
      request: Omit<AnnotationsImportParameters, 'target'>,
    ): Promise<Started> {
      const importer = await formats.importer(request.format);
      const place = open(actor, target, 'import:annotations');
      const { projectId, taskId } = place;
      if (!importer) throw unknownFormat(formats);
      if (request.dryRun !== true && makesLabels(readImportChoices(request.options ?? {}, undefined))) {
        // Labels belong to the task or to its project.
        if (projectId !== null) access.project(actor, projectId, 'update');
        else if (taskId !== null) access.task(actor, taskId, 'update');
      }
      if (readImportChoices(request.options ?? {}, undefined).add_images) {
        if (target.kind === 'job') {
          throw invalidField(
            'options',
            'add_images works for tasks only: a job cannot have more images. Import into the task.',
          );
        }
        access.task(actor, target.id, 'upload:data');
      }
      const parameters: AnnotationsImportParameters = { ...request, format: importer.display_name, target };
      return requests.start(actor, {
        key: {
          action: 'import',
          target: target.kind,
          targetId: target.id,
          subresource: 'annotations',
          // A dry run must not replace the report of the last import.
          format: request.dryRun === true ? 'preview' : undefined,
        },
        type: 'import:annotations',
        ...place,
        parameters: { ...parameters },
      });
    },

    /** Imports a dataset with images: each subset becomes a task of the project. */
    async startDatasetImport(actor: Actor, projectId: number, request: DatasetImportParameters): Promise<Started> {
      const { format, options = {}, dryRun } = request;
      const importer = await formats.importer(format);
      for (const name of ['subset', 'frame_matching', 'create_labels', 'unknown_attributes', 'add_images']) {
        if (options[name] !== undefined) throw notForProjects(name);
      }
      const place = ofProject(access.project(actor, projectId, 'import:dataset'));
      if (!importer) throw unknownFormat(formats);
      const parameters: DatasetImportParameters = { ...request, format: importer.display_name };
      return requests.start(actor, {
        key: {
          action: 'import',
          target: 'project',
          targetId: projectId,
          subresource: 'dataset',
          // A dry run must not replace the report of the last import.
          format: dryRun === true ? 'preview' : undefined,
        },
        type: 'import:dataset',
        ...place,
        parameters: { ...parameters },
      });
    },
  };
}

/** Starts the backup and restoration of projects and tasks as background requests. */
export function createBackupService(
  dependencies: Pick<Dependencies, 'access' | 'tasks' | 'cloudStorages'>,
  requests: RequestService,
) {
  const { access } = dependencies;
  const inBucket = bucketPlaces(dependencies);
  /** Throws if the actor may not create tasks or projects from backups here. */
  const requireImport = (actor: Actor, kind: BackupTarget['kind']): void =>
    requireAllowed(actor, kind, 'import:backup', access.facts.place(actor, organizationOf(actor)));

  return {
    startExport(actor: Actor, target: BackupTarget, request: BackupRequest): Started {
      const { kind, id: targetId } = target;
      const { lightweight } = request;
      const place =
        kind === 'project'
          ? ofProject(access.project(actor, targetId, 'export:backup'))
          : ofTask(access.task(actor, targetId, 'export:backup'), null, 'Backup of a task without data is not allowed');
      const parameters: BackupExportParameters = { ...inBucket(actor, target, request), target };
      return requests.start(actor, {
        key: { action: 'export', target: kind, targetId, userId: actor.userId, subresource: 'backup', lightweight },
        type: 'export:backup',
        ...place,
        parameters: { ...parameters },
      });
    },

    requireImport,

    startImport(actor: Actor, kind: BackupTarget['kind'], file: BackupImportParameters['file']): Started {
      requireImport(actor, kind);
      // Only admins may restore authors, because others could attribute comments to other users.
      const parameters: BackupImportParameters = { kind, file, keepsAuthors: actor.group === 'admin' };
      return requests.start(actor, {
        key: { action: 'import', target: kind, uuid: randomUUID(), subresource: 'backup' },
        type: 'import:backup',
        organizationId: organizationOf(actor),
        parameters: { ...parameters },
      });
    },
  };
}
