import type { Batch } from '../../../preload/contract/schema/batches.ts';
import type { FormatSummary } from '../../formats/kit/report.ts';
import type { BatchPart, BatchRow } from './batch-repository.ts';
import { parametersSchema } from './batch-run.ts';

const shownProblems = 100;

export const resultsOf = ({ parameters }: Pick<BatchRow, 'parameters'>): Batch['results'] =>
  parametersSchema.parse(JSON.parse(parameters)).results;

export function presentBatch(row: BatchRow, parts: readonly BatchPart[]): Batch {
  const { function_id: name, owner_id: _owner, origin: _origin, parameters, report, ...rest } = row;
  // Written by `batch-run`.
  const problems = (JSON.parse(report) as FormatSummary).bad.slice(0, shownProblems);
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
