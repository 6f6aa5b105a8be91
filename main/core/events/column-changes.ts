/** Old and new value of each database column that changed, by the column's public name. */
export type ColumnChanges = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

/**
 * Compares two states of a row.
 * @param columns public names by column
 */
export function columnChanges<Row extends object>(
  before: Row,
  after: Row,
  columns: Readonly<Partial<Record<keyof Row, string>>>,
): ColumnChanges {
  const changed = (Object.entries(columns) as [keyof Row, string][])
    .filter(([column]) => before[column] !== after[column])
    .map(([column, name]) => [name, { from: before[column], to: after[column] }] as const);
  return Object.fromEntries(changed);
}
