import type { Database } from '../../db/open.ts';

export function createNamedRows<Row>(database: Database, table: 'model_function' | 'model_weights') {
  const all = database.prepare(`SELECT * FROM ${table} ORDER BY name`);
  const one = database.prepare(`SELECT * FROM ${table} WHERE name = ?`);
  const remove = database.prepare(`DELETE FROM ${table} WHERE name = ?`);
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
  database: Database,
  table: 'model_function' | 'model_batch',
  where: { readonly id: number } | { readonly name: string },
  columns: object,
  change: object,
): void {
  const [[key = '', value]] = Object.entries(where) as [[string, unknown]];
  const names = Object.keys(columns).filter((name) => name in change);
  if (names.length === 0) return;
  const set = names.map((name) => `${name} = @${name}`).join(', ');
  database.prepare(`UPDATE ${table} SET ${set} WHERE ${key} = @key`).run({ ...change, key: value });
}
