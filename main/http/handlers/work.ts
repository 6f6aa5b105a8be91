import type {
  annotationOperations,
  jobOperations,
  labelOperations,
  projectOperations,
  requestOperations,
  taskOperations,
} from '../../../preload/contract/operations/work.ts';
import { parseAction } from '../../work/annotations/annotation-service.ts';
import { isDefaultPlace, namedStorage, type Place } from '../../../preload/contract/schema/common.ts';
import type { Services } from '../../composition/services.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { serialised, type HandlersOf, type LargeBodyHandlers } from '../handler.ts';
import { listHandler, listRequest, pageOf, within } from '../paging.ts';
import type { RequestContext } from '../request-context.ts';
import { removedForm } from './downloads.ts';
import { z } from 'zod';
import { exportOptionsSchema, type DatasetExportOptions } from '../../../preload/contract/schema/export-options.ts';
import type { QueryOf } from '../../../preload/contract/operation.ts';
import type { Operations } from '../../../preload/contract/operations/index.ts';
import type { BackupRequest } from '../../import-export/export/backup-export.ts';
import type { ExportRequest } from '../../import-export/export/dataset-export.ts';

type WorkOperations = typeof projectOperations &
  typeof labelOperations &
  typeof taskOperations &
  typeof jobOperations &
  typeof annotationOperations &
  typeof requestOperations;

export const createWorkHandlers = (core: Services): HandlersOf<WorkOperations> => ({
  ...projectHandlers(core),
  ...labelHandlers(core),
  ...taskHandlers(core),
  ...jobHandlers(core),
  ...annotationHandlers(core),
  ...requestHandlers(core),
});

/** Saves with a key are answered from the store when repeated; those of a window are checked against other changes. */
export function createLargeBodyHandlers({ annotations }: Services): LargeBodyHandlers {
  const replace =
    (kind: 'job' | 'task'): NonNullable<LargeBodyHandlers['replaceJobAnnotations']> =>
    async ({ actor, params: { id }, read }) =>
      serialised(await annotations.saveInPortions(actor, { kind, id, action: 'replace' }, read));
  const change =
    (kind: 'job' | 'task'): NonNullable<LargeBodyHandlers['changeJobAnnotations']> =>
    ({ actor, params: { id }, query, request, read }) => {
      const { key, seen } = saveHead(request);
      if (key !== undefined || seen !== undefined) return undefined;
      const action = parseAction(query.action);
      return annotations.saveInPortions(actor, { kind, id, action }, read).then((json) => serialised(json));
    };
  return {
    replaceTaskAnnotations: replace('task'),
    changeTaskAnnotations: change('task'),
    replaceJobAnnotations: replace('job'),
    changeJobAnnotations: change('job'),
  };
}

const projectHandlers = ({ projects, labels, datasets, backups }: Services): HandlersOf<typeof projectOperations> => ({
  listProjects: listHandler(projects.list),
  createProject: ({ actor, body }) => projects.create(actor, body),
  getProject: ({ actor, params }) => projects.get(actor, params.id),
  updateProject: ({ actor, params: { id }, body }) =>
    labels.changing(actor, { kind: 'project', id }, body.labels, () => projects.update(actor, id, body)),
  deleteProject: ({ actor, params }) => projects.remove(actor, params.id),
  exportProjectBackup: ({ actor, params, query }) =>
    backups.startExport(actor, { kind: 'project', id: params.id }, backupRequest(query)),
  exportProjectDataset: ({ actor, params, query }) =>
    datasets.startExport(actor, { kind: 'project', id: params.id }, exportRequest(query)),
});

const labelHandlers = ({ labels }: Services): HandlersOf<typeof labelOperations> => ({
  listLabels: listHandler(labels.list),
  getLabel: ({ actor, params }) => labels.get(actor, params.id),
  updateLabel: ({ actor, params, body }) => labels.update(actor, params.id, body),
  deleteLabel: ({ actor, params }) => labels.remove(actor, params.id),
});

const noState = { message: '', progress: 0 };

