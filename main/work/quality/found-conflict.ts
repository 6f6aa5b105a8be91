import type { AnnotationId, ConflictType } from '../../../preload/contract/schema/quality.ts';

export interface FoundConflict {
  readonly frame: number;
  readonly type: ConflictType;
  readonly severity: 'warning' | 'error';
  readonly annotation_ids: readonly AnnotationId[];
  /** Names of different attributes, in conflicts that requirements found. */
  readonly attribute_names?: readonly string[];
}
