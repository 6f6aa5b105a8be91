import type { EvaluationReport, ReportKind } from '../../../preload/contract/schema/evaluations.ts';
import type { WorkerPaths } from '../../transfer/store/worker-context.ts';
import type { DatasetTarget } from '../../transfer/view/stored-view.ts';

export interface EvaluateJob extends WorkerPaths {
  readonly kind: ReportKind;
  readonly truth: DatasetTarget;
  readonly models: readonly { readonly target: DatasetTarget }[];
  readonly frames: { readonly first: number; readonly last: number } | null;
  readonly labels: readonly string[] | null;
  readonly mapping: Readonly<Record<string, string | null>>;
}

type Subject = Pick<EvaluationReport, 'frame_count' | 'truth_count' | 'left_out' | 'labels'>;

export interface Evaluated {
  readonly subject: Subject;
  /** Columns of frames and truths. */
  readonly truths: Uint8Array;
  readonly models: readonly {
    readonly measures: Readonly<Record<string, number>>;
    readonly details: EvaluationReport['details'][number];
    readonly facts: Uint8Array;
  }[];
}
