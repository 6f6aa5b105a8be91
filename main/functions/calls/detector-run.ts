import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { FormatSummary } from '../../formats/kit/report.ts';
import type { Store } from '../../db/store.ts';
import { AppError, ForwardedError } from '../../platform/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { AnnotationService } from '../../work/annotations/annotation-service.ts';
import { RequestFailure, type RequestResult } from '../../background-requests/request-end.ts';
import type { RequestRow } from '../../background-requests/request-repository.ts';
import type { RequestRun } from '../../background-requests/request-queue.ts';
import type { JobRepository } from '../../work/tables/job-repository.ts';
import type { FrameRange, FrameService } from '../../work/tasks/frame-service.ts';
import type { FunctionRepository } from '../records/function-repository.ts';
import { detectorCall } from './detector-call.ts';
import type { Model, ModelCaller } from './model-caller.ts';
import { createRunReport } from './run-log.ts';
import type { RunParameters } from './run-parameters.ts';

export interface DetectorRunInput {
  readonly request: RequestRow;
  readonly parameters: RunParameters;
  readonly run: RequestRun;
  readonly actor: Actor;
  readonly model: Model;
  readonly range: FrameRange;
  readonly numbers: readonly number[];
  readonly labels: readonly Label[];
}

export interface DetectorRunDependencies {
  readonly database: Store;
  readonly annotations: AnnotationService;
  readonly frames: FrameService;
  readonly models: ModelCaller;
  readonly repository: Pick<FunctionRepository, 'runs'>;
  readonly clock: Clock;
  readonly jobs: Pick<JobRepository, 'ofTask'>;
}

export interface FrameResult {
  readonly frame: number;
  readonly data: LabeledData | null;
  readonly problems: readonly string[];
  readonly failure: unknown;
  /** True if the function could not be called or did not answer. */
  readonly isOfCall?: boolean;
}

const flushFrames = 20;
const flushMs = 2000;
const mostAtOnce = 8;
/** Consecutive failures until a run ends; an unreachable function will not answer for the next frame either. */
const patience = { unreachable: 3, failing: 20 };

/**
 * Annotates frames with as many parallel calls as the function has workers. Results and progress are saved together
 * every few frames, so that an interruption loses and repeats nothing. Failing frames are reported and skipped.
 */
export async function runDetector(
  dependencies: DetectorRunDependencies,
  input: DetectorRunInput,
): Promise<RequestResult> {
  const { run, numbers, labels } = input;
  const state = openState(dependencies, input);
  const report = createRunReport(labels, state.report);
  const pending = numbers.filter((frame) => frame >= state.nextFrame);
  const done = numbers.length - pending.length;
  let failedInARow = 0;
  let failed = 0;
  let lastFailure: unknown = null;
  let batch: FrameResult[] = [];
  let flushedAt = performance.now();

  const flush = () => {
    if (batch.length > 0) store(dependencies, input, state, batch, report);
    batch = [];
    flushedAt = performance.now();
  };
  try {
    let index = 0;
    for await (const result of inOrder(pending, widthOf(input.model), (frame) =>
      annotateFrame(dependencies, { ...input, signal: run.signal }, frame),
    )) {
      run.signal.throwIfAborted();
      index += 1;
      batch.push(result);
      report.take(result.data ?? emptyData);
      for (const problem of result.problems)
        report.invalid(nameOf(dependencies, input, result.frame), `frame ${result.frame}`, problem);
      if (result.data === null) {
        failed += 1;
        failedInARow += 1;
        lastFailure = result.failure;
        report.invalid(nameOf(dependencies, input, result.frame), `frame ${result.frame}`, sentence(result.failure));
        if (failedInARow >= (isUnreachable(result.failure) ? patience.unreachable : patience.failing))
          throw result.failure;
      } else failedInARow = 0;
      // Consecutive failures may end the run. They are not saved as done, so that a resumed run tries them again.
      if (failedInARow === 0 && (batch.length >= flushFrames || performance.now() - flushedAt > flushMs)) flush();
      run.progress((done + index) / Math.max(1, numbers.length), `Frame ${done + index} of ${numbers.length}`);
    }
    if (pending.length > 0 && failed === pending.length) throw lastFailure;
    flush();
  } catch (error) {
    if (failedInARow > 0 && !run.signal.aborted) batch = batch.slice(0, batch.length - failedInARow);
    flush();
    throw interrupted(error, input, report.summary(), state.nextFrame, run.signal.aborted);
  }
  const { invalid } = report.summary();
  return {
    message: finishedMessage(numbers.length, failed, report.count(), invalid.length > failed),
    report: JSON.stringify(report.summary()),
  };
}

export const dataOf = (results: readonly FrameResult[]): LabeledData => ({
  ...emptyData,
  tags: results.flatMap((result) => result.data?.tags ?? []),
  shapes: results.flatMap((result) => result.data?.shapes ?? []),
});

/** Creates annotations in a task or one of its jobs. Returns them as stored. */
export function createIn(
  annotations: AnnotationService,
  actor: Actor,
  { task, job }: Pick<RunParameters, 'task' | 'job'>,
  data: LabeledData,
): LabeledData {
  if (data.shapes.length + data.tags.length === 0) return data;
  return job === null
    ? annotations.changeTask(actor, task, 'create', data)
    : annotations.changeJob(actor, job, 'create', data);
}

