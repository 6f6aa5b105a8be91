import { z } from 'zod';
import { pathId, pathNumber, raw, text } from '../operation.ts';
import { displayFactsSchema, imageTilesSchema, sentImagesSchema, videoTimesSchema } from '../schema/resources.ts';

/** Display of compressed frames, for images with more bands or bits than a screen shows. */
const display = {
  bands: text('One band as gray, or three as red, green and blue: 3,0,1. Counted from 0'),
  window: text('Percentiles of the values that become black and white: 1,99'),
};
export const displayQuery = z.object(display);

const dataShape = {
  type: text('Type of data', { values: ['chunk', 'frame', 'context_image'], required: true }),
  quality: text('JPEG images or the source files', { values: ['compressed', 'original'] }),
  number: text('Frame or chunk, counted from 0 over the task'),
  ...display,
};
const dataQuery = z.object(dataShape);
export const jobDataQuery = z.object({ ...dataShape, index: text('Chunk, counted from 0 over the job') });

const preview = (kind: 'project' | 'task' | 'job') =>
  raw.bytes(`/api/${kind}s/{id}/preview`, `Preview of a ${kind}`, {
    statuses: [200, 204],
    headers: z.object({ Prefer: text('handling=empty: 204 without a preview') }),
  });

const job = '/api/limner/jobs/{id}';
const frame = `${job}/frames/{frame}` as const;
const params = z.object({ id: pathId, frame: pathNumber });
const tile = { level: pathNumber, column: pathNumber, row: pathNumber };

/** Frames, chunks, previews and the video. The operations below `/api/limner` are a Limner extension. */
export const mediaOperations = {
  getFrameThumbnail: raw.bytes(`${frame}/thumbnail`, 'A frame with at most 256 pixels on its longer side', { params }),
  getFrameOverview: raw.bytes(`${frame}/overview`, 'A frame with at most 2048 pixels on its longer side', {
    params,
    query: displayQuery,
  }),
  getFrameDisplay: raw.bytes(`${frame}/display`, 'Bands and value range of an image, to choose how it is displayed', {
    params,
    statuses: [200],
    outputs: { 200: displayFactsSchema },
  }),
  getFrameTiles: raw.bytes(`${frame}/tiles`, 'Create the tiles of a frame if necessary, and describe their layout', {
    params,
    query: displayQuery,
    statuses: [200],
    outputs: { 200: imageTilesSchema },
  }),
  getFrameTile: raw.bytes(`${frame}/tiles/{level}/{column}/{row}`, 'One tile of a frame, without EXIF rotation', {
    params: params.extend(tile),
    query: displayQuery,
  }),
  getJobVideo: raw.bytes(`${job}/video`, "Video of a job's frames"),
  getJobVideoTimes: raw.bytes(`${job}/video-times`, "Presentation times of the job's frames in the video", {
    statuses: [200],
    outputs: { 200: videoTimesSchema },
  }),
  /** Limner extension. */
  sendTaskImages: raw.bytes(
    '/api/limner/tasks/{id}/unsent-images/files',
    'Send images of a task that was opened by their names; the form field images[N] is frame N',
    { method: 'POST', statuses: [200], outputs: { 200: sentImagesSchema }, fileField: 'images[0]' },
  ),
  getTaskData: raw.bytes('/api/tasks/{id}/data/', 'Frames and chunks of a task', { query: dataQuery }),
  getJobData: raw.bytes('/api/jobs/{id}/data/', 'Frames and chunks of a job', { query: jobDataQuery }),
  getProjectPreview: preview('project'),
  getTaskPreview: preview('task'),
  getJobPreview: preview('job'),
} as const;
