import type { Store } from './store.ts';

/** Statements of these numbers of rows: binding many values at once halves the time per row. */
const bulkSizes = [50, 8, 1];

/**
 * Inserts rows, many per statement. Each row is made when it is bound, because all of them may not fit into the young
 * generation. Returns their ids, which are consecutive in a statement.
 */
export function createBulkInsert(database: Store, into: string, columns: number) {
  const row = `(${Array<string>(columns).fill('?').join(', ')})`;
  const statements = bulkSizes.map((size) => ({
    size,
    insert: database.query(`INSERT INTO ${into} VALUES ${Array<string>(size).fill(row).join(', ')}`),
  }));
  return <Item>(items: readonly Item[], rowOf: (item: Item, index: number) => readonly unknown[]): number[] => {
    const ids: number[] = [];
    for (const { size, insert } of statements)
      while (items.length - ids.length >= size) {
        const values: unknown[] = [];
        for (let at = ids.length; at < ids.length + size; at += 1) values.push(...rowOf(items[at]!, at));
        const { lastInsertRowid } = insert.run(values);
        for (let before = size - 1; before >= 0; before -= 1) ids.push(Number(lastInsertRowid) - before);
      }
    return ids;
  };
}