export const emptyData: LabeledData = { version: 0, tags: [], shapes: [], tracks: [], intervals: [] };
export const widthOf = ({ provided }: Model): number => Math.min(mostAtOnce, Math.max(1, provided.workers));

interface RunState {
  nextFrame: number;
  cleanup: boolean;
  readonly report: FormatSummary | null;
}

/** Resumes behind the saved frames of this background request or of the one that it resumes. */
function openState({ repository }: DetectorRunDependencies, { request, parameters }: DetectorRunInput): RunState {
  const { task, job, function: functionId, cleanup, resume } = parameters;
  const earlier = repository.runs.get(task, job ?? 0, functionId);
  const goesOn = earlier !== undefined && (resume || earlier.request_date === request.created_date);
  if (!goesOn) return { nextFrame: 0, cleanup, report: null };
  return { nextFrame: earlier.next_frame, cleanup: false, report: JSON.parse(earlier.report) as FormatSummary };
}

/** Saves results and progress in one transaction. Annotations to be replaced are deleted with the first results. */
function store(
  { database, annotations, repository, clock, jobs }: DetectorRunDependencies,
  { request, parameters, actor, range }: DetectorRunInput,
  state: RunState,
  results: readonly FrameResult[],
  report: { summary(): FormatSummary },
): void {
  const { task, job, function: functionId } = parameters;
  const nextFrame = (results.at(-1)?.frame ?? 0) + 1;
  database.write(() => {
    if (state.cleanup && job === null && range.media.honeypots_per_job === null) annotations.clearTask(actor, task);
    // The ground truth of a validation pool is part of its task, and is kept.
    else if (state.cleanup && job === null)
      for (const { id, type } of jobs.ofTask(task)) if (type === 'annotation') annotations.clearJob(actor, id);
    if (state.cleanup && job !== null) annotations.clearJob(actor, job);
    createIn(annotations, actor, parameters, dataOf(results));
    repository.runs.put({
      task_id: task,
      job_id: job ?? 0,
      function_id: functionId,
      request_date: request.created_date,
      next_frame: nextFrame,
      report: JSON.stringify(report.summary()),
      updated_date: clock(),
    });
  });
  state.cleanup = false;
  state.nextFrame = nextFrame;
}

/** Calls a detector for one frame. Failures are returned, not thrown. */
export async function annotateFrame(
  { frames, models }: Pick<DetectorRunDependencies, 'frames' | 'models'>,
  {
    parameters,
    signal,
    model,
    range,
    labels,
  }: Pick<DetectorRunInput, 'model' | 'range' | 'labels'> & {
    readonly parameters: Pick<RunParameters, 'task' | 'region' | 'threshold' | 'masksToPolygons' | 'mapping'>;
    readonly signal: AbortSignal;
  },
  frame: number,
): Promise<FrameResult> {
  let isOfCall = false;
  try {
    const call = detectorCall(model, { ...parameters, category: 'batch', range, labels, frame });
    const body = await call.body(frames, signal);
    isOfCall = true;
    const answer = await models.call(model, body, signal);
    isOfCall = false;
    const { data, problems } = call.read(answer, frames);
    return { frame, data, problems, failure: null };
  } catch (failure) {
    return { frame, data: null, problems: [], failure, isOfCall };
  }
}

/** Runs work on items in parallel and yields the results in the order of the items. */
export async function* inOrder<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting: Promise<Result>[] = [];
  let next = 0;
  try {
    while (next < items.length || waiting.length > 0) {
      while (waiting.length < width && next < items.length) {
        waiting.push(work(items[next]!));
        next += 1;
      }
      const first = waiting.shift();
      if (first) yield await first;
    }
  } finally {
    await Promise.allSettled(waiting);
  }
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof ForwardedError && [404, 503, 504].includes(error.status);

export function sentence(error: unknown): string {
  if (error instanceof AppError && error.code !== 'internal') return error.message;
  return error instanceof Error ? error.message : String(error);
}

function nameOf({ frames }: DetectorRunDependencies, { range }: DetectorRunInput, frame: number): string {
  return frames.frame(range, frame).name;
}

/** Unlike an import, an interrupted run keeps its results. */
function interrupted(
  error: unknown,
  { numbers }: DetectorRunInput,
  summary: FormatSummary,
  nextFrame: number,
  isCancelled: boolean,
): RequestFailure {
  const done = numbers.filter((frame) => frame < nextFrame).length;
  const reason = isCancelled ? 'Cancelled' : `Stopped: ${sentence(error).replace(/\.$/, '')}`;
  const kept =
    done === 0
      ? 'Nothing was changed.'
      : `The results of ${done} of ${numbers.length} frames are saved. Resume to continue behind them.`;
  return new RequestFailure(`${reason}. ${kept}`, JSON.stringify(summary));
}

function finishedMessage(frames: number, failed: number, objects: number, hasProblems: boolean): string {
  const annotated = `Annotated ${frames - failed} of ${frames} frames: ${objects} objects.`;
  if (failed === 0) return hasProblems ? `${annotated} Some results were dropped; see the report.` : annotated;
  return `${annotated} ${failed === 1 ? '1 frame' : `${failed} frames`} could not be annotated; see the report.`;
}
