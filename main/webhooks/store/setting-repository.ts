import type { Database } from '../../db/open.ts';

export type SettingRepository = ReturnType<typeof createSettingRepository>;

/** Settings that belong to the data, as JSON by key. */
export function createSettingRepository(database: Database) {
  const one = database.prepare('SELECT value FROM setting WHERE key = ?');
  const put = database.prepare('INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)');
  return {
    get(key: string): unknown {
      const row = one.get(key) as { value: string } | undefined;
      return row === undefined ? undefined : JSON.parse(row.value);
    },
    set: (key: string, value: unknown) => void put.run(key, JSON.stringify(value)),
  };
}
