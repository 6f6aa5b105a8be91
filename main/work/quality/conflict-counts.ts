import type { FoundConflict } from './found-conflict.ts';

export interface ConflictCounts {
  readonly conflict_count: number;
  readonly warning_count: number;
  readonly error_count: number;
  readonly conflicts_by_type: Readonly<Record<string, number>>;
}

export function countConflicts(conflicts: readonly Pick<FoundConflict, 'type' | 'severity'>[]): ConflictCounts {
  const errors = conflicts.filter(({ severity }) => severity === 'error').length;
  const kinds: Record<string, number> = {};
  for (const { type } of conflicts) kinds[type] = (kinds[type] ?? 0) + 1;
  return {
    conflict_count: conflicts.length,
    warning_count: conflicts.length - errors,
    error_count: errors,
    conflicts_by_type: kinds,
  };
}

export function summedConflicts(all: readonly ConflictCounts[]): ConflictCounts {
  const sum = (of: 'conflict_count' | 'warning_count' | 'error_count'): number =>
    all.reduce((total, one) => total + one[of], 0);
  const kinds: Record<string, number> = {};
  for (const { conflicts_by_type: counts } of all) {
    for (const [type, count] of Object.entries(counts)) kinds[type] = (kinds[type] ?? 0) + count;
  }
  return {
    conflict_count: sum('conflict_count'),
    warning_count: sum('warning_count'),
    error_count: sum('error_count'),
    conflicts_by_type: kinds,
  };
}
