import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { BatchWrite } from '../../../preload/contract/schema/batches.ts';
import type { Actor } from '../../people/access/actor.ts';
import { invalidField } from '../../platform/errors.ts';
import type { WorkAccess } from '../../work/work-access.ts';
import type { ModelLabel } from '../configuration/model-labels.ts';
import { findTarget, labelsOf, openRange } from '../lambda/lambda-call-service.ts';
import { labelMapping } from '../lambda/label-mapping.ts';
import type { NewPart } from './batch-repository.ts';
import type { BatchRunDependencies } from './batch-run.ts';

export interface BatchPartDependencies extends BatchRunDependencies {
  readonly access: WorkAccess;
}

/** Tasks of a project, without those that have no data to annotate. */
export function tasksOf(
  { access, tasks }: BatchPartDependencies,
  actor: Actor,
  projectId: number,
): BatchWrite['targets'] {
  access.project(actor, projectId, 'view');
  return tasks.idsOfProject(projectId).flatMap((task) => {
    const row = tasks.get(task);
    return row === undefined || row.media_id === null || row.size === null ? [] : [{ task }];
  });
}

/** Whether somebody may annotate by it there, and its labels fit. */
export function requireTarget(
  dependencies: BatchPartDependencies,
  actor: Actor,
  {
    body,
    labels,
    part: { task_id: task, job_id: job },
  }: { readonly body: BatchWrite; readonly labels: readonly ModelLabel[]; readonly part: NewPart },
): void {
  const { access, predictions, tasks } = dependencies;
  if (body.results === 'predictions') predictions.require(actor, task);
  else if (job === null) access.task(actor, task, 'update:annotations');
  else access.job(actor, job, 'update:annotations');
  const row = tasks.get(task);
  if (row) labelMapping(body.mapping, labels, labelsOf(dependencies, row));
}

/** The frames of a target that are to be annotated. */
export function partOf(
  dependencies: BatchPartDependencies,
  actor: Actor,
  { function: name, only_empty: onlyEmpty }: BatchWrite,
  target: BatchWrite['targets'][number],
): NewPart {
  const { annotations, frames, media } = dependencies;
  const found = findTarget(dependencies, name, target);
  const range = openRange(dependencies, actor, found);
  const { first = range.first, last = range.last } = target;
  if (first > last) throw invalidField('targets', `The range of frames ${first} to ${last} is empty.`);
  const taken = onlyEmpty ? annotatedFrames(annotations.readTask(actor, found.task.id)) : new Set<number>();
  const deleted = new Set(media.deletedFrames(range.media.id, range.first, range.last));
  const numbers = frames
    .frames(range)
    .map(({ frame }) => frame)
    .filter((frame) => frame >= first && frame <= last && !deleted.has(frame) && !taken.has(frame))
    .filter((frame) => range.included === null || range.included.includes(frame));
  return {
    task_id: found.task.id,
    job_id: found.job?.id ?? null,
    frames: JSON.stringify(inRanges(numbers)),
    frame_count: numbers.length,
    prediction_set_id: null,
  };
}

const annotatedFrames = ({ shapes, tags, tracks }: LabeledData): Set<number> =>
  new Set([...shapes, ...tags, ...tracks.flatMap((track) => track.shapes)].map(({ frame }) => frame));

function inRanges(numbers: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}
