import type { Store } from '../../db/store.ts';

export function createNamedRows<Row>(database: Store, table: 'model_function' | 'model_weights') {
  const all = database.query(`SELECT * FROM ${table} ORDER BY name`);
  const one = database.query(`SELECT * FROM ${table} WHERE name = +?`);
  const remove = database.query(`DELETE FROM ${table} WHERE name = +?`);
  return {
    list: () => all.all() as Row[],
    get: (name: string) => one.get(name) as Row | undefined,
    remove: (name: string) => void remove.run(name),
  };
}

export function valuesOf(columns: object): string {
  const names = Object.keys(columns);
  return `(${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`;
}

/**
 * Updates the columns of a change in the row that `where` selects. Names come from the column table, never from input.
 */
export function setColumns(
  database: Store,
  table: 'model_function' | 'model_batch',
  where: { readonly id: number } | { readonly name: string },
  columns: object,
  change: object,
): void {
  const [[key = '', value]] = Object.entries(where) as [[string, unknown]];
  const names = Object.keys(columns).filter((name) => name in change);
  if (names.length === 0) return;
  const set = names.map((name) => `${name} = @${name}`).join(', ');
  database.query(`UPDATE ${table} SET ${set} WHERE ${key} = +@key`).run({ ...change, key: value });
}
