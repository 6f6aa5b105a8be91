import { rqIdSchema } from '../schema/common.ts';
import { frameCountSchema, frameSelectionSchema, framesToFilesSchema, framesToTaskSchema } from '../schema/frames.ts';
import { operation } from '../operation.ts';

const countFrames = (kind: 'task' | 'job') =>
  operation.post(`/api/limner/${kind}s/{id}/frames/count`, `How many frames of a ${kind} a selection comes to`, {
    body: frameSelectionSchema,
    output: frameCountSchema,
  });

/** Limner's own: frames of videos as images. */
export const frameOperations = {
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
