import type { z } from 'zod';
import type { exportOperations } from '../../../preload/contract/operations/exports.ts';
import type { exportPreviewRequestSchema } from '../../../preload/contract/schema/arrangement.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';

export function createExportHandlers({ datasets }: Pick<Core, 'datasets'>): HandlersOf<typeof exportOperations> {
  const asked = ({ format, arrangement = {}, only_annotated_frames }: z.output<typeof exportPreviewRequestSchema>) => ({
    format,
    arrangement,
    onlyAnnotated: only_annotated_frames,
  });
  return {
    previewProjectExport: ({ actor, params: { id }, body }) =>
      datasets.previewExport(actor, { kind: 'project', id }, asked(body)),
    previewTaskExport: ({ actor, params: { id }, body }) =>
      datasets.previewExport(actor, { kind: 'task', id }, asked(body)),
    previewJobExport: ({ actor, params: { id }, body }) =>
      datasets.previewExport(actor, { kind: 'job', id }, asked(body)),
  };
}
