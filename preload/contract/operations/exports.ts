import { exportPreviewRequestSchema, exportPreviewSchema } from '../schema/arrangement.ts';
import { exportPictureRequestSchema, exportPictureSchema } from '../schema/export-picture.ts';
import { operation } from '../operation.ts';

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

/** Limner's own: what an export would write, counted, and a frame of it to look at. */
export const exportOperations = {
  previewProjectExport: preview('project'),
  previewTaskExport: preview('task'),
  previewJobExport: preview('job'),
  drawProjectExport: picture('project'),
  drawTaskExport: picture('task'),
  drawJobExport: picture('job'),
} as const;
