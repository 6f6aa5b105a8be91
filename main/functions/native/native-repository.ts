import type { nativeKinds } from '../../../preload/contract/schema/native-functions.ts';
import { columnOf, optionalNumber, text, type RowOf } from '../../db/columns.ts';
import type { Store } from '../../db/store.ts';
import { valuesOf } from '../records/named-rows.ts';

const nativeColumns = {
  title: text(),
  visibility: columnOf<'private' | 'public'>()(),
  kind: columnOf<(typeof nativeKinds)[number]>()(),
  fields: text(),
  owner_id: optionalNumber(),
  created_date: text(),
};

export interface NativeRow extends RowOf<typeof nativeColumns> {
  readonly id: number;
  readonly seen_date: string | null;
}

const prefix = 'native:';

/** Limner's name of the function. No other function can have such a name. */
export const nameOf = ({ id }: Pick<NativeRow, 'id'>): string => `${prefix}${id}`;

export type NativeRepository = ReturnType<typeof createNativeRepository>;

export function createNativeRepository(database: Store) {
  const all = database.query('SELECT * FROM model_native ORDER BY id');
  const one = database.query('SELECT * FROM model_native WHERE id = +?');
  const insert = database.query(`INSERT INTO model_native ${valuesOf(nativeColumns)}`);
  const see = database.query('UPDATE model_native SET seen_date = ? WHERE id = +?');
  const remove = database.query('DELETE FROM model_native WHERE id = +?');
  const get = (id: number) => one.get(id) as NativeRow | undefined;
  return {
    list: () => all.all() as NativeRow[],
    /** By the id that cvat-cli uses. */
    get,
    named(name: string): NativeRow | undefined {
      const digits = name.startsWith(prefix) ? name.slice(prefix.length) : '';
      return /^[1-9]\d{0,14}$/.test(digits) ? get(Number(digits)) : undefined;
    },
    insert: (row: RowOf<typeof nativeColumns>): number => Number(insert.run(row).lastInsertRowid),
    see: (id: number, date: string) => void see.run(date, id),
    remove: (id: number) => void remove.run(id),
  };
}
