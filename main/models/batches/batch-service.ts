import type { Batch, BatchWrite } from '../../../preload/contract/schema/batches.ts';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { createFormatReport, type FormatSummary } from '../../formats/kit/report.ts';
import { isAdmin, noFacts, requireAllowed } from '../../people/access/access-rules.ts';
import type { Actor } from '../../people/access/actor.ts';
import { AppError, invalidField, notFound } from '../../platform/errors.ts';
import type { WorkAccess } from '../../work/work-access.ts';
import { emptyData } from '../lambda/detector-run.ts';
import { findTarget, labelsOf, openRange } from '../lambda/lambda-call-service.ts';
import { labelMapping } from '../lambda/label-mapping.ts';
import type { BatchQueue } from './batch-queue.ts';
import type { BatchRow, MadeObject, NewPart } from './batch-repository.ts';
import type { BatchRunDependencies } from './batch-run.ts';

export interface BatchServiceDependencies extends BatchRunDependencies {
  readonly access: WorkAccess;
  readonly queue: BatchQueue;
}

const shownProblems = 100;

/** Batches of calls, for those who may annotate what they are about. */
export function createBatchService(dependencies: BatchServiceDependencies) {
  const { access, batches, clock, models, queue } = dependencies;

  function open(actor: Actor, id: number): BatchRow {
    requireAllowed(actor, 'function', 'call:offline', noFacts);
    const row = batches.get(id);
    if (!row || (!isAdmin(actor) && row.owner_id !== actor.userId)) throw notFound(`There is no batch ${id}.`);
    return row;
  }

  function present(row: BatchRow): Batch {
    const parts = batches.parts(row.id);
    const { function_id: name, owner_id: _owner, origin: _origin, parameters: _parameters, report, ...rest } = row;
    // Written by `batch-run`.
    const problems = (JSON.parse(report) as FormatSummary).bad.slice(0, shownProblems);
    const done = parts.reduce((sum, part) => sum + part.done_count, 0);
    return {
      ...rest,
      function: name,
      tasks: [...new Set(parts.map((part) => part.task_id))],
      done_count: done,
      problems,
    };
  }
  const shown = (id: number): Batch => present(batches.get(id)!);

  async function end(row: BatchRow): Promise<void> {
    if (isOver(row)) return;
    const message = 'Cancelled. What it has made stays.';
    batches.change(row.id, { state: 'cancelled', message, finished_date: clock() });
    await queue.halt(row.id);
  }

  return {
    list(actor: Actor): Batch[] {
      requireAllowed(actor, 'function', 'call:offline', noFacts);
      return batches
        .list()
        .filter((row) => isAdmin(actor) || row.owner_id === actor.userId)
        .map(present);
    },
    get: (actor: Actor, id: number): Batch => present(open(actor, id)),
    async create(actor: Actor, body: BatchWrite): Promise<Batch> {
      requireAllowed(actor, 'function', 'call:offline', noFacts);
      if (body.results !== 'annotations') {
        throw invalidField('results', 'Results of a batch become annotations; nothing else is there for them yet.');
      }
      const { description } = await models.find(body.function);
      if (description.kind !== 'detector') {
        const message = `"${body.function}" is of the kind ${description.kind}; a batch is made of calls of a detector.`;
        throw invalidField('function', message);
      }
      const parts = body.targets.map((target) => partOf(dependencies, actor, body, target));
      for (const { task_id: task, job_id: job } of parts) {
        if (job === null) access.task(actor, task, 'update:annotations');
        else access.job(actor, job, 'update:annotations');
        const row = dependencies.tasks.get(task);
        if (row) labelMapping(body.mapping, description.labels, labelsOf(dependencies, row));
      }
      const count = parts.reduce((sum, part) => sum + part.frame_count, 0);
      if (count === 0) throw invalidField('targets', 'No frame is left to annotate.');
      const parameters = {
        threshold: body.threshold,
        masksToPolygons: body.masks_to_polygons,
        mapping: body.mapping,
      };
      const id = batches.insert(
        {
          function_id: body.function,
          owner_id: actor.userId,
          origin: actor.baseUrl,
          priority: body.priority,
          parameters: JSON.stringify(parameters),
          report: JSON.stringify(createFormatReport().summary()),
          frame_count: count,
          created_date: clock(),
        },
        parts.filter((part) => part.frame_count > 0),
      );
      queue.schedule();
      return shown(id);
    },
    async update(
      actor: Actor,
      id: number,
      patch: { readonly state?: 'queued' | 'paused' | undefined; readonly priority?: number | undefined },
    ): Promise<Batch> {
      const row = open(actor, id);
      const { priority, state } = patch;
      if (state !== undefined) requireOpen(row);
      if (priority !== undefined) batches.change(id, { priority });
      if (state === 'paused' && row.state !== 'paused') {
        batches.change(id, { state, message: 'Paused.' });
        await queue.halt(id);
      }
      if (state === 'queued' && (row.state === 'paused' || row.state === 'failed' || row.state === 'waiting')) {
        await queue.halt(id);
        batches.change(id, { state, message: '', finished_date: null });
      }
      queue.schedule();
      return shown(id);
    },
    async cancel(actor: Actor, id: number): Promise<Batch> {
      await end(open(actor, id));
      return shown(id);
    },
    async remove(actor: Actor, id: number): Promise<void> {
      await end(open(actor, id));
      batches.remove(id);
    },
    /** What it has made and is still there goes, and can be taken back for a while like any deletion. */
    async undo(actor: Actor, id: number): Promise<Batch> {
      await end(open(actor, id));
      const made = batches.objects(id);
      const count = deleteMade(dependencies, actor, made);
      batches.forgetObjects(id);
      const message = `Undone: ${count} of its ${made.length} objects were still there, and are deleted.`;
      batches.change(id, { state: 'undone', message, finished_date: clock() });
      return shown(id);
    },
  };
}

const only = (data: LabeledData, shapes: ReadonlySet<number>, tags: ReadonlySet<number>): LabeledData => ({
  ...emptyData,
  shapes: data.shapes.filter(({ id }) => id !== undefined && shapes.has(id)),
  tags: data.tags.filter(({ id }) => id !== undefined && tags.has(id)),
});

/** Answers how many of them were still there. */
function deleteMade(
  { annotations, tasks }: BatchServiceDependencies,
  actor: Actor,
  made: readonly MadeObject[],
): number {
  let count = 0;
  for (const task of new Set(made.map((one) => one.task_id))) {
    if (!tasks.get(task)) continue;
    const ids = (kind: 'shape' | 'tag') =>
      new Set(made.filter((one) => one.task_id === task && one.kind === kind).map((one) => one.object_id));
    const data = only(annotations.readTask(actor, task), ids('shape'), ids('tag'));
    count += data.shapes.length + data.tags.length;
    annotations.changeTask(actor, task, 'delete', data);
  }
  return count;
}

const isOver = ({ state }: BatchRow): boolean => state === 'finished' || state === 'cancelled' || state === 'undone';

function requireOpen(row: BatchRow): void {
  if (!isOver(row)) return;
  throw new AppError('conflict', `Batch ${row.id} has ended (${row.state}). Make another one of its frames.`);
}

/** The frames of a target that are to be annotated. */
function partOf(
  dependencies: BatchServiceDependencies,
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
