import type { Database } from '../../db/open.ts';
import type { nativeKinds } from '../../../preload/contract/schema/native-functions.ts';

export interface NativeRow {
  readonly id: number;
  readonly title: string;
  readonly visibility: 'private' | 'public';
  readonly kind: (typeof nativeKinds)[number];
  /** JSON. */
  readonly fields: string;
  readonly owner_id: number | null;
  readonly seen_date: string | null;
  readonly created_date: string;
}

export type NativeRepository = ReturnType<typeof createNativeRepository>;

export function createNativeRepository(database: Database) {
  const all = database.prepare('SELECT * FROM model_native ORDER BY id');
  const one = database.prepare('SELECT * FROM model_native WHERE id = ?');
  const insert = database.prepare(
    `INSERT INTO model_native (title, visibility, kind, fields, owner_id, created_date)
     VALUES (@title, @visibility, @kind, @fields, @owner_id, @created_date)`,
  );
  const see = database.prepare('UPDATE model_native SET seen_date = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM model_native WHERE id = ?');
  return {
    list: () => all.all() as NativeRow[],
    get: (id: number) => one.get(id) as NativeRow | undefined,
    insert: (row: Omit<NativeRow, 'id' | 'seen_date'>): number => Number(insert.run(row).lastInsertRowid),
    see: (id: number, date: string) => void see.run(date, id),
    remove: (id: number) => void remove.run(id),
  };
}
