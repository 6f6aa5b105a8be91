import { z } from 'zod';
import {
  equalTo,
  idParams,
  listQuery,
  pageSchema,
  placeQuery,
  queryBoolean,
  related,
  rqIdSchema,
} from '../schema/common.ts';
import {
  annotationChangeSchema,
  labeledDataSchema,
  undoneChangeSchema,
  jobTracksSchema,
  keyframeWriteSchema,
  trackedShapeSchema,
} from '../schema/annotations.ts';
import { labelSchema, labelWriteSchema } from '../schema/labels.ts';
import * as resources from '../schema/resources.ts';
import { textPromptsSchema } from '../schema/text-prompts.ts';
import { importPreviewSchema } from '../schema/formats.ts';
import { collection, operation } from '../operation.ts';

const exportQuery = z.object({
  format: z.string(),
  save_images: queryBoolean.default(false),
  filename: z.string().optional(),
  /** Limner extension: options of the format, as a JSON object. */
  options: z.string().optional(),
  /** Limner extension: leaves out frames without annotations. Default: all frames, as in CVAT. */
  only_annotated_frames: queryBoolean.default(false),
  /** Limner extension: options that apply before the format writes, as JSON; see `ExportOptionsFields`. */
  export_options: z.string().optional(),
  ...placeQuery,
});
const backupQuery = z.object({
  filename: z.string().optional(),
  /** CVAT leaves out media of tasks in a cloud storage. Limner's backups are always complete. */
  lightweight: queryBoolean.default(false),
  ...placeQuery,
});
const annotationAction = z.object({ action: z.string().optional() });

const projects = collection('/api/projects', resources.projectSchema);
export const projectOperations = {
  listProjects: projects.list('Projects', {
    ...equalTo('assignee', 'name', 'organization_id', 'owner', 'status'),
    ...related('organization'),
  }),
  createProject: projects.create('Create a project with its labels', resources.projectWriteSchema),
  getProject: projects.get('One project'),
  updateProject: projects.update('Change a project or its labels', resources.projectPatchSchema),
  deleteProject: projects.delete('Delete a project with its tasks'),
  exportProjectBackup: operation.post(
    '/api/projects/{id}/backup/export',
    'Start the backup of a project with its tasks',
    { status: 202, query: backupQuery, output: rqIdSchema },
  ),
  exportProjectDataset: operation.post('/api/projects/{id}/dataset/export', 'Start the export of a dataset', {
    status: 202,
    query: exportQuery,
    output: rqIdSchema,
  }),
} as const;

const labels = collection('/api/labels', labelSchema);
export const labelOperations = {
  listLabels: labels.list('Labels of a project, task or job, or all that you can see', {
    ...equalTo('color', 'name', 'parent', 'parent_id', 'type', 'job_id', 'task_id', 'project_id'),
    ...related('job', 'task', 'project'),
  }),
  getLabel: labels.get('One label'),
  updateLabel: labels.update('Change a label', labelWriteSchema),
  deleteLabel: labels.delete('Delete a label and its annotations'),
} as const;

const jobFilters = equalTo(
  'assignee',
  'dimension',
  'media_type',
  'mode',
  'organization_id',
  'parent_job_id',
  'project_id',
  'project_name',
  'stage',
  'state',
  'task_name',
  'type',
);

