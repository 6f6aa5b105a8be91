import { exportPreviewRequestSchema, exportPreviewSchema } from '../schema/export-options.ts';
import { framePreviewRequestSchema, framePreviewSchema } from '../schema/frame-preview.ts';
import { operation } from '../operation.ts';
import { rqIdSchema } from '../schema/common.ts';
import { frameCountSchema, frameSelectionSchema, framesToFilesSchema, framesToTaskSchema } from '../schema/frames.ts';

const preview = (kind: 'project' | 'task' | 'job') =>
  operation.post(`/api/limner/${kind}s/{id}/export/preview`, `Count the contents of an export of a ${kind}`, {
    body: exportPreviewRequestSchema,
    output: exportPreviewSchema,
  });
const picture = (kind: 'project' | 'task' | 'job') =>
  operation.post(`/api/limner/${kind}s/{id}/export/frame`, `Preview a frame in an export of a ${kind}`, {
    body: framePreviewRequestSchema,
    output: framePreviewSchema,
  });

const countFrames = (kind: 'task' | 'job') =>
  operation.post(`/api/limner/${kind}s/{id}/frames/count`, `Count the frames of a ${kind} in a selection`, {
    body: frameSelectionSchema,
    output: frameCountSchema,
  });

/** Limner extension: export previews and frames as images. */
export const exportOperations = {
  previewProjectExport: preview('project'),
  previewTaskExport: preview('task'),
  previewJobExport: preview('job'),
  previewProjectExportFrame: picture('project'),
  previewTaskExportFrame: picture('task'),
  previewJobExportFrame: picture('job'),

  countTaskFrames: countFrames('task'),
  countJobFrames: countFrames('job'),
  createTaskFromFrames: operation.post(
    '/api/limner/tasks/{id}/frames/task',
    'Start the creation of an image task from frames of a video task',
    { status: 202, body: framesToTaskSchema, output: rqIdSchema },
  ),
  exportFrames: operation.post(
    '/api/limner/tasks/{id}/frames/files',
    'Start the export of frames of a video task to an image archive',
    { status: 202, body: framesToFilesSchema, output: rqIdSchema },
  ),
} as const;
