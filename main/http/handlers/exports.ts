import type { z } from 'zod';
import type { exportOperations } from '../../../preload/contract/operations/exports.ts';
import type { exportPreviewRequestSchema } from '../../../preload/contract/schema/export-options.ts';
import type { framePreviewRequestSchema } from '../../../preload/contract/schema/frame-preview.ts';
import type { Services } from '../../composition/services.ts';
import type { HandlersOf } from '../handler.ts';

export function createExportHandlers({ datasets, frameImages }: Services): HandlersOf<typeof exportOperations> {
  const exportRequest = ({
    format,
    export_options: exportOptions = {},
    only_annotated_frames,
  }: z.output<typeof exportPreviewRequestSchema>) => ({
    format,
    exportOptions,
    onlyAnnotated: only_annotated_frames,
  });
  const drawn = (body: z.output<typeof framePreviewRequestSchema>) => ({
    ...exportRequest(body),
    options: body.options,
    place: body.place,
  });
  return {
    previewProjectExport: ({ actor, params: { id }, body, request }) =>
      datasets.previewExport(actor, { kind: 'project', id }, exportRequest(body), request.signal),
    previewTaskExport: ({ actor, params: { id }, body, request }) =>
      datasets.previewExport(actor, { kind: 'task', id }, exportRequest(body), request.signal),
    previewJobExport: ({ actor, params: { id }, body, request }) =>
      datasets.previewExport(actor, { kind: 'job', id }, exportRequest(body), request.signal),
    previewProjectExportFrame: ({ actor, params: { id }, body, request }) =>
      datasets.drawExport(actor, { kind: 'project', id }, drawn(body), request.signal),
    previewTaskExportFrame: ({ actor, params: { id }, body, request }) =>
      datasets.drawExport(actor, { kind: 'task', id }, drawn(body), request.signal),
    previewJobExportFrame: ({ actor, params: { id }, body, request }) =>
      datasets.drawExport(actor, { kind: 'job', id }, drawn(body), request.signal),
    countTaskFrames: ({ actor, params: { id }, body }) => frameImages.count(actor, { kind: 'task', id }, body),
    countJobFrames: ({ actor, params: { id }, body }) => frameImages.count(actor, { kind: 'job', id }, body),
    createTaskFromFrames: ({ actor, params, body }) => frameImages.startTask(actor, params.id, body),
    exportFrames: ({ actor, params, body }) => frameImages.startExport(actor, params.id, body),
  };
}
