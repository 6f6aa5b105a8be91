import { AppError } from '../platform/errors.ts';
import type { SqlFragment, SqlValue } from './sql.ts';

export interface FilterField {
  /** SQL expression over the list's FROM clause. Never made from input. */
  readonly sql: string;
  readonly type: 'text' | 'number' | 'boolean' | 'date';
  /** May be used as `?field=value`. Fields without it serve only `filter`, `sort` or `search`. */
  readonly equality?: boolean;
}

type Fields = Readonly<Record<string, FilterField>>;
type Comparison = '=' | '<' | '>' | '<=' | '>=';

/**
 * SQLite refuses expressions deeper than 1000, and a chain of `AND` is as deep as it is long. Filters of users and
 * query builders are far below this.
 */
const maxDepth = 50;
const maxConditions = 300;

const mirrored: Readonly<Record<Comparison, Comparison>> = { '=': '=', '<': '>', '>': '<', '<=': '>=', '>=': '<=' };
const comparisons: ReadonlyMap<string, Comparison> = new Map([
  ['==', '='],
  ['<', '<'],
  ['>', '>'],
  ['<=', '<='],
  ['>=', '>='],
]);

function filterError(reason: string): AppError {
  return new AppError('invalid', `filter: ${reason}`, [`filter: ${reason}`]);
}

/**
 * Compiles JSON Logic to a condition: `and or ! !! == != < > <= >= in`, `<=` with three arguments (a closed range) and
 * `var` (the field has a value). `in` with a list tests membership, with a text containment. A missing value is equal
 * only to `null`, has no order, and its negation is true, so conditions have two truth values, not SQL's three.
 * @throws AppError 400 `["filter: …"]`
 */
export function compileJsonLogic(text: string, fields: Fields): SqlFragment {
  let rule: unknown;
  try {
    rule = JSON.parse(text);
  } catch {
    throw filterError('this is not valid JSON');
  }
  const params: SqlValue[] = [];
  return { sql: createCompiler(fields, params).condition(rule, 0), params };
}

function createCompiler(fields: Fields, params: SqlValue[]) {
  let conditions = 0;

  function condition(rule: unknown, depth: number): string {
    conditions += 1;
    if (depth > maxDepth) throw filterError(`conditions are nested more than ${maxDepth} deep`);
    if (conditions > maxConditions) throw filterError(`there are more than ${maxConditions} conditions`);
    const [operator, operands] = operation(rule);
    switch (operator) {
      case 'and':
      case 'or':
        return junction(operator, operands, depth);
      case '!':
        return `NOT ${condition(only(operator, operands), depth + 1)}`;
      case '!!':
        return condition(only(operator, operands), depth + 1);
      case 'var':
        return `(${field(only(operator, operands)).sql} IS NOT NULL)`;
      case '!=':
        return `NOT ${comparison('=', operands)}`;
      case 'in':
        return membership(operands);
      default: {
        const sqlOperator = comparisons.get(operator);
        if (!sqlOperator) throw filterError(`the operator ${JSON.stringify(operator)} is not known`);
        return operator === '<=' && operands.length === 3 ? range(operands) : comparison(sqlOperator, operands);
      }
    }
  }

  function junction(operator: 'and' | 'or', operands: readonly unknown[], depth: number): string {
    if (operands.length === 0) throw filterError(`"${operator}" needs at least one condition`);
    const parts = operands.map((operand) => condition(operand, depth + 1));
    return `(${parts.join(operator === 'and' ? ' AND ' : ' OR ')})`;
  }

  function comparison(operator: Comparison, operands: readonly unknown[]): string {
    const [left, right] = operands;
    if (operands.length !== 2) throw filterError('a comparison needs two arguments');
    if (isVariable(left)) return compare(field(variable(left)), operator, right);
    if (isVariable(right)) return compare(field(variable(right)), mirrored[operator], left);
    throw filterError('a comparison needs a field: {"var": "name"}');
  }

  function compare(target: FilterField, operator: Comparison, value: unknown): string {
    if (value === null && operator === '=') return `(${target.sql} IS NULL)`;
    params.push(toSql(target, value));
    return `(${target.sql} IS NOT NULL AND ${target.sql} ${operator} +?)`;
  }

  function range([low, target, high]: readonly unknown[]): string {
    const name = variable(target);
    return `(${compare(field(name), '>=', low)} AND ${compare(field(name), '<=', high)})`;
  }

  function membership(operands: readonly unknown[]): string {
    const [left, right] = operands;
    if (operands.length !== 2) throw filterError('"in" needs two arguments');
    if (isVariable(left) && Array.isArray(right)) {
      const target = field(variable(left));
      params.push(JSON.stringify(right.map((value) => toSql(target, value))));
      return `(${target.sql} IS NOT NULL AND ${target.sql} IN (SELECT value FROM json_each(+?)))`;
    }
    if (isVariable(right) && typeof left === 'string') {
      const target = field(variable(right));
      if (target.type !== 'text') throw filterError('"in" with a text needs a field of text');
      params.push(left);
      return `(${target.sql} IS NOT NULL AND instr(${target.sql}, ?) > 0)`;
    }
    throw filterError('"in" needs a field and a list, or a text and a field');
  }

  function field(name: unknown): FilterField {
    const found = typeof name === 'string' && Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!found) throw filterError(`${JSON.stringify(name)} is not a field of this list`);
    return found;
  }

  return { condition };
}

