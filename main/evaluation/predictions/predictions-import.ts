import type { ParseAnnotationsJob } from '../../import-export/sources/annotations/annotations-parse.ts';
import { importMessage } from '../../import-export/import/import-message.ts';
import type {
  ImportDependencies,
  ImportParameters,
  ImportPlan,
  ImportSource,
  ImportWork,
  SourceParameters,
} from '../../import-export/import/import-runner.ts';
import type { ParserCall } from '../../import-export/import/parse-and-write.ts';
import type { TargetSet } from '../../import-export/bulk-writer/annotation-batch.ts';
import { AppError } from '../../platform/errors.ts';
import type { NewPredictionSet, PredictionRepository } from './prediction-repository.ts';
import type { ParsePredictionsOfTaskJob } from './parse-task-predictions.ts';

export interface PredictionsFileParameters extends ImportParameters {
  readonly format: string;
  readonly name: string;
  readonly taskId: number;
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface PredictionsOfTaskParameters extends SourceParameters {
  readonly taskId: number;
  readonly sourceTaskId: number;
  readonly sourceName: string;
  readonly name: string;
}

interface PredictionsPlan extends ImportPlan {
  readonly setId: number;
}

interface Dependencies extends Pick<ImportDependencies, 'databaseFile' | 'dataDirectory' | 'tasks' | 'sets' | 'clock'> {
  readonly predictions: PredictionRepository;
}

interface Origin<Parameters> {
  readonly pass: (work: ImportWork<Parameters>, target: TargetSet) => ParserCall;
  readonly describe: (parameters: Parameters) => Pick<NewPredictionSet, 'name' | 'source' | 'detail' | 'format'>;
}

/** Imports into one hidden set over all frames of the task, which becomes visible with the end of the request. */
function createPredictionsSource<Parameters extends SourceParameters & { readonly taskId: number }>(
  { tasks, sets, predictions, clock }: Dependencies,
  { pass, describe }: Origin<Parameters>,
): ImportSource<Parameters, null, PredictionsPlan> {
  const gone = () => new AppError('not-found', 'The task was deleted while its predictions were read.');
  return {
    survey: () => Promise.resolve(null),
    plan(work) {
      const { request, parameters } = work;
      const task = tasks.get(parameters.taskId);
      if (!task || task.size === null) return Promise.reject(gone());
      const setId = sets.createPending(null, request.id);
      const target: TargetSet = { setId, firstFrame: 0, lastFrame: task.size - 1 };
      return Promise.resolve({
        setId,
        passes: [{ ...pass(work, target), targets: [target] }],
        parsing: { message: 'Reading the predictions', until: 1 },
      });
    },
    publish({ request, parameters }, { setId }, { summary }, commit) {
      const made = { id: 0 };
      return commit({ message: importMessage(summary), report: JSON.stringify(summary) }, () => {
        if (!tasks.get(parameters.taskId)) throw gone();
        const row = { ...describe(parameters), task_id: parameters.taskId, owner_id: request.owner_id };
        made.id = predictions.insert(row, 'ready', clock());
        if (!sets.adoptPredictions(setId, made.id))
          throw new AppError('internal', "The import's set is no longer pending.");
      });
    },
  };
}

/** `import:predictions`: any importable file, including COCO results. */
export const createPredictionsFile = (dependencies: Dependencies) =>
  createPredictionsSource<PredictionsFileParameters>(dependencies, {
    pass({ parameters, plugin }, span) {
      const { databaseFile, dataDirectory } = dependencies;
      const { format, file, taskId, options = {} } = parameters;
      const target = { kind: 'task', id: taskId } as const;
      const job: ParseAnnotationsJob = {
        databaseFile,
        dataDirectory,
        format,
        plugin,
        file,
        target,
        options,
        spans: [span],
        takesOutside: true,
      };
      return { parser: 'parseAnnotations', job };
    },
    describe: ({ name, file, format }) => ({ name, source: 'file', detail: file.name, format }),
  });

/** `copy:predictions`: annotations of another task, matched by label and image names. */
export const createPredictionsOfTask = (dependencies: Dependencies) =>
  createPredictionsSource<PredictionsOfTaskParameters>(dependencies, {
    pass({ parameters: { taskId, sourceTaskId } }, span) {
      const { databaseFile, dataDirectory } = dependencies;
      const job: ParsePredictionsOfTaskJob = { databaseFile, dataDirectory, taskId, sourceTaskId, span };
      return { parser: 'parsePredictionsOfTask', job };
    },
    describe: ({ name, sourceName }) => ({ name, source: 'task', detail: sourceName, format: null }),
  });
