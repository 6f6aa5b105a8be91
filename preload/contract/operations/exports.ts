import { exportPreviewRequestSchema, exportPreviewSchema } from '../schema/arrangement.ts';
import { operation } from '../operation.ts';

/** Limner's own: what an export would write. */
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
} as const;
