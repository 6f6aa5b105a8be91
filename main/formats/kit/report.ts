/** One kind of loss: the number of objects of one type and label that a rule of the format dropped or changed. */
export interface Loss {
  readonly type: string;
  readonly label: string;
  readonly rule: string;
  readonly count: number;
}

/** A record that could not be read: its place and the reason. */
export interface BadRecord {
  readonly file: string;
  /** Line number, or a path such as `annotations[17].bbox`. */
  readonly at: string;
  readonly reason: string;
}

export interface FormatSummary {
  readonly included: readonly { readonly type: string; readonly label: string; readonly count: number }[];
  readonly dropped: readonly Loss[];
  readonly invalid: readonly BadRecord[];
  /** Total number of invalid records; `invalid` holds the first {@link maxBadRecords}. */
  readonly invalidCount: number;
  readonly warnings: readonly string[];
}

export const maxBadRecords = 1000;

/**
 * Result of an import or export. Everything that was dropped or could not be read has an entry. One invalid record
 * never fails a file.
 */
export interface FormatReport {
  included(type: string, label: string, count?: number): void;
  /** `rule` is a sentence for the user, for example `YOLO has no rotated boxes.` */
  dropped(type: string, label: string, rule: string, count?: number): void;
  invalid(file: string, at: string, reason: string): void;
  warn(message: string): void;
  summary(): FormatSummary;
}

export function createFormatReport(): FormatReport {
  /** By type, then by label, which avoids building a key string per object. */
  const included = new Map<string, Map<string, { readonly type: string; readonly label: string; count: number }>>();
  const kinds: { readonly type: string; readonly label: string; count: number }[] = [];
  const dropped = new Map<string, { type: string; label: string; rule: string; count: number }>();
  const invalid: BadRecord[] = [];
  const warnings = new Set<string>();
  let invalidCount = 0;
  return {
    included(type, stated, count = 1) {
      const label = stated.trim();
      const known = included.get(type)?.get(label);
      if (known) {
        known.count += count;
        return;
      }
      const entry = { type, label, count };
      kinds.push(entry);
      const labels = included.get(type);
      if (labels) labels.set(label, entry);
      else included.set(type, new Map([[label, entry]]));
    },
    dropped(type, stated, rule, count = 1) {
      const label = stated.trim();
      const key = `${type}\u0000${label}\u0000${rule}`;
      const entry = dropped.get(key);
      if (entry) entry.count += count;
      else dropped.set(key, { type, label, rule, count });
    },
    invalid(file, at, reason) {
      invalidCount += 1;
      if (invalid.length < maxBadRecords) invalid.push({ file, at, reason });
    },
    warn(message) {
      warnings.add(message);
    },
    summary: () => ({
      included: [...kinds],
      dropped: [...dropped.values()],
      invalid: [...invalid],
      invalidCount,
      warnings: [...warnings],
    }),
  };
}
