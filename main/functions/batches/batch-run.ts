import { z } from 'zod';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { FormatSummary } from '../../formats/kit/report.ts';
import type { Actor } from '../../users/access/actor.ts';
import { AppError, ForwardedError } from '../../platform/errors.ts';
import type { Store } from '../../db/store.ts';
import type { AnnotationService } from '../../work/annotations/annotation-service.ts';
import type { LabelRepository } from '../../work/tables/label-repository.ts';
import type { FrameService } from '../../work/tasks/frame-service.ts';
import type { MediaRepository } from '../../work/tables/media-repository.ts';
import type { TaskRepository } from '../../work/tables/task-repository.ts';
import type { ModelCaller } from '../calls/model-caller.ts';
import { InvocationProblem } from '../engines/invoke.ts';
import {
  annotateFrame,
  createIn,
  dataOf,
  emptyData,
  inOrder,
  sentence,
  widthOf,
  type FrameResult,
} from '../calls/detector-run.ts';
import { labelsOf } from '../calls/lambda-call-service.ts';
import { fillFrame } from '../calls/object-attributes.ts';
import { createRunReport } from '../calls/run-log.ts';
import type { BatchPredictions } from './batch-predictions.ts';
import type { BatchPart, BatchRepository, BatchRow, MadeObject } from './batch-repository.ts';

interface Dependencies {
  readonly database: Store;
  readonly batches: BatchRepository;
  readonly predictions: Pick<BatchPredictions, 'add'>;
  readonly models: ModelCaller;
  readonly annotations: AnnotationService;
  readonly frames: FrameService;
  readonly tasks: Pick<TaskRepository, 'get'>;
  readonly media: Pick<MediaRepository, 'deletedFrames'>;
  readonly labels: LabelRepository;
}

/** The function cannot be called now. Saved results stay, and the batch resumes behind them later. */
export class FunctionAway extends AppError {
  constructor(message: string, cause: unknown) {
    super('unavailable', message, message, { cause });
  }
}

export const parametersSchema = z.object({
  threshold: z.number().nullable(),
  masksToPolygons: z.boolean(),
  mapping: z.unknown(),
  /** Batches stored before these options existed created annotations of frames. */
  results: z.enum(['annotations', 'suggestions', 'predictions']).default('annotations'),
  fill: z.enum(['frame', 'objects']).default('frame'),
});
const rangesSchema = z.array(z.tuple([z.int(), z.int()]));
const flushFrames = 20;
const flushMs = 2000;
/** A frame is skipped after the function crashed this often on it, because the frame may be the cause. */
const maxCrashes = 3;

/** Crashes of the function by frame, over all runs of this process. */
export type FrameEnds = Map<string, number>;

export interface RunHow {
  readonly actor: Actor;
  readonly ends: FrameEnds;
  readonly signal: AbortSignal;
}

function framesOfPart({ frames }: Pick<BatchPart, 'frames'>): number[] {
  return rangesSchema
    .parse(JSON.parse(frames))
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));
}

/**
 * Runs the remaining frames of batches. Results, progress and created objects are committed in one transaction, so that
 * a batch resumes behind the last saved frame and saves none twice.
 * @throws FunctionAway; AppError if the batch cannot continue at all
 */
export function createBatchRunner(dependencies: Dependencies) {
  return async (batch: BatchRow, how: RunHow): Promise<void> => {
    for (const part of dependencies.batches.parts(batch.id)) {
      if (part.done_count < part.frame_count) await runPart(dependencies, batch.id, part, how);
    }
  };
}

async function runPart(
  dependencies: Dependencies,
  batchId: number,
  part: BatchPart,
  { actor, ends, signal }: RunHow,
): Promise<void> {
  const { batches, frames, media, models, tasks } = dependencies;
  const batch = requireBatch(batches, batchId);
  const model = await models.find(batch.function_id, actor);
  const task = tasks.get(part.task_id);
  if (!task) throw new AppError('not-found', `Task ${part.task_id} was deleted.`);
  const range = part.job_id === null ? frames.ofTask(actor, task.id) : frames.ofJob(actor, part.job_id);
  await frames.prepared(range, undefined, signal);
  const labels = labelsOf(dependencies, task);
  const deleted = new Set(media.deletedFrames(range.media.id, range.first, range.last));
  const { threshold, masksToPolygons, mapping, results, fill } = parametersSchema.parse(JSON.parse(batch.parameters));
  const parameters = { task: task.id, region: null, threshold, masksToPolygons, mapping };
  const input = { parameters, signal, model, range, labels };
  const place = { actor, task: task.id, job: part.job_id, mapping };
  const pending = framesOfPart(part).slice(part.done_count);
  const report = createRunReport(labels, JSON.parse(batch.report) as FormatSummary);
  const store = createStore(dependencies, { batchId, part, actor, report, results });
  const work = (frame: number): Promise<FrameResult> =>
    deleted.has(frame)
      ? Promise.resolve({ frame, data: emptyData, problems: [], failure: null })
      : fill === 'objects'
        ? fillFrame(dependencies, { ...input, ...place, frame })
        : annotateFrame(dependencies, input, frame);
  try {
    for await (const result of inOrder(pending, widthOf(model), work)) {
      signal.throwIfAborted();
      // A model that fails on the first frame will fail on all; later frames may have their own reasons.
      if (isBroken(result) && result.frame === pending[0]) throw result.failure;
      if (isAway(result) && !isWorn(ends, `${batchId} ${task.id} ${result.frame}`, result.failure)) {
        throw new FunctionAway(sentence(result.failure), result.failure);
      }
      report.take(result.data ?? emptyData);
      const name = frames.frame(range, result.frame).name;
      for (const problem of result.problems) report.invalid(name, `frame ${result.frame}`, problem);
      if (result.data === null) report.invalid(name, `frame ${result.frame}`, sentence(result.failure));
      store.take(result);
    }
  } finally {
    store.flush();
  }
}