const tasks = collection('/api/tasks', resources.taskSchema);
export const taskOperations = {
  listTasks: tasks.list('Tasks', {
    ...equalTo(
      'assignee',
      'dimension',
      'media_type',
      'mode',
      'name',
      'owner',
      'project_id',
      'project_name',
      'status',
      'subset',
      'tracker_link',
      'validation_mode',
      'organization_id',
    ),
    ...related('organization', 'project'),
  }),
  createTask: tasks.create('Create a task, without its data', resources.taskWriteSchema),
  getTask: tasks.getWithin('One task', { ...equalTo('project_id'), ...related('project') }),
  updateTask: tasks.update('Change a task or its labels', resources.taskPatchSchema),
  deleteTask: tasks.delete('Delete a task with its annotations and uploaded media'),
  getTaskStatus: operation.get(
    '/api/tasks/{id}/status',
    "Progress of the preparation of a task's data (deprecated: ask /api/requests)",
    { output: resources.taskStatusSchema },
  ),
  /** Limner extension. */
  prepareTaskDataAgain: operation.post(
    '/api/limner/tasks/{id}/data/retry',
    'Retry the failed preparation of files that were given by their paths',
    { status: 202, params: idParams, output: rqIdSchema },
  ),
  /** Limner extension. */
  getWatchedFolder: operation.get('/api/limner/tasks/{id}/watched-folder', 'Folder whose new images join a task', {
    params: idParams,
    output: resources.watchedFolderSchema,
  }),
  setWatchedFolder: operation.post(
    '/api/limner/tasks/{id}/watched-folder',
    'Watch a folder of this computer: its images join the task',
    {
      status: 200,
      params: idParams,
      body: resources.watchedFolderWriteSchema,
      output: resources.watchedFolderSchema,
    },
  ),
  deleteWatchedFolder: operation.delete('/api/limner/tasks/{id}/watched-folder', 'Stop watching a folder', {
    params: idParams,
  }),
  /** Limner extension. */
  openTaskByNames: operation.post(
    '/api/limner/tasks/{id}/unsent-images',
    'Create the frames and jobs of a task by the names of images that are sent afterwards',
    { params: idParams, body: resources.unsentImagesWriteSchema, output: resources.openedTaskSchema },
  ),
  listUnsentImages: operation.get('/api/limner/tasks/{id}/unsent-images', 'Frames whose images were not sent', {
    params: idParams,
    query: z.object({
      /** Starts with this frame. Repeat the request with `next` until it is null. */
      from: z.coerce.number().int().nonnegative().default(0),
    }),
    output: resources.unsentImagesSchema,
  }),
  removeUnsentImages: operation.delete(
    '/api/limner/tasks/{id}/unsent-images',
    'Exclude the frames whose images were not sent; an image that is sent later restores its frame',
    { params: idParams },
  ),
  /** Limner extension. */
  removeTaskFrames: operation.post(
    '/api/limner/tasks/{id}/frames/remove',
    'Remove the images of frames with their annotations, undoable for a day',
    { status: 200, params: idParams, body: resources.removeFramesSchema, output: resources.removedFramesSchema },
  ),
  /** Older form of `/api/jobs?task={id}` in CVAT's specification. */
  listTaskJobs: operation.get('/api/tasks/{id}/jobs', 'Jobs of a task (deprecated: ask /api/jobs?task_id=)', {
    query: listQuery(jobFilters),
    output: pageSchema(resources.jobSchema),
  }),
  getTaskValidationLayout: operation.get('/api/tasks/{id}/validation_layout', 'Validation frames of a task', {
    output: resources.taskValidationLayoutSchema,
  }),
  updateTaskValidationLayout: operation.patch(
    '/api/tasks/{id}/validation_layout',
    'Exclude or include validation frames',
    { body: resources.taskValidationPatchSchema, output: resources.taskValidationLayoutSchema },
  ),
  getTaskMeta: operation.get('/api/tasks/{id}/data/meta', 'Frames of a task', { output: resources.dataMetaSchema }),
  updateTaskMeta: operation.patch('/api/tasks/{id}/data/meta', 'Replace the set of deleted frames', {
    body: resources.dataMetaPatchSchema,
    output: resources.dataMetaSchema,
  }),
  /** Limner extension. */
  listChangedFrames: operation.get(
    '/api/limner/tasks/{id}/frames/changed',
    'Images used in place whose files were replaced or are missing; checks every file',
    { output: resources.changedFramesSchema },
  ),
  exportTaskBackup: operation.post('/api/tasks/{id}/backup/export', 'Start the backup of a task', {
    status: 202,
    query: backupQuery,
    output: rqIdSchema,
  }),
  exportTaskDataset: operation.post('/api/tasks/{id}/dataset/export', 'Start the export of a dataset', {
    status: 202,
    query: exportQuery,
    output: rqIdSchema,
  }),
} as const;

const frameParams = idParams.extend({ frame: z.coerce.number().int().nonnegative() });
const keyframeParams = frameParams.extend({ track: z.coerce.number().int().nonnegative() });

