import type { Database } from './open.ts';

/**
 * What a column of a resource takes part in:
 * `new`: a new row is given it · `change`: a change may set it · `plain`: clients read and write it as it is stored ·
 * `event`: who listens is told when it changes · `backup`: a backup carries it as it is stored.
 */
export type Use = 'new' | 'change' | 'plain' | 'event' | 'backup';

export interface Column<Value, Uses extends Use = Use> {
  readonly uses: readonly Uses[];
  /** In a new row that is given none. */
  readonly initial: Value | null;
  /** Under which name a change is told; its own where there is none. */
  readonly eventName?: string;
}

export type Columns = Readonly<Record<string, Column<unknown>>>;

/** A row with these columns. */
export type RowOf<Of extends Columns> = {
  readonly [Name in keyof Of]: Of[Name] extends Column<infer Value> ? Value : never;
};

/** The columns that have a use. */
export type WithUse<Of extends Columns, Wanted extends Use> = {
  [Name in keyof Of]: Wanted extends Of[Name]['uses'][number] ? Name : never;
}[keyof Of] &
  string;

/** Part of a row: what a use concerns. */
export type PartOf<Of extends Columns, Wanted extends Use> = Pick<RowOf<Of>, WithUse<Of, Wanted>>;

/** Makes columns with values of a type. */
export const columnOf =
  <Value>(initial: Value | null = null) =>
  <const Uses extends readonly Use[]>(...uses: Uses): Column<Value, Uses[number]> => ({ uses, initial });

export const text = columnOf<string>('');
export const optionalText = columnOf<string | null>();
export const number = columnOf<number>();
export const optionalNumber = columnOf<number | null>();

/** A column whose changes are told under another name. */
export const toldAs = <Value, Uses extends Use>(
  eventName: string,
  column: Column<Value, Uses>,
): Column<Value, Uses> => ({ ...column, eventName });

function columnsWith<Of extends Columns, Wanted extends Use>(columns: Of, use: Wanted): WithUse<Of, Wanted>[] {
  const names = Object.entries(columns).filter(([, { uses }]) => uses.includes(use));
  // The type says the same of the same table.
  return names.map(([name]) => name) as WithUse<Of, Wanted>[];
}

/** The values of a use that a row, or a body of the same names, has; those that it does not name are left out. */
export function valuesFor<Of extends Columns, Wanted extends Use, From extends NamedFor<Of, Wanted>>(
  columns: Of,
  use: Wanted,
  from: From,
): ValuesFor<Of, Wanted, From> {
  const entries = columnsWith(columns, use).map((name) => [name, from[name]] as const);
  // What is named in `from` has the type that it has there.
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as ValuesFor<Of, Wanted, From>;
}

type NamedFor<Of extends Columns, Wanted extends Use> = {
  readonly [Name in keyof PartOf<Of, Wanted>]?: PartOf<Of, Wanted>[Name] | undefined;
};
type ValuesFor<Of extends Columns, Wanted extends Use, From> = {
  [Name in keyof From as Name extends WithUse<Of, Wanted> ? Name : never]: Exclude<From[Name], undefined>;
};

/** What listeners are told of a row, by public names. */
export const toldOf = <Of extends Columns>(columns: Of, row: PartOf<Of, 'event'>): Record<string, unknown> =>
  Object.fromEntries(columnsWith(columns, 'event').map((name) => [columns[name]?.eventName ?? name, row[name]]));

/** Inserts rows of a resource, with the `id` that was given out before, or a new one; answers the id. */
export function createInsert<Of extends Columns>(database: Database, table: string, columns: Of) {
  const names = columnsWith(columns, 'new');
  const insert = database.prepare(
    `INSERT INTO ${table} (${['id', ...names].join(', ')}, created_date, updated_date)
     VALUES (${['id', ...names].map((name) => `@${name}`).join(', ')}, @date, @date)`,
  );
  const initial = Object.fromEntries(names.map((name) => [name, columns[name]?.initial ?? null]));
  return (row: Partial<PartOf<Of, 'new'>> & { readonly id?: number | null; readonly date: string }): number =>
    Number(insert.run({ id: null, ...initial, ...row }).lastInsertRowid);
}

/** Sets the changeable columns that a change names, and the date. Names come from the table, never from input. */
export function createUpdate<Of extends Columns>(database: Database, table: string, columns: Of) {
  const setters = columnsWith(columns, 'change').map(
    (name) => [name, database.prepare(`UPDATE ${table} SET ${name} = ? WHERE id = ?`)] as const,
  );
  const setDate = database.prepare(`UPDATE ${table} SET updated_date = ? WHERE id = ?`);
  const touch = (id: number, date: string): void => void setDate.run(date, id);
  return {
    touch,
    update(id: number, change: Partial<PartOf<Of, 'change'>>, date: string): void {
      for (const [name, setter] of setters) if (name in change) setter.run(change[name], id);
      touch(id, date);
    },
  };
}
