export interface Joins {
  readonly table: string;
  /** Outer joins that neither add nor remove rows, in order, by the alias of their columns. */
  readonly outer: Readonly<Record<string, string>>;
}

export const allJoined = ({ table, outer }: Joins): string => [table, ...Object.values(outer)].join(' ');

/**
 * Returns only the joins that an expression uses, and those that these need, because planning and walking the others
 * takes time.
 */
export function joinedFor({ table, outer }: Joins, sql: string): string {
  const names = Object.keys(outer);
  const isNamed = (name: string, text: string) => new RegExp(`\\b${name}\\.`).test(text);
  const needed = new Set<string>();
  let text = sql;
  // Last to first, because a join may only refer to earlier ones.
  for (const name of names.toReversed()) {
    if (!isNamed(name, text)) continue;
    needed.add(name);
    text += ` ${outer[name]}`;
  }
  return [table, ...names.filter((name) => needed.has(name)).map((name) => outer[name])].join(' ');
}