/** Collects results and writes them every few frames. */
function createStore(
  { annotations, batches, database, predictions }: Dependencies,
  {
    batchId,
    part,
    actor,
    report,
    results: target,
  }: {
    readonly batchId: number;
    readonly part: BatchPart;
    readonly actor: Actor;
    readonly report: { summary(): FormatSummary };
    readonly results: z.output<typeof parametersSchema>['results'];
  },
) {
  let waiting: FrameResult[] = [];
  let done = part.done_count;
  let flushedAt = performance.now();

  function write(results: readonly FrameResult[]): void {
    const data = dataOf(results);
    const made =
      target === 'annotations'
        ? madeOf(part.task_id, createIn(annotations, actor, { task: part.task_id, job: part.job_id }, data))
        : [];
    const count = target === 'annotations' ? made.length : predictions.add(actor, setOf(batches, batchId, part), data);
    const { failed_count: failed, object_count: objects } = requireBatch(batches, batchId);
    batches.putObjects(batchId, made);
    batches.setDone(batchId, part.position, done + results.length);
    batches.change(batchId, {
      failed_count: failed + results.filter((result) => result.data === null).length,
      object_count: objects + count,
      report: JSON.stringify(report.summary()),
    });
  }

  const flush = () => {
    if (waiting.length === 0) return;
    const results = waiting;
    waiting = [];
    database.write(() => write(results));
    done += results.length;
    flushedAt = performance.now();
  };
  return {
    flush,
    take(result: FrameResult): void {
      waiting.push(result);
      if (waiting.length >= flushFrames || performance.now() - flushedAt > flushMs) flush();
    },
  };
}

function madeOf(taskId: number, { shapes, tags }: LabeledData): MadeObject[] {
  const of = (kind: 'shape' | 'tag', list: readonly { id?: number | undefined }[]) =>
    list.flatMap(({ id }) => (id === undefined ? [] : [{ task_id: taskId, kind, object_id: id }]));
  return [...of('shape', shapes), ...of('tag', tags)];
}

/** Reads the current set, because results cannot be added to a set that was deleted during the run. */
function setOf(batches: BatchRepository, batchId: number, { position, task_id: task }: BatchPart): number {
  const id = batches.parts(batchId).find((part) => part.position === position)?.prediction_set_id ?? null;
  if (id !== null) return id;
  throw new AppError('not-found', `The prediction set of task ${task} was deleted.`);
}

function requireBatch(batches: BatchRepository, id: number): BatchRow {
  const row = batches.get(id);
  if (!row) throw new AppError('cancelled', 'The batch was deleted.');
  return row;
}

/**
 * True if the function was stopped, crashed or its container engine is missing, so that a retry may succeed. An error
 * answer or a timeout of the call belongs to the frame.
 */
/** True if the function was reached and refused the call, as a model file does that cannot be run. */
const isBroken = ({ failure, isOfCall }: FrameResult): boolean =>
  isOfCall === true &&
  failure instanceof AppError &&
  failure.code === 'invalid' &&
  !(failure instanceof ForwardedError);

const isAway = (result: FrameResult): boolean =>
  result.isOfCall === true &&
  !isBroken(result) &&
  !(result.failure instanceof ForwardedError && result.failure.status !== 503);

function isWorn(ends: FrameEnds, key: string, error: unknown): boolean {
  const { cause } = error instanceof Error ? error : { cause: null };
  if (!(cause instanceof InvocationProblem) || cause.kind !== 'interrupted') return false;
  const count = (ends.get(key) ?? 0) + 1;
  ends.set(key, count);
  return count >= maxCrashes;
}
