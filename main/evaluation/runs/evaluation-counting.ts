import {
  isDetectionKind,
  type CountsQuery,
  type EvaluationCountsAnswer,
  type EvaluationFrame,
  type EvaluationFramesQuery,
} from '../../../preload/contract/schema/evaluations.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { unpackColumns } from '../measures/columns.ts';
import type { EvaluationFacts, ResultFacts, TruthFacts } from '../measures/facts.ts';
import { sumOf, withRates } from '../measures/one-threshold.ts';
import { countCells, framesOfCells, type CellColumns } from './count-cells.ts';
import { bestScoreOf, countModel, framesOf, matchedOf, worstFirst, type Matched } from './count-facts.ts';
import type { EvaluationRepository, EvaluationRow } from './evaluation-repository.ts';
import type { FrameNumbers } from './measured-views.ts';

type TaskCounts = EvaluationCountsAnswer['models'][number]['tasks'];

/** Counts of a stored evaluation: objects at any overlap and score, other kinds as measured. */
export function createEvaluationCounting(evaluations: EvaluationRepository) {
  const facts = createEvaluationFacts(evaluations);

  /** Score threshold: the requested one, or the first model's best. */
  function scoreOf({ id, kind }: EvaluationRow, iou: number, score: number | undefined): number {
    if (!isDetectionKind(kind)) return 0;
    return score ?? bestScoreOf(facts.matched(id, 0, iou).matched);
  }

  function placeOf({ subject }: EvaluationRow, query: EvaluationFramesQuery, field: 'truth' | 'result') {
    const name = query[field];
    if (name === undefined) return undefined;
    if (name === '') return -1;
    const place = subject?.labels.findIndex((label) => label.name === name) ?? -1;
    if (place === -1) throw invalidField(field, `The evaluation has no label "${name}".`);
    return place;
  }

  function everyFrame(row: EvaluationRow, model: number, iou: number, score: number): EvaluationFrame[] {
    const everything = { show: 'all', truth: undefined, result: undefined } as const;
    if (!isDetectionKind(row.kind)) {
      const { cells, labels, ...numbers } = facts.cells(row.id, model);
      return framesOfCells(cells, labels, numbers, everything);
    }
    const { matched, ...numbers } = facts.matched(row.id, model, iou);
    return framesOf(matched, numbers, { ...everything, iou, score });
  }

  function tasksOf(row: EvaluationRow, model: number, iou: number, score: number): TaskCounts {
    if (row.project_id === null) return [];
    return [...Map.groupBy(everyFrame(row, model, iou, score), ({ task_id: id }) => id)].map(([task_id, frames]) => ({
      task_id,
      ...withRates(sumOf(frames)),
    }));
  }

  return {
    scoreOf,
    forget: facts.forget,

    counts(row: EvaluationRow, { iou, score: wantedScore }: CountsQuery): EvaluationCountsAnswer {
      const score = scoreOf(row, iou, wantedScore);
      const models = evaluations.models(row.id).map((_, model) => {
        const tasks = tasksOf(row, model, iou, score);
        if (isDetectionKind(row.kind)) {
          return { ...countModel(facts.matched(row.id, model, iou).matched, iou, score), tasks };
        }
        const { cells, labels } = facts.cells(row.id, model);
        return { ...countCells(cells, labels), tasks };
      });
      return { iou, score, models };
    },

    frames(row: EvaluationRow, query: EvaluationFramesQuery): EvaluationFrame[] {
      const { model, iou, show, order, task_id: taskId } = query;
      const wanted = { truth: placeOf(row, query, 'truth'), result: placeOf(row, query, 'result') };
      const found = (): EvaluationFrame[] => {
        if (isDetectionKind(row.kind)) {
          const { matched, ...numbers } = facts.matched(row.id, model, iou);
          return framesOf(matched, numbers, { ...query, score: scoreOf(row, iou, query.score), ...wanted });
        }
        const { cells, labels, ...numbers } = facts.cells(row.id, model);
        return framesOfCells(cells, labels, numbers, { show, ...wanted });
      };
      const own = taskId === undefined ? found() : found().filter((frame) => frame.task_id === taskId);
      return order === 'worst' ? own.sort(worstFirst) : own;
    },
  };
}

/** A slider requests the same facts repeatedly; facts of large sets have some megabytes. */
const kept = 8;

/** Evaluations stored before project evaluations existed contain no task. */
interface StoredNumbers {
  readonly frames: Uint32Array;
  readonly tasks?: Uint32Array;
}
const numbersOf = ({ task_id: taskId }: EvaluationRow, { frames, tasks }: StoredNumbers): FrameNumbers => ({
  frames,
  tasks: tasks ?? new Uint32Array(frames.length).fill(taskId ?? 0),
});

/** Cache of stored evaluations' facts, matched at an overlap. */
function createEvaluationFacts(evaluations: EvaluationRepository) {
  const known = new Map<string, FrameNumbers & { readonly matched: Matched }>();
  function stored(id: number, model: number) {
    const row = evaluations.get(id);
    const [truths, results] = [evaluations.truths(id), evaluations.facts(id, model)];
    if (!row?.subject || !truths) throw new AppError('conflict', 'The evaluation is not finished yet.');
    if (!results) throw new AppError('not-found', 'The evaluation has no such model.');
    return { row, labels: row.subject.labels.length, truths, results };
  }
  return {
    matched(id: number, model: number, overlap: number): FrameNumbers & { readonly matched: Matched } {
      const key = `${id} ${model} ${overlap}`;
      const before = known.get(key);
      if (before) return before;
      const packed = stored(id, model);
      const { frames, tasks, ...truths } = unpackColumns<TruthFacts & StoredNumbers>(packed.truths);
      const results = unpackColumns<ResultFacts>(packed.results);
      const facts: EvaluationFacts = { labels: packed.labels, images: frames.length, truths, results };
      const made = { ...numbersOf(packed.row, { frames, tasks }), matched: matchedOf(facts, overlap) };
      known.set(key, made);
      for (const oldest of known.keys()) {
        if (known.size <= kept) break;
        known.delete(oldest);
      }
      return made;
    },
    /** Cells of kinds other than objects; they do not depend on overlap or score. */
    cells(id: number, model: number) {
      const { row, labels, truths, results } = stored(id, model);
      return {
        labels,
        ...numbersOf(row, unpackColumns<StoredNumbers>(truths)),
        cells: unpackColumns<CellColumns>(results),
      };
    },
    forget(id: number): void {
      for (const key of known.keys()) if (key.startsWith(`${id} `)) known.delete(key);
    },
  };
}
