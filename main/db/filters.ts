import { AppError } from '../platform/errors.ts';
import { joinedFor, type Joins } from './joins.ts';
import { compileJsonLogic, parseDate, parseNumber, type FilterField } from './json-logic.ts';
import { searchConditions, type SearchTarget, type TextIndex } from './search.ts';
import { everything, type SqlFragment, type SqlValue } from './sql.ts';

export { everything, type SqlFragment } from './sql.ts';

/** Parsed query string of a list request, not yet checked against a resource. */
export interface ListRequest {
  /** 1-based. */
  readonly page: number;
  readonly pageSize: number | 'all';
  readonly search?: string;
  /** For example `name,-id`. */
  readonly sort?: string;
  /** JSON Logic as text. */
  readonly filter?: string;
  readonly equals: Readonly<Record<string, string>>;
}

/** A resource's list: the fields that may be filtered, searched and sorted, and their SQL. */
export interface ListDefinition {
  readonly select: string;
  readonly from: string;
  /** Parts of `from`, if most requests need only some of them. */
  readonly joins?: Joins;
  readonly fields: Readonly<Record<string, FilterField>>;
  /** Names of fields, and targets that are not searched in their displayed form. */
  readonly search: readonly (string | SearchTarget)[];
  /** Finds the rows of a search with few results. */
  readonly textIndex?: TextIndex;
  /** Counts that need no scan of the rows: each selects one row with the column `count`. */
  readonly totals?: {
    readonly all: string;
    /** By the only field that filters the list; its value is the parameter. */
    readonly by: Readonly<Record<string, string>>;
  };
  /** Default order, for example `-id`. */
  readonly sort: string;
}

const fieldsOf =
  (more: Pick<FilterField, 'equality'>) =>
  (
    table: string,
    names: Readonly<Partial<Record<FilterField['type'], readonly string[]>>>,
  ): Readonly<Record<string, FilterField>> =>
    Object.fromEntries(
      (Object.entries(names) as [FilterField['type'], readonly string[]][]).flatMap(([type, ofType]) =>
        ofType.map((name) => [name, { sql: `${table}.${name}`, type, ...more }]),
      ),
    );
export const columnFields = fieldsOf({});
/** The same with equality filters. */
export const equalFields = fieldsOf({ equality: true });

export interface CompiledList {
  /** Selects one row with the column `count`. */
  readonly count: SqlFragment;
  /** Selects the rows of the page. */
  readonly page: SqlFragment;
}

/**
 * Compiles a list request against a resource's definition. All request values become parameters; field names select
 * expressions of the definition. `extraWhere` filters the list further (visibility, a parent).
 * @throws AppError 400: `["filter: …"]`, `{ sort: […] }`, `{ <field>: ["Enter a number."] }`
 */
export function compileList(
  definition: ListDefinition,
  request: ListRequest,
  extraWhere: SqlFragment = everything,
): CompiledList {
  const equalities = equalityConditions(definition, request.equals);
  const conditions = [
    ...(extraWhere.sql === everything.sql ? [] : [{ sql: `(${extraWhere.sql})`, params: extraWhere.params }]),
    ...equalities.map(({ condition }) => condition),
    ...searchConditions(searchTargets(definition), request.search ?? ''),
    ...(request.filter ? [compileJsonLogic(request.filter, definition.fields)] : []),
  ];
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map((one) => one.sql).join(' AND ')}`;
  const params = conditions.flatMap((one) => one.params);
  const only = conditions.length === 1 ? equalities[0] : undefined;
  return {
    count: keptCount(definition, conditions, only) ?? walkedCount(definition, where, params),
    page: compilePage(definition, request, where, params),
  };
}

function keptCount(
  { totals }: ListDefinition,
  conditions: readonly SqlFragment[],
  only: Equality | undefined,
): SqlFragment | null {
  if (totals && conditions.length === 0) return { sql: totals.all, params: [] };
  const total = only && totals && Object.hasOwn(totals.by, only.name) ? totals.by[only.name] : undefined;
  return only && total !== undefined ? { sql: total, params: only.condition.params } : null;
}

function walkedCount({ from, joins }: ListDefinition, where: string, params: readonly SqlValue[]): SqlFragment {
  if (joins) return { sql: `SELECT count(*) AS count FROM ${joinedFor(joins, where)}${where}`, params };
  // SQLite omits unused outer joins, but not in an aggregate; the limit keeps the two apart.
  return { sql: `SELECT count(*) AS count FROM (SELECT 1 FROM ${from}${where} LIMIT -1)`, params };
}

function compilePage(
  definition: ListDefinition,
  { page, pageSize, sort }: ListRequest,
  where: string,
  params: readonly SqlValue[],
): SqlFragment {
  const { select, from, joins } = definition;
  const limit = pageSize === 'all' ? -1 : pageSize;
  const offset = pageSize === 'all' ? 0 : (page - 1) * pageSize;
  const order = orderBy(definition, sort);
  const id = definition.fields['id']?.sql;
  const part = `${where} ORDER BY ${order} LIMIT +? OFFSET +?`;
  const isWalkedInOrder = where === '' && (order === `${id} DESC` || order === `${id} ASC`);
  // Rows outside the page are sorted by their keys alone, because rows are wide and have costly subqueries.
  const rows =
    id === undefined || isWalkedInOrder
      ? `FROM ${from}${part}`
      : `FROM ${from} WHERE ${id} IN (SELECT ${id} FROM ${joins ? joinedFor(joins, part) : from}${part}) ORDER BY ${order}`;
  return { sql: `SELECT ${select} ${rows}`, params: [...params, limit, offset] };
}

interface Equality {
  readonly name: string;
  readonly condition: SqlFragment;
}

function equalityConditions(definition: ListDefinition, equals: ListRequest['equals']): Equality[] {
  return Object.entries(equals)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => {
      const field = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
      if (field?.equality !== true) throw badField(name, 'This list cannot be filtered by this field.');
      return { name, condition: { sql: `${field.sql} = +?`, params: [equalityValue(name, field, text)] } };
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

export function searchTargets({ search, fields }: ListDefinition): SearchTarget[] {
  return search.flatMap((target): SearchTarget[] => {
    if (typeof target !== 'string') return [target];
    const sql = fields[target]?.sql;
    return sql === undefined ? [] : [{ sql }];
  });
}

function orderBy(definition: ListDefinition, sort: string | undefined): string {
  const keys = (sort?.trim() || definition.sort).split(',').map((key) => key.trim());
  const terms = keys.map((key) => orderTerm(definition, key));
  // Pages are disjoint only in a total order.
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
