/** A list's own table and the tables that its columns come from as well. */
export interface Joins {
  readonly table: string;
  /** Outer joins that neither add rows nor take any, by the name that stands before their columns; in order. */
  readonly outer: Readonly<Record<string, string>>;
}

export const allJoined = ({ table, outer }: Joins): string => [table, ...Object.values(outer)].join(' ');

/** Only the joins that an expression asks, and those that these need: planning and walking the others costs time. */
export function joinedFor({ table, outer }: Joins, sql: string): string {
  const names = Object.keys(outer);
  const isNamed = (name: string, text: string) => new RegExp(`\\b${name}\\.`).test(text);
  const needed = new Set<string>();
  let text = sql;
  // From the last to the first, as a join speaks of those before it.
  for (const name of names.toReversed()) {
    if (!isNamed(name, text)) continue;
    needed.add(name);
    text += ` ${outer[name]}`;
  }
  return [table, ...names.filter((name) => needed.has(name)).map((name) => outer[name])].join(' ');
}
