import type { EvaluationReport } from '../../../preload/contract/schema/evaluations.ts';
import type { LabelInfo } from '../../formats/kit/task-data.ts';
import type { FramePlace, MeasuredView } from './measured-views.ts';

/** One cell of a frame's confusion matrix. The number of labels stands for none. */
export interface Cell {
  readonly image: number;
  readonly truth: number;
  readonly result: number;
  readonly count: number;
  readonly switches: number;
}

export interface CellMeasures {
  readonly cells: readonly Cell[];
  readonly measures: Readonly<Record<string, number>>;
  readonly labels: EvaluationReport['details'][number]['labels'];
  readonly truths: { readonly ofLabels: readonly number[]; readonly leftOut: number };
  readonly results: { readonly count: number; readonly leftOut: number };
}

export interface CellSource {
  readonly truth: MeasuredView;
  readonly results: MeasuredView;
  readonly places: ReadonlyMap<number, FramePlace>;
  readonly labels: readonly LabelInfo[];
  /** Index of the label that an object counts as; undefined if it is not compared. */
  readonly labelOf: (side: 'truth' | 'results', label: string) => number | undefined;
  readonly checkCancelled: () => void;
}

/** Mapped name of a result label; null if it is not compared. */
export const mappedName = (mapping: Readonly<Record<string, string | null>>, name: string): string | null =>
  Object.hasOwn(mapping, name) ? (mapping[name] ?? null) : name;
