import type { RequirementItem, RequirementsSummary } from '../../../../preload/contract/schema/quality-requirements.ts';
import type { QualityReport } from '../../../../preload/contract/schema/quality.ts';

export interface TreeRow {
  readonly item: RequirementItem;
  /** 0 for the base requirement. */
  readonly level: number;
  /** All requirements below it, not only its children. */
  readonly below: readonly RequirementItem[];
  /** Requirements with the same parent, in order, with this one. */
  readonly siblings: readonly RequirementItem[];
}

const inOrder = (items: readonly RequirementItem[]): RequirementItem[] =>
  items.toSorted((a, b) => a.sort_order - b.sort_order || a.id - b.id);

/** Requirements depth first. One without a parent is below the base requirement. */
export function treeRows(items: readonly RequirementItem[]): TreeRow[] {
  const base = items.find((item) => item.is_base);
  const children = Map.groupBy(
    items.filter((item) => item !== base),
    (item) => item.parent_requirement ?? base?.id ?? null,
  );
  const visit = (item: RequirementItem, level: number, siblings: readonly RequirementItem[]): TreeRow[] => {
    const own = inOrder(children.get(item.id) ?? []);
    const rows = own.flatMap((child) => visit(child, level + 1, own));
    return [{ item, level, below: rows.map((row) => row.item), siblings }, ...rows];
  };
  return base === undefined ? [] : visit(base, 0, [base]);
}

/** Rows that are not below a folded one. */
export function openRows(rows: readonly TreeRow[], folded: ReadonlySet<number>): TreeRow[] {
  const hidden = new Set(
    rows.filter(({ item }) => folded.has(item.id)).flatMap(({ below }) => below.map(({ id }) => id)),
  );
  return rows.filter(({ item }) => !hidden.has(item.id));
}

export type RequirementResult = RequirementsSummary['items'][number];
export type Outcome = 'passed' | 'failed' | 'notComputed' | 'off' | 'notCompared';

export function outcomeOf(item: RequirementItem, result: RequirementResult | undefined): Outcome {
  if (result === undefined) return item.enabled ? 'notCompared' : 'off';
  if (result.score === null) return 'notComputed';
  return result.score >= result.threshold ? 'passed' : 'failed';
}

/** Number of requirements that were changed, added or deleted since the report. */
export function changesSince(report: QualityReport, items: readonly RequirementItem[]): number {
  const known = new Set(items.map(({ id }) => id));
  const changed = items.filter(({ updated_date: date }) => date > report.created_date);
  const deleted = report.summary.requirements.items.filter(({ requirement_id: id }) => id !== null && !known.has(id));
  return changed.length + deleted.length;
}
