import type { BatchWrite } from '../../../preload/contract/schema/batches.ts';
import type { Job, Task } from '../../../preload/contract/schema/resources.ts';
import type { Actor, Listing, ListRequest } from '../../users/access/actor.ts';
import { ForwardedError, invalidField } from '../../platform/errors.ts';
import type { AnnotationService } from '../../work/annotations/annotation-service.ts';
import type { MediaRepository } from '../../work/tables/media-repository.ts';
import type { WorkAccess } from '../../work/work-access.ts';
import type { ModelDescription } from '../configuration/model-description.ts';
import { findTarget, labelsOf, openRange, type LambdaDependencies } from '../calls/lambda-call-service.ts';
import { labelMapping, labelsForCall } from '../calls/label-mapping.ts';
import { framesOfRun, framesToAnnotate } from '../calls/run-frames.ts';
import { wantedFrames } from './batch-frames.ts';
import type { NewPart } from './batch-repository.ts';
import type { BatchPredictions } from './batch-predictions.ts';

interface Dependencies extends Pick<LambdaDependencies, 'frames' | 'tasks' | 'jobs' | 'labels'> {
  readonly access: WorkAccess;
  readonly lists: BatchLists;
  readonly annotations: Pick<AnnotationService, 'readTask'>;
  readonly media: Pick<MediaRepository, 'deletedFrames'>;
  readonly predictions: Pick<BatchPredictions, 'require'>;
}

export interface BatchLists {
  readonly tasks: { list(actor: Actor, request: ListRequest): Listing<Pick<Task, 'id'>> };
  readonly jobs: { list(actor: Actor, request: ListRequest): Listing<Pick<Job, 'id' | 'type'>> };
}

export type BatchTargets = ReturnType<typeof createBatchTargets>;

/** Tasks, jobs and frames of a batch. */
export const createBatchTargets = (dependencies: Dependencies) => ({
  expand: (actor: Actor, target: BatchWrite['targets'][number]) => targetsOf(dependencies, actor, target),
  requireLabels: (body: BatchWrite, targets: BatchWrite['targets']) => requireLabels(dependencies, body, targets),
  partOf: (actor: Actor, body: BatchWrite, target: BatchWrite['targets'][number]) =>
    partOf(dependencies, actor, body, target),
  requireTarget: (actor: Actor, part: TargetPart) => requireTarget(dependencies, actor, part),
});

interface TargetPart {
  readonly body: BatchWrite;
  readonly model: Pick<ModelDescription, 'labels' | 'takesPhrases' | 'fillsAttributes'>;
  readonly part: NewPart;
}

/** Expands a target into tasks and jobs. With several targets, tasks and jobs without data are skipped. */
function targetsOf(
  dependencies: Dependencies,
  actor: Actor,
  target: BatchWrite['targets'][number],
): BatchWrite['targets'] {
  const { access, lists, tasks } = dependencies;
  const { project, tasks: tasksBy, jobs: jobsBy, first, last } = target;
  const several = [project, tasksBy, jobsBy].filter((one) => one !== undefined);
  if (several.length === 0) return [target];
  if (several.length > 1 || target.task !== undefined || target.job !== undefined)
    throw invalidField(
      'targets',
      'Each target must be exactly one of: a project, a task, a job, a filter of tasks, or a filter of jobs.',
    );
  if (first !== undefined || last !== undefined)
    throw invalidField('targets', 'A frame range needs a single task or job.');
  const withData = (ids: readonly number[]) =>
    ids.flatMap((task) => {
      const row = tasks.get(task);
      return row === undefined || row.media_id === null || row.size === null ? [] : [{ task }];
    });
  if (project !== undefined) {
    access.project(actor, project, 'view');
    return withData(tasks.idsOfProject(project));
  }
  const all = { page: 1, pageSize: 'all', sort: 'id', equals: {} } as const;
  if (tasksBy !== undefined)
    return withData(lists.tasks.list(actor, { ...all, filter: tasksBy }).results.map(({ id }) => id));
  const { results } = lists.jobs.list(actor, { ...all, filter: jobsBy ?? '' });
  return results.filter(({ type }) => type === 'annotation').map(({ id }) => ({ job: id }));
}

/** Checks that the actor may annotate there with the function and that its labels match. */
function requireTarget(
  dependencies: Dependencies,
  actor: Actor,
  { body, model, part: { task_id: task, job_id: job } }: TargetPart,
): void {
  const { access, predictions, tasks } = dependencies;
  if (body.results !== 'annotations') predictions.require(actor, task);
  else if (job === null) access.task(actor, task, 'update:annotations');
  else access.job(actor, job, 'update:annotations');
  const row = tasks.get(task);
  if (!row) return;
  const labels = labelsOf(dependencies, row);
  try {
    labelMapping(body.mapping, labelsForCall(model, body.mapping, labels, body.fill), labels);
  } catch (error) {
    // A batch can have many tasks, of which one may lack a label.
    if (!(error instanceof ForwardedError)) throw error;
    throw invalidField('mapping', `Cannot annotate task ${task} ("${row.name}"): ${error.message}`);
  }
}

/** Rejects label filters that name a label of none of the tasks, because such a filter is a typing error. */
function requireLabels(dependencies: Dependencies, body: BatchWrite, targets: BatchWrite['targets']): void {
  const named = [...(body.with_labels ?? []), ...(body.without_labels ?? [])];
  if (named.length === 0) return;
  const found = targets.map((target) => findTarget(dependencies, body.function, target).task);
  const tasks = new Map(found.map((task) => [task.id, task]));
  const known = new Set([...tasks.values()].flatMap((task) => labelsOf(dependencies, task)).map(({ name }) => name));
  const unknown = named.find((name) => !known.has(name));
  if (unknown === undefined) return;
  const field = body.with_labels?.includes(unknown) === true ? 'with_labels' : 'without_labels';
  throw invalidField(field, `No task of the batch has a label named "${unknown}".`);
}

/** Frames of a target that the batch annotates. */
function partOf(
  dependencies: Dependencies,
  actor: Actor,
  body: BatchWrite,
  target: BatchWrite['targets'][number],
): NewPart {
  const { annotations } = dependencies;
  const found = findTarget(dependencies, body.function, target);
  const range = openRange(dependencies, actor, found);
  const { first = range.first, last = range.last } = target;
  if (first > last) throw invalidField('targets', `The frame range ${first} to ${last} is empty.`);
  const isWanted = wantedFrames(body, {
    annotations: () => annotations.readTask(actor, found.task.id),
    labels: labelsOf(dependencies, found.task),
    last: range.last,
  });
  const annotatesTask = found.job === null && body.results === 'annotations';
  const all = annotatesTask ? framesToAnnotate(dependencies, range) : framesOfRun(dependencies, range);
  const numbers = all
    .filter((frame) => frame >= first && frame <= last)
    .filter((frame) => isWanted === null || isWanted(frame));
  return {
    task_id: found.task.id,
    job_id: found.job?.id ?? null,
    frames: JSON.stringify(inRanges(numbers)),
    frame_count: numbers.length,
    prediction_set_id: null,
  };
}

function inRanges(numbers: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}
