import type { SqlFragment } from './sql.ts';
import type { Store } from './store.ts';

/** Search target of a word. Expressions are never made from input. */
export type SearchTarget =
  /** A text of the list's rows; several at once with {@link lines}. */
  | { readonly sql: string }
  /** One of few known values: those without the word cost nothing. */
  | { readonly sql: string; readonly values: readonly string[] }
  /** A text of the row of `table` whose id is `key`: searched there once, not for each row of the list. */
  | { readonly key: string; readonly table: string; readonly column: string };

/** A trigram full-text table over all texts that a list searches in its own rows. */
export interface TextIndex {
  readonly table: string;
  /** The list's column with the row ids of that table. */
  readonly key: string;
}

/** Joins several texts so that one comparison searches them all. A word contains no line break. */
export const lines = (...columns: readonly string[]): string => columns.join(' || char(10) || ');

const waitMessage = (search: string): string[] => search.split(/[\s,]+/).filter((word) => word !== '');

/** Every word must be in some target. */
export function searchConditions(targets: readonly SearchTarget[], search: string): SqlFragment[] {
  return targets.length === 0 ? [] : waitMessage(search).map((word) => found(word, targets));
}

function found(word: string, targets: readonly SearchTarget[]): SqlFragment {
  const tests = targets.flatMap((target): SqlFragment[] => {
    if ('values' in target) {
      return valuesWith(word, target.values).map((value) => ({ sql: `${target.sql} = +?`, params: [value] }));
    }
    if (!('key' in target)) return [contains(target.sql, word)];
    const { sql, params } = contains(target.column, word);
    const rows = `FROM ${target.table} WHERE ${sql}`;
    // Testing membership in an empty set costs more per row than checking first that it is empty.
    const isOne = `(EXISTS (SELECT 1 ${rows}) AND ${target.key} IN (SELECT id ${rows}))`;
    return [{ sql: isOne, params: [...params, ...params] }];
  });
  return anyOf(tests);
}

function anyOf(tests: readonly SqlFragment[]): SqlFragment {
  if (tests.length === 0) return { sql: '0', params: [] };
  return { sql: `(${tests.map(({ sql }) => sql).join(' OR ')})`, params: tests.flatMap(({ params }) => params) };
}

const valuesWith = (word: string, values: readonly string[]): string[] =>
  values.filter((value) => value.toLowerCase().includes(word.toLowerCase()));

/** SQLite's LIKE ignores case only for ASCII, so other words need several spellings. */
function contains(column: string, word: string): SqlFragment {
  const patterns = spellings(word).map((spelling) => `%${spelling.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`);
  return { sql: patterns.map(() => `${column} LIKE ? ESCAPE '\\'`).join(' OR '), params: patterns };
}

function spellings(word: string): string[] {
  const isAscii = /^[\u0020-\u007e]*$/.test(word);
  if (isAscii) return [word];
  const lower = word.toLowerCase();
  return [...new Set([word, lower, word.toUpperCase(), lower.charAt(0).toUpperCase() + lower.slice(1)])];
}

/** With more candidates, a scan in the order of the list fills a page soon. */
const maxCandidates = 200;
/** Only the first characters of a word are looked up; the result may contain texts without the word. */
const maxIndexedCharacters = 32;
const trigram = 3;

/**
 * Limits a list to a few candidate rows if the index finds them: one of the words must be in few texts, and in no other
 * search target. Otherwise null. The candidates must still be searched, because the index ignores the case of all
 * letters.
 */
export function searchCandidates(
  database: Store,
  index: TextIndex,
  targets: readonly SearchTarget[],
  search: string,
): SqlFragment | null {
  for (const word of waitMessage(search)) {
    const ids = candidates(database, index.table, targets, word);
    if (ids) return { sql: `${index.key} IN (${ids.join(', ')})`, params: [] };
  }
  return null;
}

function candidates(database: Store, table: string, targets: readonly SearchTarget[], word: string): number[] | null {
  const phrases = spellings(word).map((spelling) => [...spelling].slice(0, maxIndexedCharacters));
  if (word.includes('\0') || phrases.some((characters) => characters.length < trigram)) return null;
  if (targets.some((target) => 'values' in target && valuesWith(word, target.values).length > 0)) return null;
  const isElsewhere = anyOf(
    targets.flatMap((target) => {
      if (!('key' in target)) return [];
      const { sql, params } = contains(target.column, word);
      return [{ sql: `EXISTS (SELECT 1 FROM ${target.table} WHERE ${sql})`, params }];
    }),
  );
  const few = `SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ? LIMIT ${maxCandidates + 1}`;
  const quoted = phrases.map((characters) => `"${characters.join('').replaceAll('"', '""')}"`);
  const ids = database
    .query(`SELECT CASE WHEN ${isElsewhere.sql} THEN NULL ELSE (SELECT json_group_array(id) FROM (${few})) END`)
    .pluck()
    .get(...isElsewhere.params, quoted.join(' OR '));
  const known = typeof ids === 'string' ? (JSON.parse(ids) as number[]) : null;
  return known !== null && known.length <= maxCandidates ? known : null;
}