const jobs = collection('/api/jobs', resources.jobSchema);
const framesQuery = z.object({
  /** Lists only the frames from this one. The other members of the answer describe the job. */
  frame: z.coerce.number().int().nonnegative().optional(),
  /** Lists at most this number of frames. */
  count: z.coerce.number().int().positive().optional(),
});
export const jobOperations = {
  listJobs: jobs.list('Jobs', { ...jobFilters, ...equalTo('task_id'), ...related('organization', 'project', 'task') }),
  createJob: jobs.create('Create the ground-truth job of a task', resources.jobWriteSchema),
  deleteJob: jobs.delete('Delete a ground-truth job'),
  getJobValidationLayout: operation.get('/api/jobs/{id}/validation_layout', 'Validation frames of a job', {
    output: resources.jobValidationLayoutSchema,
  }),
  updateJobValidationLayout: operation.patch(
    '/api/jobs/{id}/validation_layout',
    'Change the validation frames of a job',
    { body: resources.jobValidationPatchSchema, output: resources.jobValidationLayoutSchema },
  ),
  getJob: jobs.getWithin('One job', { ...equalTo('project_id', 'task_id'), ...related('project', 'task') }),
  updateJob: jobs.update("Change a job's assignee, stage or state", resources.jobPatchSchema),
  getJobMeta: operation.get('/api/jobs/{id}/data/meta', 'Frames of a job', { output: resources.dataMetaSchema }),
  updateJobMeta: operation.patch('/api/jobs/{id}/data/meta', "Replace the job's set of deleted frames", {
    body: resources.dataMetaPatchSchema,
    output: resources.dataMetaSchema,
  }),
  /** Limner extension. */
  listJobFrames: operation.get(
    '/api/limner/jobs/{id}/frames',
    'Frames of a job at once; images that have not been read have the width 0',
    { query: framesQuery, output: resources.dataMetaSchema },
  ),
  getReadingProgress: operation.get(
    '/api/limner/jobs/{id}/frames/progress',
    'Number of images that have been read after a folder was opened',
    { output: resources.readingProgressSchema },
  ),
  getJobFrame: operation.get(
    '/api/limner/jobs/{id}/frames/{frame}',
    'One frame of a job; checks the file of an image used in place',
    { params: frameParams, output: resources.jobFrameSchema },
  ),
  updateJobFrame: operation.patch('/api/limner/jobs/{id}/frames/{frame}', 'Delete or restore one frame of a job', {
    params: frameParams,
    body: resources.jobFramePatchSchema,
    output: resources.jobFrameSchema,
  }),
  getTextPrompts: operation.get('/api/limner/jobs/{id}/text_prompts', "Text prompts of the job's project", {
    output: textPromptsSchema,
  }),
  updateTextPrompts: operation.patch('/api/limner/jobs/{id}/text_prompts', "Keep text prompts in the job's project", {
    body: textPromptsSchema,
    output: textPromptsSchema,
  }),
  exportJobDataset: operation.post('/api/jobs/{id}/dataset/export', 'Start the export of a dataset', {
    status: 202,
    query: exportQuery,
    output: rqIdSchema,
  }),
} as const;

/** Limner extensions; by default the complete task or job is answered, as other clients expect. */
const annotationsQuery = z.object({
  /** Only shapes and tags of this frame; tracks are always complete. */
  frame: z.coerce.number().int().nonnegative().optional(),
  /** Only shapes and tags from `frame` to this frame, inclusive; `frame` defaults to the first one. */
  to_frame: z.coerce.number().int().nonnegative().optional(),
  /** Leaves out tracks, which are the same for every frame; see `listJobTracks`. */
  without: z.literal('tracks').optional(),
});

const tracksQuery = z.object({
  /** Only the keyframes that frames from this one need: those between them, the last before and the first after. */
  frame: z.coerce.number().int().nonnegative().optional(),
  /** Last of these frames, inclusive. Default: the last of the job. */
  to_frame: z.coerce.number().int().nonnegative().optional(),
});

