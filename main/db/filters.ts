import { AppError } from '../platform/errors.ts';
import { compileJsonLogic, parseDate, parseNumber, type SqlFragment, type SqlValue } from './json-logic.ts';

export type { SqlFragment, SqlValue } from './json-logic.ts';

/** What a list is asked for, as it comes from the query string: parsed, not yet checked against a resource. */
export interface ListRequest {
  /** 1-based. */
  readonly page: number;
  readonly pageSize: number | 'all';
  readonly search?: string;
  /** For example `name,-id`. */
  readonly sort?: string;
  /** JSON Logic as text. */
  readonly filter?: string;
  /** Equality filters by field name. */
  readonly equals: Readonly<Record<string, string>>;
}

export interface FilterField {
  /** SQL expression over the list's FROM clause. Never made from input. */
  readonly sql: string;
  readonly type: 'text' | 'number' | 'boolean' | 'date';
  /** May be used as `?field=value`. Fields without it serve only `filter`, `sort` or `search`. */
  readonly equality?: boolean;
}

/** A resource's list: which fields may be filtered, searched and sorted, and what they mean in SQL. */
export interface ListDefinition {
  readonly select: string;
  readonly from: string;
  readonly fields: Readonly<Record<string, FilterField>>;
  readonly search: readonly string[];
  /** Default order, for example `-id`. */
  readonly sort: string;
}

export interface CompiledList {
  /** Selects one row with the column `count`. */
  readonly count: SqlFragment;
  /** Selects the rows of the page. */
  readonly page: SqlFragment;
}

/**
 * Compiles a list request against a resource's definition. Everything from the request becomes a parameter; names of
 * fields choose among the definition's expressions. `extraWhere` narrows the list further (visibility, a parent).
 * @throws AppError 400: `["filter: …"]`, `{ sort: […] }`, `{ <field>: ["Enter a number."] }`
 */
export function compileList(definition: ListDefinition, request: ListRequest, extraWhere?: SqlFragment): CompiledList {
  const conditions = [
    ...(extraWhere ? [{ sql: `(${extraWhere.sql})`, params: extraWhere.params }] : []),
    ...equalityConditions(definition, request.equals),
    ...searchConditions(definition, request.search ?? ''),
    ...(request.filter ? [compileJsonLogic(request.filter, definition.fields)] : []),
  ];
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map((one) => one.sql).join(' AND ')}`;
  const params = conditions.flatMap((one) => one.params);
  const from = `FROM ${definition.from}${where}`;
  const limit = request.pageSize === 'all' ? -1 : request.pageSize;
  const offset = request.pageSize === 'all' ? 0 : (request.page - 1) * request.pageSize;
  const order = orderBy(definition, request.sort);
  const id = definition.fields['id']?.sql;
  const isNarrowed = conditions.length > (extraWhere ? 1 : 0);
  // Whatever is not on the page is sorted by its keys alone: rows are wide, and their subqueries are not free.
  const rows =
    id !== undefined && isNarrowed
      ? `FROM ${definition.from} WHERE ${id} IN (SELECT ${id} ${from} ORDER BY ${order} LIMIT ? OFFSET ?) ORDER BY ${order}`
      : `${from} ORDER BY ${order} LIMIT ? OFFSET ?`;
  return {
    // SQLite leaves out outer joins that nothing is asked of, but not in an aggregate; the limit keeps the two apart.
    count: { sql: `SELECT count(*) AS count FROM (SELECT 1 ${from} LIMIT -1)`, params },
    page: { sql: `SELECT ${definition.select} ${rows}`, params: [...params, limit, offset] },
  };
}

function equalityConditions(definition: ListDefinition, equals: ListRequest['equals']): SqlFragment[] {
  return Object.entries(equals)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => {
      const field = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
      if (field?.equality !== true) throw badField(name, 'This list cannot be filtered by this field.');
      return { sql: `${field.sql} = ?`, params: [equalityValue(name, field, text)] };
    });
}

function equalityValue(name: string, field: FilterField, text: string): SqlValue {
  switch (field.type) {
    case 'text':
      return text;
    case 'number':
      return parseNumber(text) ?? refuse(name, 'Enter a number.');
    case 'date':
      return parseDate(text) ?? refuse(name, 'Enter a valid date/time.');
    case 'boolean': {
      if (/^(true|1)$/i.test(text)) return 1;
      return /^(false|0)$/i.test(text) ? 0 : refuse(name, 'Must be a valid boolean.');
    }
  }
}

const badField = (name: string, message: string) => new AppError('invalid', message, { [name]: [message] });

function refuse(name: string, message: string): never {
  throw badField(name, message);
}

/** Every word must be in some search field. SQLite's LIKE ignores case for ASCII only, hence the spellings. */
function searchConditions(definition: ListDefinition, search: string): SqlFragment[] {
  const columns = definition.search.flatMap((name) => definition.fields[name]?.sql ?? []);
  const words = search.split(/[\s,]+/).filter((word) => word !== '');
  if (columns.length === 0) return [];
  return words.map((word) => {
    const patterns = spellings(word).map((spelling) => `%${spelling.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`);
    const tests = columns.flatMap((column) => patterns.map(() => `${column} LIKE ? ESCAPE '\\'`));
    return { sql: `(${tests.join(' OR ')})`, params: columns.flatMap(() => patterns) };
  });
}

function spellings(word: string): string[] {
  const isAscii = /^[\u0020-\u007e]*$/.test(word);
  if (isAscii) return [word];
  const lower = word.toLowerCase();
  return [...new Set([word, lower, word.toUpperCase(), lower.charAt(0).toUpperCase() + lower.slice(1)])];
}

function orderBy(definition: ListDefinition, sort: string | undefined): string {
  const keys = (sort?.trim() || definition.sort).split(',').map((key) => key.trim());
  const terms = keys.map((key) => orderTerm(definition, key));
  // Pages stay apart only in a total order.
  const id = definition.fields['id'];
  if (id && !keys.some((key) => key === 'id' || key === '-id')) terms.push(`${id.sql} DESC`);
  return terms.join(', ');
}

function orderTerm(definition: ListDefinition, key: string): string {
  const descending = key.startsWith('-');
  const name = descending ? key.slice(1) : key;
  const field = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
  if (!field) throw badField('sort', `This list cannot be sorted by "${name}".`);
  const collation = field.type === 'text' ? ' COLLATE NOCASE' : '';
  return `${field.sql}${collation} ${descending ? 'DESC' : 'ASC'}`;
}
