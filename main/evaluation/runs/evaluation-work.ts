import type { EvaluationReport, ReportKind } from '../../../preload/contract/schema/evaluations.ts';
import type { WorkerPaths } from '../../import-export/bulk-writer/worker-context.ts';
import type { DatasetTarget } from '../../import-export/annotation-reader/stored-view.ts';

export interface EvaluateJob extends WorkerPaths {
  readonly kind: ReportKind;
  /** One task, or those of a project, each with the sets of every model. */
  readonly parts: readonly EvaluatedPart[];
  readonly frames: { readonly first: number; readonly last: number } | null;
  readonly labels: readonly string[] | null;
  readonly mapping: Readonly<Record<string, string | null>>;
}

export interface EvaluatedPart {
  readonly taskId: number;
  readonly frameCount: number;
  readonly truth: DatasetTarget;
  readonly models: readonly DatasetTarget[];
}

type Subject = Pick<EvaluationReport, 'frame_count' | 'truth_count' | 'left_out' | 'labels'>;

export interface Evaluated {
  readonly subject: Subject;
  readonly truths: Uint8Array;
  readonly models: readonly {
    readonly measures: Readonly<Record<string, number>>;
    readonly details: EvaluationReport['details'][number];
    readonly facts: Uint8Array;
  }[];
}
