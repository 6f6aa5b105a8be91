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

export const hasAny = (changes: ColumnChanges): boolean => Object.keys(changes).length > 0;

/** A row before its change, and what of it is different now. */
export interface Changed<Row> {
  readonly before: Row;
  readonly changes: ColumnChanges;
}

/** A change as events carry it. */
export const updateOf = <Row>({ before, changes }: Changed<Row>, present: (row: Row) => object) => ({
  update: { changes, before: () => present(before) },
});