function operation(rule: unknown): [string, readonly unknown[]] {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) {
    throw filterError('a condition is an object such as {"==": [{"var": "name"}, "value"]}');
  }
  const entries = Object.entries(rule);
  const [first] = entries;
  if (entries.length !== 1 || !first) throw filterError('a condition has exactly one operator');
  return [first[0], Array.isArray(first[1]) ? first[1] : [first[1]]];
}

function only(operator: string, operands: readonly unknown[]): unknown {
  if (operands.length !== 1) throw filterError(`"${operator}" needs one argument`);
  return operands[0];
}

function isVariable(operand: unknown): operand is { var: unknown } {
  return typeof operand === 'object' && operand !== null && !Array.isArray(operand) && Object.hasOwn(operand, 'var');
}

function variable(operand: unknown): unknown {
  if (!isVariable(operand)) throw filterError('the middle argument of a range is a field: {"var": "name"}');
  return Array.isArray(operand.var) ? operand.var[0] : operand.var;
}

function toSql(field: FilterField, value: unknown): SqlValue {
  const shown = JSON.stringify(value);
  switch (field.type) {
    case 'number':
      if (typeof value === 'number' && Number.isFinite(value)) return value;
      if (typeof value === 'string' && parseNumber(value) !== null) return parseNumber(value);
      throw filterError(`${shown} is not a number`);
    case 'boolean':
      if (typeof value === 'boolean') return value ? 1 : 0;
      throw filterError(`${shown} is neither true nor false`);
    case 'date': {
      const date = typeof value === 'string' ? parseDate(value) : null;
      if (date === null) throw filterError(`${shown} is not a date such as 2026-11-20T09:30:00Z`);
      return date;
    }
    case 'text':
      if (typeof value === 'string') return value;
      throw filterError(`${shown} is not a text`);
  }
}

export function parseNumber(text: string): number | null {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

const datePattern = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i;

/** ISO 8601 text in the format of stored dates: UTC with microseconds. Text without an offset is read as UTC. */
export function parseDate(text: string): string | null {
  const parts = datePattern.exec(text.trim());
  if (!parts) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = parts;
  const zone = /^[+-]\d{4}$/.test(offset) ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset.toUpperCase();
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  if (Number.isNaN(time)) return null;
  const microseconds = fraction.slice(0, 6).padEnd(6, '0');
  return `${new Date(time).toISOString().slice(0, 19)}.${microseconds}Z`;
}
