import { exportPreviewRequestSchema, exportPreviewSchema } from '../schema/arrangement.ts';
import { exportPictureRequestSchema, exportPictureSchema } from '../schema/export-picture.ts';
import { operation } from '../operation.ts';
import { rqIdSchema } from '../schema/common.ts';
import { frameCountSchema, frameSelectionSchema, framesToFilesSchema, framesToTaskSchema } from '../schema/frames.ts';

const preview = (kind: 'project' | 'task' | 'job') =>
  operation.post(`/api/limner/${kind}s/{id}/export/preview`, `Count what an export of a ${kind} would write`, {
    body: exportPreviewRequestSchema,
    output: exportPreviewSchema,
  });
const picture = (kind: 'project' | 'task' | 'job') =>
  operation.post(`/api/limner/${kind}s/{id}/export/picture`, `Draw a frame as an export of a ${kind} would write it`, {
    body: exportPictureRequestSchema,
    output: exportPictureSchema,
  });

const countFrames = (kind: 'task' | 'job') =>
  operation.post(`/api/limner/${kind}s/{id}/frames/count`, `How many frames of a ${kind} a selection comes to`, {
    body: frameSelectionSchema,
    output: frameCountSchema,
  });

/** Limner extension: export previews and frames as images. */
export const exportOperations = {
  // Counts the contents of an export, and shows a frame as exported.
  previewProjectExport: preview('project'),
  previewTaskExport: preview('task'),
  previewJobExport: preview('job'),
  drawProjectExport: picture('project'),
  drawTaskExport: picture('task'),
  drawJobExport: picture('job'),

  // Frames of videos as images.
  countTaskFrames: countFrames('task'),
  countJobFrames: countFrames('job'),
  makeTaskOfFrames: operation.post(
    '/api/limner/tasks/{id}/frames/task',
    'Start making a task of images out of frames of a video task',
    { status: 202, body: framesToTaskSchema, output: rqIdSchema },
  ),
  exportFrames: operation.post(
    '/api/limner/tasks/{id}/frames/files',
    'Start writing frames of a video task into an archive of images',
    { status: 202, body: framesToFilesSchema, output: rqIdSchema },
  ),
} as const;
