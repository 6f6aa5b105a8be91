import { rqIdSchema } from '../schema/common.ts';
import { frameCountSchema, frameSelectionSchema, framesToFilesSchema, framesToTaskSchema } from '../schema/frames.ts';
import { operation } from '../operation.ts';

/** Limner's own: frames of videos as images. */
export const frameOperations = {
  countTaskFrames: operation.post(
    '/api/limner/tasks/{id}/frames/count',
    'How many frames of a task a selection comes to',
    {
      body: frameSelectionSchema,
      output: frameCountSchema,
    },
  ),
  countJobFrames: operation.post(
    '/api/limner/jobs/{id}/frames/count',
    'How many frames of a job a selection comes to',
    {
      body: frameSelectionSchema,
      output: frameCountSchema,
    },
  ),
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
