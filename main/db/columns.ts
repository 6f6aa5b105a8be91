import type { Query, Store } from './store.ts';

/**
 * Uses of a resource's column: `new`: set in a new row · `change`: changed by an update · `plain`: clients read and
 * write the stored value · `event`: listeners are notified of changes · `backup`: backups contain the stored value.
 */
export type Use = 'new' | 'change' | 'plain' | 'event' | 'backup';

export interface Column<Value, Uses extends Use = Use> {
  readonly uses: readonly Uses[];
  readonly initial: Value | null;
  readonly eventName?: string;
}

export type Columns = Readonly<Record<string, Column<unknown>>>;

export type RowOf<Of extends Columns> = {
  readonly [Name in keyof Of]: Of[Name] extends Column<infer Value> ? Value : never;
};

export type WithUse<Of extends Columns, Wanted extends Use> = {
  [Name in keyof Of]: Wanted extends Of[Name]['uses'][number] ? Name : never;
}[keyof Of] &
  string;

export type PartOf<Of extends Columns, Wanted extends Use> = Pick<RowOf<Of>, WithUse<Of, Wanted>>;

export const columnOf =
  <Value>(initial: Value | null = null) =>
  <const Uses extends readonly Use[]>(...uses: Uses): Column<Value, Uses[number]> => ({ uses, initial });

export const text = columnOf<string>('');
export const optionalText = columnOf<string | null>();
export const number = columnOf<number>();
export const optionalNumber = columnOf<number | null>();

/** A column with another name in events. */
export const toldAs = <Value, Uses extends Use>(
  eventName: string,
  column: Column<Value, Uses>,
): Column<Value, Uses> => ({ ...column, eventName });

/** Names by use, because each change asks for them. */
const namesOf = new WeakMap<Columns, Map<Use, readonly string[]>>();

function columnsWith<Of extends Columns, Wanted extends Use>(columns: Of, use: Wanted): readonly WithUse<Of, Wanted>[] {
  const known = namesOf.get(columns) ?? new Map<Use, readonly string[]>();
  namesOf.set(columns, known);
  const names = known.get(use) ?? Object.keys(columns).filter((name) => columns[name]?.uses.includes(use));
  known.set(use, names);
  // The type describes the same table.
  return names as readonly WithUse<Of, Wanted>[];
}

/** The values of a use that a row, or a body with the same names, has; omits those it does not name. */
export function valuesFor<Of extends Columns, Wanted extends Use, From extends NamedFor<Of, Wanted>>(
  columns: Of,
  use: Wanted,
  from: From,
): ValuesFor<Of, Wanted, From> {
  const entries = columnsWith(columns, use).map((name) => [name, from[name]] as const);
  // Values in `from` have the type that they have there.
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as ValuesFor<Of, Wanted, From>;
}

type NamedFor<Of extends Columns, Wanted extends Use> = {
  readonly [Name in keyof PartOf<Of, Wanted>]?: PartOf<Of, Wanted>[Name];
};
type ValuesFor<Of extends Columns, Wanted extends Use, From> = {
  [Name in keyof From as Name extends WithUse<Of, Wanted> ? Name : never]: Exclude<From[Name], undefined>;
};

/** Values of a row for listeners, by public name. */
export const toldOf = <Of extends Columns>(columns: Of, row: PartOf<Of, 'event'>): Record<string, unknown> =>
  Object.fromEntries(columnsWith(columns, 'event').map((name) => [columns[name]?.eventName ?? name, row[name]]));

/** Inserts rows of a resource with the given `id` or a new one; returns the id. */
export function createInsert<Of extends Columns>(database: Store, table: string, columns: Of) {
  const names = columnsWith(columns, 'new');
  const insert = database.query(
    `INSERT INTO ${table} (${['id', ...names].join(', ')}, created_date, updated_date)
     VALUES (${['id', ...names].map((name) => `@${name}`).join(', ')}, @date, @date)`,
  );
  const initial = Object.fromEntries(names.map((name) => [name, columns[name]?.initial ?? null]));
  return (row: Partial<PartOf<Of, 'new'>> & { readonly id?: number | null; readonly date: string }): number =>
    Number(insert.run({ id: null, ...initial, ...row }).lastInsertRowid);
}

/** Sets the changeable columns that a change names with a value, and the date. Names come from the table, never from input. */
export function createUpdate<Of extends Columns>(database: Store, table: string, columns: Of) {
  const statements = new Map<string, Query<[object]>>();
  function update(id: number, change: Partial<PartOf<Of, 'change'>>, date: string): void {
    const set = columnsWith(columns, 'change')
      .filter((name) => change[name] !== undefined)
      .map((name) => `${name} = @${name}, `)
      .join('');
    const sql = `UPDATE ${table} SET ${set}updated_date = @updated_date WHERE id = +@id`;
    const statement = statements.get(sql) ?? database.query<object>(sql);
    statements.set(sql, statement);
    statement.run({ ...change, id, updated_date: date });
  }
  const touchAll = database.query<[string, string]>(
    `UPDATE ${table} SET updated_date = ? WHERE id IN (SELECT value FROM json_each(+?))`,
  );
  return {
    update,
    touch: (id: number, date: string): void => update(id, {}, date),
    /** One statement, because a task may have thousands of jobs. */
    touchAll: (ids: readonly number[], date: string): void => void touchAll.run(date, JSON.stringify(ids)),
  };
}
