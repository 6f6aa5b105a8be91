import type { FrameSelection } from '../../../preload/contract/schema/frames.ts';
import { AppError } from '../../platform/errors.ts';
import type { WorkerPaths } from '../bulk-writer/worker-context.ts';
import type { SelectFramesJob } from './select-frames-job.ts';

export const selectionJob = (
  { databaseFile, dataDirectory }: WorkerPaths,
  target: SelectFramesJob['target'],
  selection: FrameSelection,
): SelectFramesJob => ({ databaseFile, dataDirectory, target, selection });

const nothing = 'No frames selected: the requested ones are deleted, or have no annotations.';

export const noFrames = () => new AppError('invalid', nothing, { frames: [nothing] });
