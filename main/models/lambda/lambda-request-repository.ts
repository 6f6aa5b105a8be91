import type { Database } from '../../db/open.ts';
import type { RequestRow } from '../../requests/request-repository.ts';

/** Kind of the background requests that annotate by a function. */
export const autoannotateType = 'autoannotate:task';

export type LambdaRequestRepository = ReturnType<typeof createLambdaRequestRepository>;

export function createLambdaRequestRepository(database: Database) {
  const all = database.prepare(
    `SELECT request.*, owner.username AS owner_username FROM request LEFT JOIN user owner ON owner.id = request.owner_id
     WHERE request.type = ? ORDER BY request.created_date`,
  );
  return { list: () => all.all(autoannotateType) as RequestRow[] };
}
