import { compileList, type ListDefinition, type ListRequest, type SqlFragment } from './filters.ts';
import type { Database } from './open.ts';

/** One page of a resource's list, and how many there are in all. A page beyond the end is an error of the caller. */
export function listRows<Row>(
  database: Database,
  definition: ListDefinition,
  request: ListRequest,
  scope?: SqlFragment,
): { count: number; results: Row[] } {
  const { count, page } = compileList(definition, request, scope);
  const total = database.prepare(count.sql).get(...count.params) as { count: number };
  return { count: total.count, results: database.prepare(page.sql).all(...page.params) as Row[] };
}