function taskHandlers(core: Services): HandlersOf<typeof taskOperations> {
  const {
    tasks,
    labels,
    jobs,
    frames,
    datasets,
    backups,
    groundTruth,
    requests,
    taskData,
    removedFrames,
    unsentImages,
    watchedFolders,
  } = core;
  return {
    listTasks: listHandler(tasks.list),
    createTask: ({ actor, body }) => tasks.create(actor, body),
    getTask: ({ actor, params, query }) => within(tasks.get(actor, params.id), query),
    updateTask: ({ actor, params: { id }, body }) =>
      labels.changing(actor, { kind: 'task', id }, body.labels, () => tasks.update(actor, id, body)),
    deleteTask: ({ actor, params }) => tasks.remove(actor, params.id),
    listTaskJobs({ actor, params, query, request }) {
      tasks.get(actor, params.id);
      const wanted = listRequest(query);
      const equals = { ...wanted.equals, task_id: String(params.id) };
      return pageOf(request.url, wanted, jobs.list(actor, { ...wanted, equals }));
    },
    getWatchedFolder: ({ actor, params }) => watchedFolders.get(actor, params.id),
    setWatchedFolder: ({ actor, params, body }) => watchedFolders.set(actor, params.id, body.path),
    deleteWatchedFolder: ({ actor, params }) => watchedFolders.remove(actor, params.id),
    openTaskByNames: ({ actor, params, body, request }) => unsentImages.open(actor, params.id, body, request.signal),
    listUnsentImages: ({ actor, params, query }) => unsentImages.list(actor, params.id, query.from),
    removeUnsentImages: ({ actor, params }) => unsentImages.remove(actor, params.id),
    removeTaskFrames: ({ actor, params, body }) => removedFrames.remove(actor, params.id, body),
    prepareTaskDataAgain: ({ actor, params }) => taskData.startAgain(actor, params.id),
    getTaskStatus({ actor, params }) {
      const task = tasks.get(actor, params.id);
      return requests.dataState(params.id) ?? { ...noState, state: task.data === null ? 'Unknown' : 'Finished' };
    },
    getTaskValidationLayout: ({ actor, params }) => groundTruth.taskLayout(actor, params.id),
    updateTaskValidationLayout: ({ actor, params, body }) => groundTruth.updateTaskLayout(actor, params.id, body),
    getTaskMeta: async ({ actor, params }) => serialised(await frames.taskMetaJson(actor, params.id)),
    updateTaskMeta: ({ actor, params, body }) => frames.updateTaskMeta(actor, params.id, body),
    listChangedFrames: ({ actor, params }) => frames.changedFrames(actor, params.id),
    exportTaskBackup: ({ actor, params, query }) =>
      backups.startExport(actor, { kind: 'task', id: params.id }, backupRequest(query)),
    exportTaskDataset: ({ actor, params, query }) =>
      datasets.startExport(actor, { kind: 'task', id: params.id }, exportRequest(query)),
  };
}

const jobHandlers = ({
  jobs,
  frames,
  datasets,
  groundTruth,
  textPrompts,
}: Services): HandlersOf<typeof jobOperations> => ({
  listJobs: listHandler(jobs.list),
  createJob: ({ actor, body }) => groundTruth.create(actor, body),
  deleteJob: ({ actor, params }) => groundTruth.remove(actor, params.id),
  getTextPrompts: ({ actor, params }) => textPrompts.get(actor, params.id),
  updateTextPrompts: ({ actor, params, body }) => textPrompts.put(actor, params.id, body.prompts),
  getJobValidationLayout: ({ actor, params }) => groundTruth.jobLayout(actor, params.id),
  updateJobValidationLayout: ({ actor, params, body }) => groundTruth.updateJobLayout(actor, params.id, body),
  getJob: ({ actor, params, query }) => within(jobs.get(actor, params.id), query),
  updateJob: ({ actor, params, body }) => jobs.update(actor, params.id, body),
  getJobMeta: async ({ actor, params }) => serialised(await frames.jobMetaJson(actor, params.id)),
  updateJobMeta: ({ actor, params, body }) => frames.updateJobMeta(actor, params.id, body),
  listJobFrames: async ({ actor, params, query }) => serialised(await frames.listedFramesJson(actor, params.id, query)),
  getReadingProgress: ({ actor, params }) => frames.readingProgress(actor, params.id),
  getJobFrame: ({ actor, params }) => frames.jobFrame(actor, params.id, params.frame),
  updateJobFrame: ({ actor, params, body }) => frames.updateJobFrame(actor, params.id, params.frame, body),
  exportJobDataset: ({ actor, params, query }) =>
    datasets.startExport(actor, { kind: 'job', id: params.id }, exportRequest(query)),
});

/** Clients from before 2024 exported by this request with a format. */
function refuseRemovedForm({ url }: RequestContext): void {
  if (url.searchParams.has('format')) throw new AppError('gone', removedForm, removedForm);
}

/**
 * A save with a key is applied only once, however often it is sent. A save with a seen version is rejected if anyone
 * except its own window has changed the same objects since.
 */
const saveHead = ({ raw: { headers } }: RequestContext) => ({
  key: headers.get('Idempotency-Key') ?? undefined,
  window: headers.get('X-Limner-Window'),
  seen: headers.get('X-Limner-Seen') ?? undefined,
});

