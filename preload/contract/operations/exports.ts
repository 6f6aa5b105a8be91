import { exportPreviewRequestSchema, exportPreviewSchema } from '../schema/arrangement.ts';
import { exportPictureRequestSchema, exportPictureSchema } from '../schema/export-picture.ts';
import { operation } from '../operation.ts';

/** Limner's own: what an export would write, counted, and a frame of it to look at. */
export const exportOperations = {
  previewProjectExport: operation.post(
    '/api/limner/projects/{id}/export/preview',
    'Count what an export of a project would write',
    { body: exportPreviewRequestSchema, output: exportPreviewSchema },
  ),
  previewTaskExport: operation.post(
    '/api/limner/tasks/{id}/export/preview',
    'Count what an export of a task would write',
    { body: exportPreviewRequestSchema, output: exportPreviewSchema },
  ),
  previewJobExport: operation.post(
    '/api/limner/jobs/{id}/export/preview',
    'Count what an export of a job would write',
    { body: exportPreviewRequestSchema, output: exportPreviewSchema },
  ),
  drawProjectExport: operation.post(
    '/api/limner/projects/{id}/export/picture',
    'Draw a frame as an export of a project would write it',
    { body: exportPictureRequestSchema, output: exportPictureSchema },
  ),
  drawTaskExport: operation.post(
    '/api/limner/tasks/{id}/export/picture',
    'Draw a frame as an export of a task would write it',
    { body: exportPictureRequestSchema, output: exportPictureSchema },
  ),
  drawJobExport: operation.post(
    '/api/limner/jobs/{id}/export/picture',
    'Draw a frame as an export of a job would write it',
    { body: exportPictureRequestSchema, output: exportPictureSchema },
  ),
} as const;
