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
  /** Exported or imported objects by type and label. */
  readonly carried: readonly { readonly type: string; readonly label: string; readonly count: number }[];
  readonly losses: readonly Loss[];
  readonly bad: readonly BadRecord[];
  /** Total number of invalid records; `bad` holds the first {@link maxBadRecords}. */
  readonly badCount: number;
  readonly warnings: readonly string[];
}

export const maxBadRecords = 1000;

/**
 * Result of an import or export. Everything that was dropped or could not be read has an entry. One invalid record
 * never fails a file.
 */
export interface FormatReport {
  carried(type: string, label: string, count?: number): void;
  /** `rule` is a sentence for the user, for example `YOLO has no rotated boxes.` */
  lost(type: string, label: string, rule: string, count?: number): void;
  bad(file: string, at: string, reason: string): void;
  warn(message: string): void;
  summary(): FormatSummary;
}

export function createFormatReport(): FormatReport {
  /** By type, then by label, which avoids building a key string per object. */
  const carried = new Map<string, Map<string, { readonly type: string; readonly label: string; count: number }>>();
  const kinds: { readonly type: string; readonly label: string; count: number }[] = [];
  const losses = new Map<string, { type: string; label: string; rule: string; count: number }>();
  const bad: BadRecord[] = [];
  const warnings = new Set<string>();
  let badCount = 0;
  return {
    carried(type, stated, count = 1) {
      const label = stated.trim();
      const known = carried.get(type)?.get(label);
      if (known) {
        known.count += count;
        return;
      }
      const entry = { type, label, count };
      kinds.push(entry);
      const labels = carried.get(type);
      if (labels) labels.set(label, entry);
      else carried.set(type, new Map([[label, entry]]));
    },
    lost(type, stated, rule, count = 1) {
      const label = stated.trim();
      const key = `${type}\u0000${label}\u0000${rule}`;
      const entry = losses.get(key);
      if (entry) entry.count += count;
      else losses.set(key, { type, label, rule, count });
    },
    bad(file, at, reason) {
      badCount += 1;
      if (bad.length < maxBadRecords) bad.push({ file, at, reason });
    },
    warn(message) {
      warnings.add(message);
    },
    summary: () => ({
      carried: [...kinds],
      losses: [...losses.values()],
      bad: [...bad],
      badCount,
      warnings: [...warnings],
    }),
  };
}
