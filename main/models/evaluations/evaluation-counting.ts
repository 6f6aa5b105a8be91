import {
  isDetectionKind,
  type CountsQuery,
  type EvaluationCountsAnswer,
  type EvaluationFrame,
  type EvaluationFramesQuery,
} from '../../../preload/contract/schema/evaluations.ts';
import { invalidField } from '../../platform/errors.ts';
import { countCells, framesOfCells } from './count-cells.ts';
import { bestScoreOf, countModel, framesOf, worstFirst } from './count-facts.ts';
import { createEvaluationFacts } from './evaluation-facts.ts';
import type { EvaluationRepository, EvaluationRow } from './evaluation-repository.ts';

/** What is counted of a stored evaluation: of objects at any overlap and score, of all else as it was measured. */
export function createEvaluationCounting(evaluations: EvaluationRepository) {
  const facts = createEvaluationFacts(evaluations);

  /** From which score results count: what is asked for, or the best of the first model. */
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

  return {
    scoreOf,
    forget: facts.forget,

    counts(row: EvaluationRow, { iou, score: asked }: CountsQuery): EvaluationCountsAnswer {
      const score = scoreOf(row, iou, asked);
      const models = evaluations.models(row.id).map((_, model) => {
        if (isDetectionKind(row.kind)) return countModel(facts.matched(row.id, model, iou).matched, iou, score);
        const { cells, labels } = facts.cells(row.id, model);
        return countCells(cells, labels);
      });
      return { iou, score, models };
    },

    /** Those that have what is asked for, in the order that is asked for. */
    frames(row: EvaluationRow, query: EvaluationFramesQuery): EvaluationFrame[] {
      const { model, iou, show, order } = query;
      const wanted = { truth: placeOf(row, query, 'truth'), result: placeOf(row, query, 'result') };
      const found = (): EvaluationFrame[] => {
        if (isDetectionKind(row.kind)) {
          const { frames, matched } = facts.matched(row.id, model, iou);
          return framesOf(matched, frames, { ...query, score: scoreOf(row, iou, query.score), ...wanted });
        }
        const { cells, labels, frames } = facts.cells(row.id, model);
        return framesOfCells(cells, labels, frames, { show, ...wanted });
      };
      return order === 'worst' ? found().sort(worstFirst) : found();
    },
  };
}