const annotationRoutes = <const Kind extends 'task' | 'job'>(kind: Kind) => ({
  get: operation.get(`/api/${kind}s/{id}/annotations/`, `Annotations of a ${kind}`, {
    params: idParams,
    query: annotationsQuery,
    output: labeledDataSchema,
  }),
  replace: operation.put(`/api/${kind}s/{id}/annotations/`, `Replace the annotations of a ${kind}`, {
    params: idParams,
    body: labeledDataSchema,
    output: labeledDataSchema,
  }),
  change: operation.patch(`/api/${kind}s/{id}/annotations/`, `Create, update or delete annotations of a ${kind}`, {
    params: idParams,
    query: annotationAction,
    body: labeledDataSchema,
    output: labeledDataSchema,
  }),
  clear: operation.delete(`/api/${kind}s/{id}/annotations/`, `Delete all annotations of a ${kind}`, {
    params: idParams,
  }),
});
const task = annotationRoutes('task');
const job = annotationRoutes('job');

export const annotationOperations = {
  getTaskAnnotations: task.get,
  replaceTaskAnnotations: task.replace,
  changeTaskAnnotations: task.change,
  clearTaskAnnotations: task.clear,
  getJobAnnotations: job.get,
  replaceJobAnnotations: job.replace,
  changeJobAnnotations: job.change,
  clearJobAnnotations: job.clear,
  /** Limner extension. */
  listJobTracks: operation.get(
    '/api/limner/jobs/{id}/tracks',
    'Tracks of a job; keyframes that were computed where a track was cut are marked as borders',
    { params: idParams, query: tracksQuery, output: jobTracksSchema },
  ),
  /** Limner extension. */
  putKeyframe: operation.put(
    '/api/limner/jobs/{id}/tracks/{track}/keyframes/{frame}',
    'Create or replace one keyframe of a track',
    { params: keyframeParams, body: keyframeWriteSchema, output: trackedShapeSchema },
  ),
  deleteKeyframe: operation.delete(
    '/api/limner/jobs/{id}/tracks/{track}/keyframes/{frame}',
    'Delete one keyframe of a track',
    { params: keyframeParams },
  ),
  /** Limner extension. */
  listAnnotationChanges: operation.get(
    '/api/limner/annotation-changes',
    'Changes of annotations that can be undone, newest first: of a task, a job, or the labels of a project',
    {
      query: z.object({
        task_id: z.coerce.number().int().nonnegative().optional(),
        job_id: z.coerce.number().int().nonnegative().optional(),
        project_id: z.coerce.number().int().nonnegative().optional(),
      }),
      output: z.object({ results: z.array(annotationChangeSchema) }),
    },
  ),
  undoAnnotationChange: operation.post(
    '/api/limner/annotation-changes/{id}/undo',
    'Undo a change of annotations; undoing can itself be undone',
    { status: 200, output: undoneChangeSchema },
  ),
} as const;

const requestParams = z.object({ id: z.string() });

export const requestOperations = {
  listRequests: operation.get('/api/requests', 'Background requests', {
    query: listQuery({
      ...equalTo('action', 'format', 'job_id', 'project_id', 'status', 'subresource', 'target', 'task_id'),
      ...related('job', 'project', 'task'),
    }),
    output: pageSchema(resources.requestSchema),
  }),
  getRequest: operation.get('/api/requests/{id}', 'Background request', {
    params: requestParams,
    output: resources.requestSchema,
  }),
  cancelRequest: operation.post('/api/requests/{id}/cancel', 'Cancel a background request', {
    status: 200,
    params: requestParams,
  }),
  /** Limner extension: data that an import or export could not read or write. */
  getRequestReport: operation.get(
    '/api/requests/{id}/report',
    'Report of an import or export: objects, losses and invalid records',
    {
      params: requestParams,
      output: z.object({
        included: z.array(z.object({ type: z.string(), label: z.string(), count: z.int() })),
        dropped: z.array(z.object({ type: z.string(), label: z.string(), rule: z.string(), count: z.int() })),
        invalid: z.array(z.object({ file: z.string(), at: z.string(), reason: z.string() })),
        invalidCount: z.int(),
        warnings: z.array(z.string()),
        /** Contents of the file, if it was only inspected. */
        preview: importPreviewSchema.optional(),
      }),
    },
  ),
} as const;
