import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportSurvey } from '../../../preload/contract/schema/formats.ts';
import type { Database } from '../../db/open.ts';
import type { FormatCatalog } from '../../formats/format-catalog.ts';
import { makesLabels, readImportChoices } from '../../formats/import-choices/import-choices.ts';
import type { FormatSummary } from '../../formats/kit/report.ts';
import type { Clock } from '../../platform/clock.ts';
import { moveIntoPlace } from '../../platform/durable-files.ts';
import { AppError } from '../../platform/errors.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import type { Actor } from '../../people/access/actor.ts';
import type { AnnotationSetRepository } from '../../work/annotations/annotation-set-repository.ts';
import type { ChangeKeeper } from '../../work/annotations/change-keeper.ts';
import type { DatasetImportParameters } from '../dataset-import/dataset-import-runner.ts';
import type { WorkEvents } from '../../webhooks/events/work-events.ts';
import { createTrialIds, type IdRepository } from '../intake/id-repository.ts';
import type { LabelPlan } from '../intake/label-plan.ts';
import type { JobRepository } from '../../work/jobs/job-repository.ts';
import type { LabelOwner, LabelRepository } from '../../work/labels/label-repository.ts';
import type { ProjectRepository } from '../../work/projects/project-repository.ts';
import { exportFolder } from '../../requests/export-folder.ts';
import type { RequestRow } from '../../requests/request-repository.ts';
import { RequestFailure, type RequestResult } from '../../requests/request-end.ts';
import type { RequestRun } from '../../requests/request-queue.ts';
import type { RequestService } from '../../requests/request-service.ts';
import type { TaskRepository } from '../../work/tasks/task-repository.ts';
import type { WorkAccess } from '../../work/work-access.ts';
import { createDatasetRepository } from './dataset-repository.ts';
import type { ExportJob } from './export-job.ts';
import { exportThroughThreads } from './export-threads.ts';
import type { ImportJob, ImportOutcome } from './import-job.ts';
import { planImportLabels } from './import-labels.ts';
import { createImportPublisher } from './import-publisher.ts';
import type { SurveyedImport } from './import-survey.ts';
import { importThroughThreads } from './import-threads.ts';
import type { SurveyImportJob } from './survey-import-job.ts';
import { exportFileName, importMessage } from './dataset-names.ts';
import { nothingUsable } from './replacement.ts';
import type { DatasetTarget } from './stored-task-data.ts';

export interface DatasetDependencies {
  readonly database: Database;
  readonly databaseFile: string;
  readonly dataDirectory: string;
  readonly access: WorkAccess;
  readonly tasks: TaskRepository;
  readonly jobs: JobRepository;
  readonly projects: ProjectRepository;
  readonly sets: AnnotationSetRepository;
  readonly events: WorkEvents;
  readonly workers: WorkerPool;
  readonly formats: FormatCatalog;
  readonly clock: Clock;
  /** Called when annotations were replaced: their rows go in the background. */
  readonly onDiscarded: () => void;
}

