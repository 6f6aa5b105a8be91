import {
  compileList,
  everything,
  searchTargets,
  type ListDefinition,
  type ListRequest,
  type SqlFragment,
} from './filters.ts';
import type { Store } from './store.ts';
import { searchCandidates } from './search.ts';

/** One page of a resource's list, and the total count. Throws for a page beyond the end. */
export function listRows<Row>(
  database: Store,
  definition: ListDefinition,
  request: ListRequest,
  scope: SqlFragment = everything,
): { count: number; results: Row[] } {
  const { count, page } = compileList(definition, request, amongCandidates(database, definition, request, scope));
  const results = database.query(page.sql).all(...page.params) as Row[];
  const known = countKnownFrom(request, results.length);
  if (known !== null) return { count: known, results };
  const total = database.query(count.sql).get(...count.params) as { count: number };
  return { count: total.count, results };
}

function amongCandidates(
  database: Store,
  definition: ListDefinition,
  { search }: ListRequest,
  scope: SqlFragment,
): SqlFragment {
  const { textIndex } = definition;
  const few = textIndex && search ? searchCandidates(database, textIndex, searchTargets(definition), search) : null;
  return few ? { sql: `${few.sql} AND (${scope.sql})`, params: [...few.params, ...scope.params] } : scope;
}

/** A page that is not full is the last one and reveals the total. */
function countKnownFrom({ page, pageSize }: ListRequest, rows: number): number | null {
  if (pageSize === 'all') return rows;
  const isLast = rows < pageSize && (rows > 0 || page === 1);
  return isLast ? (page - 1) * pageSize + rows : null;
}
