import { AppError } from '../../platform/errors.ts';
import type { JobRepository } from '../../work/tables/job-repository.ts';
import type { LabelRepository } from '../../work/tables/label-repository.ts';
import type { RequestResult } from '../../background-requests/request-end.ts';
import type { RequestRunner } from '../../background-requests/request-queue.ts';
import type { RequestRow } from '../../background-requests/request-repository.ts';
import type { MediaRepository } from '../../work/tables/media-repository.ts';
import type { TaskRepository } from '../../work/tables/task-repository.ts';
import { requester } from '../../users/accounts/requester.ts';
import type { UserRepository } from '../../users/accounts/user-repository.ts';
import type { NativeModels } from '../native/native-service.ts';
import { labelsOf } from './lambda-call-service.ts';
import { runDetector, type DetectorRunDependencies, type DetectorRunInput } from './detector-run.ts';
import { runReid } from './reid-run.ts';
import { framesOfRun, framesToAnnotate } from './run-frames.ts';
import { autoannotateType, readParameters } from './run-parameters.ts';

interface Dependencies extends DetectorRunDependencies {
  readonly users: Pick<UserRepository, 'get'>;
  readonly tasks: TaskRepository;
  readonly jobs: JobRepository;
  readonly media: MediaRepository;
  readonly labels: LabelRepository;
  readonly native: Pick<NativeModels, 'waitsFor'>;
}

/** Runs `autoannotate:task` with the permissions of the requesting user, which are checked again. */
export function createAutoannotateRunner(dependencies: Dependencies): RequestRunner {
  const { frames, jobs, models, tasks } = dependencies;
  return async (request, run): Promise<RequestResult> => {
    const parameters = readParameters(request.parameters);
    const actor = requester(dependencies.users, request);
    const model = await models.find(parameters.function, actor);
    const task = tasks.get(parameters.task);
    if (!task) throw new AppError('not-found', 'The task was deleted.');
    const job = parameters.job === null ? null : (jobs.get(parameters.job) ?? null);
    if (parameters.job !== null && job === null) throw new AppError('not-found', 'The job was deleted.');
    const range = job ? frames.ofJob(actor, job.id) : frames.ofTask(actor, task.id);
    const numbers = job ? framesOfRun(dependencies, range) : framesToAnnotate(dependencies, range);
    const labels = labelsOf(dependencies, task);
    const input = { request, parameters, run, actor, model, range, numbers, labels };
    switch (model.description.kind) {
      case 'detector':
        return tellingOfAgents(dependencies, input, () => runDetector(dependencies, input));
      case 'reid':
        if (range.media.honeypots_per_job !== null) throw noTracks();
        return runReid(dependencies, {
          ...input,
          jobs: job ? [job] : jobs.ofTask(task.id).filter(({ type }) => type === 'annotation'),
        });
      case 'interactor':
      case 'tracker':
        // These kinds are interactive. The background request is accepted, as in CVAT, and changes nothing.
        return { message: `A function of kind ${model.description.kind} cannot annotate automatically.` };
    }
  };
}

const noTracks = () =>
  new AppError(
    'invalid',
    'Cannot create tracks: tracks are not supported when the task validation mode is gt_pool, because honeypots repeat ' +
      'single images. Use a function of kind detector.',
  );

/** True if agents process the background request, on any computer. */
export const isNativeRun = (
  { type, parameters }: Pick<RequestRow, 'type' | 'parameters'>,
  native: Pick<NativeModels, 'isThere'>,
): boolean => type === autoannotateType && native.isThere(readParameters(parameters).function);

const lookForAgentsMs = 1000;

/** Shows a message while the run of a native function waits for an agent. */
async function tellingOfAgents<Result>(
  { native }: Dependencies,
  { parameters, run }: Pick<DetectorRunInput, 'parameters' | 'run'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const tell = (): void => {
    const waiting = native.waitsFor(parameters.function);
    if (waiting !== null) run.progress(0, waiting);
  };
  tell();
  const timer = setInterval(tell, lookForAgentsMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
