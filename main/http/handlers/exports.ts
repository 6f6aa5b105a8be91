import type { z } from 'zod';
import type { exportOperations } from '../../../preload/contract/operations/exports.ts';
import type { exportPreviewRequestSchema } from '../../../preload/contract/schema/export-options.ts';
import type { exportPictureRequestSchema } from '../../../preload/contract/schema/frame-preview.ts';
import type { Services } from '../../composition/services.ts';
import type { HandlersOf } from '../handler.ts';

export function createExportHandlers({ datasets, frameImages }: Services): HandlersOf<typeof exportOperations> {
  const operationQuery = ({
    format,
    arrangement = {},
    only_annotated_frames,
  }: z.output<typeof exportPreviewRequestSchema>) => ({
    format,
    arrangement,
    onlyAnnotated: only_annotated_frames,
  });
  const drawn = (body: z.output<typeof exportPictureRequestSchema>) => ({
    ...operationQuery(body),
    options: body.options,
    place: body.place,
  });
  return {
    previewProjectExport: ({ actor, params: { id }, body, request }) =>
      datasets.previewExport(actor, { kind: 'project', id }, operationQuery(body), request.signal),
    previewTaskExport: ({ actor, params: { id }, body, request }) =>
      datasets.previewExport(actor, { kind: 'task', id }, operationQuery(body), request.signal),
    previewJobExport: ({ actor, params: { id }, body, request }) =>
      datasets.previewExport(actor, { kind: 'job', id }, operationQuery(body), request.signal),
    drawProjectExport: ({ actor, params: { id }, body, request }) =>
      datasets.drawExport(actor, { kind: 'project', id }, drawn(body), request.signal),
    drawTaskExport: ({ actor, params: { id }, body, request }) =>
      datasets.drawExport(actor, { kind: 'task', id }, drawn(body), request.signal),
    drawJobExport: ({ actor, params: { id }, body, request }) =>
      datasets.drawExport(actor, { kind: 'job', id }, drawn(body), request.signal),
    countTaskFrames: ({ actor, params: { id }, body }) => frameImages.count(actor, { kind: 'task', id }, body),
    countJobFrames: ({ actor, params: { id }, body }) => frameImages.count(actor, { kind: 'job', id }, body),
    makeTaskOfFrames: ({ actor, params, body }) => frameImages.startTask(actor, params.id, body),
    exportFrames: ({ actor, params, body }) => frameImages.startExport(actor, params.id, body),
  };
}
