import type { Batch, BatchWrite } from '../../../preload/contract/schema/batches.ts';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { attributeSuggestions } from '../../../preload/contract/schema/predictions.ts';
import { createFormatReport, type FormatSummary } from '../../formats/kit/report.ts';
import { isAdmin, noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import { AppError, invalidField, notFound } from '../../platform/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Store } from '../../db/store.ts';
import type { NewFilling } from '../../evaluation/predictions/prediction-filling.ts';
import type { AnnotationService } from '../../work/annotations/annotation-service.ts';
import type { TaskRepository } from '../../work/tables/task-repository.ts';
import type { ModelCaller } from '../calls/model-caller.ts';
import { emptyData } from '../calls/detector-run.ts';
import type { NativeModels } from '../native/native-service.ts';
import type { BatchTargets } from './batch-parts.ts';
import type { BatchPredictions } from './batch-predictions.ts';
import type { BatchQueue } from './batch-queue.ts';
import type { BatchPart, BatchRepository, BatchRow, MadeObject } from './batch-repository.ts';
import { parametersSchema } from './batch-run.ts';

interface Dependencies {
  readonly database: Store;
  readonly batches: BatchRepository;
  readonly predictions: BatchPredictions;
  readonly queue: BatchQueue;
  readonly targets: BatchTargets;
  readonly models: Pick<ModelCaller, 'find'>;
  readonly native: Pick<NativeModels, 'waitsFor'>;
  readonly annotations: AnnotationService;
  readonly tasks: Pick<TaskRepository, 'get'>;
  readonly clock: Clock;
}

/** Prediction sets of a batch. The objects of suggestions are offered to annotators. */
const aboutSets = ({ name, function: detail, fill, results }: BatchWrite, modelName: string): NewFilling => ({
  name: name ?? modelName,
  detail,
  offered: results === 'suggestions',
  format: fill === 'objects' ? attributeSuggestions : null,
});

export function createBatchService(dependencies: Dependencies) {
  const { batches, clock, database, models, native, predictions, queue } = dependencies;

  function open(actor: Actor, id: number): BatchRow {
    requireAllowed(actor, 'function', 'call:offline', noFacts);
    const row = batches.get(id);
    if (!row || (!isAdmin(actor) && row.owner_id !== actor.userId)) throw notFound(`There is no batch ${id}.`);
    return row;
  }

  const present = (row: BatchRow): Batch => {
    const waiting = row.state === 'running' ? native.waitsFor(row.function_id) : null;
    const shownRow: BatchRow = waiting === null ? row : { ...row, state: 'waiting', message: waiting };
    return presentBatch(shownRow, batches.parts(row.id));
  };
  const shown = (id: number): Batch => present(batches.get(id)!);

  async function end(row: BatchRow, actor: Actor): Promise<void> {
    if (isOver(row)) return;
    const message = 'Cancelled. Created objects are kept.';
    batches.change(row.id, { state: 'cancelled', message, finished_date: clock() });
    await queue.halt(row.id);
    predictions.finish(row, actor);
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
      const { results } = body;
      if (body.fill === 'objects' && results !== 'suggestions') {
        const message = 'Attributes of objects can only be suggested. Save the results as suggestions.';
        throw invalidField('results', message);
      }
      const { description } = await models.find(body.function, actor);
      if (description.kind !== 'detector') {
        const message = `Cannot run a batch with "${body.function}": it is of kind ${description.kind}. Choose a detector.`;
        throw invalidField('function', message);
      }
      const targets = body.targets.flatMap((target) => dependencies.targets.expand(actor, target));
      dependencies.targets.requireLabels(body, targets);
      const parts = targets
        .map((target) => dependencies.targets.partOf(actor, body, target))
        .filter((part) => part.frame_count > 0);
      for (const part of parts) dependencies.targets.requireTarget(actor, { body, model: description, part });
      const count = parts.reduce((sum, part) => sum + part.frame_count, 0);
      if (count === 0) throw invalidField('targets', 'No frames are left to annotate.');
      const parameters = {
        threshold: body.threshold,
        masksToPolygons: body.masks_to_polygons,
        mapping: body.mapping,
        fill: body.fill,
        results,
      };
      const row = {
        function_id: body.function,
        owner_id: actor.userId,
        origin: actor.baseUrl,
        priority: body.priority,
        parameters: JSON.stringify(parameters),
        report: JSON.stringify(createFormatReport().summary()),
        frame_count: count,
        created_date: clock(),
      };
      const about = aboutSets(body, description.name);
      const tasks = parts.map((part) => part.task_id);
      const begin = () => (results === 'annotations' ? null : predictions.begin(actor, tasks, about));
      const id = database.write(() => {
        const sets = begin();
        return batches.insert(
          row,
          parts.map((part) => ({ ...part, prediction_set_id: sets?.get(part.task_id) ?? null })),
        );
      });
      queue.schedule();
      return shown(id);
    },
    async update(
      actor: Actor,
      id: number,
      patch: { readonly state?: 'queued' | 'paused'; readonly priority?: number | undefined },
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
      await end(open(actor, id), actor);
      return shown(id);
    },
    async remove(actor: Actor, id: number): Promise<void> {
      await end(open(actor, id), actor);
      batches.remove(id);
    },
    /** Deletes the created objects that still exist. The deletion can be undone for a while. */
    async undo(actor: Actor, id: number): Promise<Batch> {
      const row = open(actor, id);
      await end(row, actor);
      const message =
        resultsOf(row) === 'annotations' ? dropMade(dependencies, actor, row) : dropSets(dependencies, actor, row);
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

function dropSets({ predictions }: Dependencies, actor: Actor, row: BatchRow): string {
  const sets = predictions.remove(row, actor);
  return `Undone: ${sets === 1 ? 'its prediction set is' : `its ${sets} prediction sets are`} deleted.`;
}

function dropMade(dependencies: Dependencies, actor: Actor, { id }: BatchRow): string {
  const { batches } = dependencies;
  const made = batches.objects(id);
  const count = deleteMade(dependencies, actor, made);
  batches.forgetObjects(id);
  return `Undone: ${count} of its ${made.length} objects still existed and are deleted.`;
}

function deleteMade({ annotations, tasks }: Dependencies, actor: Actor, made: readonly MadeObject[]): number {
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
  throw new AppError('conflict', `Batch ${row.id} has ended (${row.state}). Create another batch with its frames.`);
}

const shownProblems = 100;

const resultsOf = ({ parameters }: Pick<BatchRow, 'parameters'>): Batch['results'] =>
  parametersSchema.parse(JSON.parse(parameters)).results;

function presentBatch(row: BatchRow, parts: readonly BatchPart[]): Batch {
  const { function_id: name, owner_id: _owner, origin: _origin, parameters, report, ...rest } = row;
  const problems = (JSON.parse(report) as FormatSummary).invalid.slice(0, shownProblems);
  const sets = new Map(parts.map((part) => [part.task_id, part.prediction_set_id]));
  return {
    ...rest,
    function: name,
    tasks: [...sets.keys()],
    results: resultsOf({ parameters }),
    prediction_sets: [...sets].flatMap(([task, id]) => (id === null ? [] : [{ task, id }])),
    done_count: parts.reduce((sum, part) => sum + part.done_count, 0),
    problems,
  };
}
