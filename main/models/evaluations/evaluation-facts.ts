import { AppError } from '../../platform/errors.ts';
import { unpackColumns } from '../evaluation/columns.ts';
import type { EvaluationFacts, ResultFacts, TruthFacts } from '../evaluation/facts.ts';
import { matchFacts } from '../evaluation/match-facts.ts';
import { matchedOf, type Matched } from './count-facts.ts';
import type { EvaluationRepository } from './evaluation-repository.ts';

/** A slider asks for the same facts again and again; those of large sets take some megabytes. */
const kept = 8;

/** Facts of stored evaluations, matched at an overlap, and kept while they are asked for. */
export function createEvaluationFacts(evaluations: EvaluationRepository) {
  const known = new Map<string, { readonly frames: Uint32Array; readonly matched: Matched }>();
  return {
    matched(id: number, model: number, overlap: number): { readonly frames: Uint32Array; readonly matched: Matched } {
      const key = `${id} ${model} ${overlap}`;
      const before = known.get(key);
      if (before) return before;
      const row = evaluations.get(id);
      const [truthBytes, resultBytes] = [evaluations.truths(id), evaluations.facts(id, model)];
      if (!row?.subject || !truthBytes) throw new AppError('conflict', 'The evaluation is not measured yet.');
      if (!resultBytes) throw new AppError('not-found', 'The evaluation has no such model.');
      const { frames, ...truths } = unpackColumns<TruthFacts & { readonly frames: Uint32Array }>(truthBytes);
      const results = unpackColumns<ResultFacts>(resultBytes);
      const facts: EvaluationFacts = { labels: row.subject.labels.length, images: frames.length, truths, results };
      const made = { frames, matched: matchedOf(facts, matchFacts(facts, overlap)) };
      known.set(key, made);
      for (const oldest of known.keys()) {
        if (known.size <= kept) break;
        known.delete(oldest);
      }
      return made;
    },
    forget(id: number): void {
      for (const key of known.keys()) if (key.startsWith(`${id} `)) known.delete(key);
    },
  };
}
