import type { Store } from './store.ts';

/** Statements of these numbers of rows: binding many values at once halves the time per row. */
const bulkSizes = [50, 8, 1];

/** Inserts rows, many per statement. Returns their ids, which are consecutive in a statement. */
export function createBulkInsert(database: Store, into: string, columns: number) {
  const row = `(${Array<string>(columns).fill('?').join(', ')})`;
  const statements = bulkSizes.map((size) => ({
    size,
    insert: database.query(`INSERT INTO ${into} VALUES ${Array<string>(size).fill(row).join(', ')}`),
  }));
  return (rows: readonly (readonly unknown[])[]): number[] => {
    const ids: number[] = [];
    for (const { size, insert } of statements)
      while (rows.length - ids.length >= size) {
        const { lastInsertRowid } = insert.run(rows.slice(ids.length, ids.length + size).flat());
        for (let before = size - 1; before >= 0; before -= 1) ids.push(Number(lastInsertRowid) - before);
      }
    return ids;
  };
}
