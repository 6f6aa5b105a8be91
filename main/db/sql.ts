export type SqlValue = string | number | null;

/** A condition or query with `?` placeholders and their values in order. */
export interface SqlFragment {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** Matches all rows. */
export const everything: SqlFragment = { sql: '1', params: [] };