const changeOwners = ['task', 'job', 'project'] as const;

function annotationHandlers({ annotations, annotationChanges }: Services): HandlersOf<typeof annotationOperations> {
  return {
    async getTaskAnnotations({ actor, params, query, request }) {
      refuseRemovedForm(request);
      return serialised(await annotations.readTaskJson(actor, params.id, query, request));
    },
    replaceTaskAnnotations: ({ actor, params, body }) => annotations.replaceTask(actor, params.id, body),
    changeTaskAnnotations: ({ actor, params, query, body, request }) =>
      annotations.changeTask(actor, params.id, parseAction(query.action), body, saveHead(request)),
    clearTaskAnnotations: ({ actor, params }) => annotations.clearTask(actor, params.id),
    async getJobAnnotations({ actor, params, query, request }) {
      refuseRemovedForm(request);
      return serialised(await annotations.readJobJson(actor, params.id, query, request));
    },
    replaceJobAnnotations: ({ actor, params, body }) => annotations.replaceJob(actor, params.id, body),
    changeJobAnnotations: ({ actor, params, query, body, request }) =>
      annotations.changeJob(actor, params.id, parseAction(query.action), body, saveHead(request)),
    clearJobAnnotations: ({ actor, params }) => annotations.clearJob(actor, params.id),
    listJobTracks: ({ actor, params, query }) => ({ tracks: annotations.tracksOfJob(actor, params.id, query) }),
    putKeyframe: ({ actor, params, body, request }) => annotations.putKeyframe(actor, params, body, saveHead(request)),
    deleteKeyframe: ({ actor, params, request }) => annotations.deleteKeyframe(actor, params, saveHead(request)),
    listAnnotationChanges({ actor, query }) {
      const [owner, other] = changeOwners.flatMap((kind) => {
        const id = query[`${kind}_id`];
        return id === undefined ? [] : [{ kind, id }];
      });
      if (!owner || other) throw invalidField('task_id', 'Give exactly one of task_id, job_id and project_id.');
      return { results: annotationChanges.list(actor, owner.kind, owner.id) };
    },
    undoAnnotationChange: ({ actor, params }) => annotationChanges.undo(actor, params.id),
  };
}

function requestHandlers({ requests }: Services): HandlersOf<typeof requestOperations> {
  return {
    listRequests: listHandler(requests.list),
    getRequest: ({ actor, params }) => requests.get(actor, params.id),
    cancelRequest: ({ actor, params }) => requests.cancel(actor, params.id),
    getRequestReport({ actor, params }) {
      const { included, dropped, invalid, invalidCount, warnings, preview } = requests.report(actor, params.id);
      return {
        included: [...included],
        dropped: [...dropped],
        invalid: [...invalid],
        invalidCount,
        warnings: [...warnings],
        preview,
      };
    },
  };
}

const jsonSchema = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('no JSON');
    return z.NEVER;
  }
});
const optionsSchema = jsonSchema.pipe(z.record(z.string(), z.unknown()));
const statedExportOptionsSchema = jsonSchema.pipe(exportOptionsSchema);

/** @throws AppError 400 */
function bucketTarget(query: Place): { cloudStorageId?: number; usesDefault?: true } {
  const named = namedStorage(query);
  if (typeof named === 'object') throw invalidField('cloud_storage_id', named.problem);
  if (isDefaultPlace(query)) return { usesDefault: true };
  return named === undefined ? {} : { cloudStorageId: named };
}

function backupRequest(query: QueryOf<Operations['exportTaskBackup']>): BackupRequest {
  return { lightweight: query.lightweight, fileName: query.filename || undefined, ...bucketTarget(query) };
}

/** @throws AppError 400 for invalid options */
function exportRequest(query: QueryOf<Operations['exportTaskDataset']>): ExportRequest {
  return {
    format: query.format,
    saveImages: query.save_images,
    ...bucketTarget(query),
    fileName: query.filename === undefined || query.filename === '' ? undefined : query.filename,
    onlyAnnotated: query.only_annotated_frames || undefined,
    exportOptions: query.export_options === undefined ? undefined : statedExportOptions(query.export_options),
    options: query.options === undefined ? undefined : statedOptions(query.options),
  };
}

function statedOptions(text: string): Readonly<Record<string, unknown>> {
  const parsed = optionsSchema.safeParse(text);
  if (!parsed.success) throw invalidField('options', 'A valid JSON object is required.');
  return parsed.data;
}

function statedExportOptions(text: string): DatasetExportOptions {
  const parsed = statedExportOptionsSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue?.path.join('.') ?? '';
  throw invalidField('export_options', `${at === '' ? 'The JSON' : at}: ${issue?.message ?? 'cannot be read'}.`);
}