export interface ExportRequest {
  readonly format: string;
  readonly saveImages: boolean;
  readonly fileName?: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface ImportRequest {
  readonly format: string;
  /** The queue removes it with the end of the request. */
  readonly file: { readonly path: string; readonly name: string };
  readonly mode: 'replace' | 'append';
  /** Only reads the file: the report says what an import would do, and the annotations stay as they are. */
  readonly dryRun?: boolean;
  readonly options?: Readonly<Record<string, unknown>>;
}

interface ExportParameters extends ExportRequest {
  readonly target: DatasetTarget;
}
interface ImportParameters extends ImportRequest {
  readonly target: DatasetTarget;
}

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
export function createDatasetService({ access, tasks, formats }: DatasetDependencies, requests: RequestService) {
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
      request: ImportRequest,
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
      const parameters: ImportParameters = { ...request, format: importer.display_name, target };
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
      request: Pick<ImportRequest, 'format' | 'file'>,
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

/** With fewer, the start of a second thread takes longer than it saves. */
const shapesWorthAThread = 20_000;

/** Runs `export:annotations` and `export:dataset`. */
export function createExportRunner(dependencies: DatasetDependencies) {
  const { database, databaseFile, dataDirectory, workers, formats } = dependencies;
  const { hasShapes } = createDatasetRepository(database);
  const isLarge = (target: DatasetTarget) => hasShapes(target, shapesWorthAThread);
  return async (request: RequestRow, { signal, progress }: RequestRun): Promise<RequestResult> => {
    const { target, format, saveImages, fileName, options } = JSON.parse(request.parameters) as ExportParameters;
    const destination = join(await exportFolder(dataDirectory), `${randomUUID()}.part`);
    const finished = destination.replace(/\.part$/, '');
    progress(0, 'Writing the dataset');
    try {
      const job: ExportJob = {
        databaseFile,
        dataDirectory,
        target,
        format,
        plugin: await formats.exporterPlugin(format),
        saveImages,
        options: options ?? {},
        destination,
      };
      const summary = isLarge(target)
        ? await exportThroughThreads(workers, job, { signal, progress })
        : await workers.run<ExportJob, FormatSummary>('exportDataset', job, { signal, onProgress: progress });
      await moveIntoPlace(destination, finished);
      return {
        report: JSON.stringify(summary),
        resultFile: finished,
        resultName:
          fileName ??
          exportFileName(target, { name: format, ext: formats.exporter(format)?.ext ?? 'zip' }, saveImages, new Date()),
      };
    } finally {
      await rm(destination, { force: true });
    }
  };
}

/** Share of the progress bar, where a file is looked through before it is read. */
const surveyShare = 0.4;

/** Runs `import:annotations`: into pending sets, which one transaction publishes at the end. */
export function createImportRunner(
  dependencies: DatasetDependencies & {
    readonly labelRows: LabelRepository;
    readonly ids: IdRepository;
    readonly keeper: ChangeKeeper;
  },
) {
  const { database, databaseFile, dataDirectory, jobs, sets, workers, labelRows, keeper } = dependencies;
  const publish = createImportPublisher(dependencies);

  const labelOwnerOf = (request: RequestRow): LabelOwner =>
    request.project_id === null
      ? { kind: 'task', id: request.task_id ?? 0 }
      : { kind: 'project', id: request.project_id };

  /** Looks through the file first, where somebody wants to know what is in it or the import makes labels of it. */
  async function lookThrough(
    request: RequestRow,
    job: SurveyImportJob,
    { signal, progress, dryRun }: Pick<RequestRun, 'signal' | 'progress'> & { readonly dryRun: boolean },
  ): Promise<{ survey: ImportSurvey; plan: LabelPlan | null } | null> {
    const choices = readImportChoices(job.options, undefined);
    if (!dryRun && !makesLabels(choices)) return null;
    progress(0, 'Looking through the file');
    const { survey, labels } = await workers.run<SurveyImportJob, SurveyedImport>('surveyAnnotations', job, {
      signal,
      onProgress: (fraction) => progress(fraction * surveyShare),
    });
    const ids = dryRun ? createTrialIds() : dependencies.ids;
    const plan = planImportLabels({ database, labelRows, ids }, labelOwnerOf(request), { found: labels, choices });
    return { survey, plan };
  }

  function spansOf(request: RequestRow) {
    const all = request.task_id === null ? [] : jobs.ofTask(request.task_id);
    const chosen =
      request.job_id === null
        ? all.filter((job) => job.type === 'annotation')
        : all.filter((job) => job.id === request.job_id);
    return chosen.map((job) => ({ jobId: job.id, firstFrame: job.start_frame, lastFrame: job.stop_frame }));
  }

  const createTargets = (request: RequestRow, spans: ReturnType<typeof spansOf>) =>
    database
      .transaction(() => {
        sets.discardPending(request.id);
        return spans.map((span) => ({ ...span, setId: sets.createPending(span.jobId, request.id) }));
      })
      .immediate();

  /** Why nothing may be replaced by nothing; null where nothing is there. */
  function refusalOf(
    summary: FormatSummary,
    request: RequestRow,
    read: { readonly file: string; readonly format: string; readonly isDryRun: boolean },
  ): string | null {
    const present = keeper.countLive(spansOf(request).map(({ jobId }) => jobId));
    const place = request.job_id === null ? 'task' : 'job';
    return present === 0 ? null : nothingUsable(summary, { ...read, place, present });
  }

  return async (request: RequestRow, { signal, progress, finish }: RequestRun): Promise<RequestResult> => {
    const { target, format, file, mode, options, dryRun } = JSON.parse(request.parameters) as ImportParameters;
    const spans = spansOf(request);
    // A dry run has no sets, and writes nothing.
    const targets = dryRun ? null : createTargets(request, spans);
    const paths = { databaseFile, dataDirectory };
    progress(0, 'Reading the file');
    try {
      const plugin = await dependencies.formats.importerPlugin(format);
      const reading = { ...paths, target, format, plugin, file, options: options ?? {} };
      const seen = await lookThrough(request, reading, { signal, progress, dryRun: targets === null });
      const done = seen ? surveyShare : 0;
      if (seen) progress(done, 'Reading the file');
      const job = { ...reading, labels: seen?.plan?.labels, jobs: spans };
      const name = 'importDataset';
      const onProgress = (fraction: number, message?: string) => progress(done + fraction * (1 - done), message);
      const { summary, arrived } = targets
        ? await importThroughThreads<ImportJob, ImportOutcome>(workers, {
            name,
            job: (port, state) => ({ ...job, channel: { port, state } }),
            targets,
            paths,
            signal,
            progress: onProgress,
          })
        : await workers.run<ImportJob, ImportOutcome>(name, { ...job, channel: null }, { signal, onProgress });
      const refusal =
        arrived === 0 && mode === 'replace'
          ? refusalOf(summary, request, { file: file.name, format, isDryRun: targets === null })
          : null;
      const result = { message: importMessage(summary, dryRun), report: JSON.stringify(summary) };
      if (targets === null) {
        const warnings = refusal === null ? summary.warnings : [refusal, ...summary.warnings];
        result.report = JSON.stringify({ ...summary, warnings, survey: seen?.survey });
      } else {
        if (refusal !== null) throw new RequestFailure(refusal, result.report);
        publish(request, {
          targets,
          replace: mode === 'replace',
          plan: seen?.plan ?? null,
          owner: labelOwnerOf(request),
          file: file.name,
          end: () => finish(result),
        });
      }
      return result;
    } catch (error) {
      if (targets) sets.discardPending(request.id);
      throw error;
    } finally {
      if (targets) dependencies.onDiscarded();
    }
  };
}
