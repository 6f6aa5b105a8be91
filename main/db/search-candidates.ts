import type { Database } from './open.ts';
import { anyOf, contains, spellings, valuesWith, wordsOf, type SearchTarget, type TextIndex } from './search.ts';
import type { SqlFragment } from './sql.ts';

/** With more of them, a walk in the order of the list comes to a full page soon. */
const maxCandidates = 200;
/** Where a text has the beginning of a word, it may have the word. */
const maxIndexedCharacters = 32;
const trigram = 3;

/**
 * Narrows a list to the few rows that may hold what is searched, where the index knows them: one of the words must be in
 * few texts, and in nothing else that is searched. Null where it does not. The rows are to be searched still: the index
 * ignores the case of all letters.
 */
export function searchCandidates(
  database: Database,
  index: TextIndex,
  targets: readonly SearchTarget[],
  search: string,
): SqlFragment | null {
  for (const word of wordsOf(search)) {
    const ids = candidates(database, index.table, targets, word);
    if (ids) return { sql: `${index.key} IN (${ids.join(', ')})`, params: [] };
  }
  return null;
}

function candidates(
  database: Database,
  table: string,
  targets: readonly SearchTarget[],
  word: string,
): number[] | null {
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
  const few = `SELECT rowid AS id FROM ${table} WHERE ${table} MATCH +? LIMIT ${maxCandidates + 1}`;
  const quoted = phrases.map((characters) => `"${characters.join('').replaceAll('"', '""')}"`);
  const ids = database
    .prepare(`SELECT CASE WHEN ${isElsewhere.sql} THEN NULL ELSE (SELECT json_group_array(id) FROM (${few})) END`)
    .pluck()
    .get(...isElsewhere.params, quoted.join(' OR '));
  const known = typeof ids === 'string' ? (JSON.parse(ids) as number[]) : null;
  return known !== null && known.length <= maxCandidates ? known : null;
}
