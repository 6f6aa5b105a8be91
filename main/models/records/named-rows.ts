import type { Database } from '../../db/open.ts';

/** The rows of a table of models, by their names. */
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
