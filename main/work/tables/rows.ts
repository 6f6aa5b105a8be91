export interface Rows<Row> {
  get(id: number): Row | undefined;
  touch(id: number, date: string): void;
}

/** Columns to change for a new assignee; none if there is no new one. */
export const assigneeChange = (
  assigneeId: number | null | undefined,
  row: { readonly assignee_id: number | null },
  now: string,
) =>
  assigneeId === undefined || assigneeId === row.assignee_id
    ? {}
    : { assignee_id: assigneeId, assignee_updated_date: now };
