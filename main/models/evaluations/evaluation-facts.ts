import { AppError } from '../../platform/errors.ts';
import { unpackColumns } from '../evaluation/columns.ts';
import type { EvaluationFacts, ResultFacts, TruthFacts } from '../evaluation/facts.ts';
import type { FrameNumbers } from './measured-views.ts';
import type { CellColumns } from './count-cells.ts';
import { matchedOf, type Matched } from './count-facts.ts';
import type { EvaluationRepository, EvaluationRow } from './evaluation-repository.ts';

/** A slider asks for the same facts again and again; those of large sets take some megabytes. */
const kept = 8;

/** Evaluations from before there were those of projects do not say the task. */
interface StoredNumbers {
  readonly frames: Uint32Array;
  readonly tasks?: Uint32Array | undefined;
}
const numbersOf = ({ task_id: taskId }: EvaluationRow, { frames, tasks }: StoredNumbers): FrameNumbers => ({
  frames,
  tasks: tasks ?? new Uint32Array(frames.length).fill(taskId ?? 0),
});

/** Facts of stored evaluations, matched at an overlap, and kept while they are asked for. */
export function createEvaluationFacts(evaluations: EvaluationRepository) {
  const known = new Map<string, FrameNumbers & { readonly matched: Matched }>();
  function stored(id: number, model: number) {
    const row = evaluations.get(id);
    const [truths, results] = [evaluations.truths(id), evaluations.facts(id, model)];
    if (!row?.subject || !truths) throw new AppError('conflict', 'The evaluation is not measured yet.');
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
    /** Of what is compared otherwise than object by object: nothing of it hangs on an overlap or a score. */
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
