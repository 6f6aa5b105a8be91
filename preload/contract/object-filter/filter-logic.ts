import type { FilterField } from './filter-fields.ts';
import {
  FilterError,
  relationsOf,
  type FilterCondition,
  type FilterGroup,
  type FilterRule,
  type FilterValue,
  type Join,
  type Relation,
} from './object-filter.ts';

type Fields = ReadonlyMap<string, FilterField>;
export type JsonLogic = Readonly<Record<string, unknown>>;

/** Far above the filters of users and query builders. */
const maxDepth = 50;
const maxConditions = 300;

const comparisons: Readonly<Record<string, Relation>> = {
  '==': 'is',
  '===': 'is',
  '!=': 'isNot',
  '!==': 'isNot',
  '<': 'below',
  '<=': 'atMost',
  '>': 'above',
  '>=': 'atLeast',
};
const mirrored: Partial<Record<Relation, Relation>> = {
  below: 'above',
  atMost: 'atLeast',
  above: 'below',
  atLeast: 'atMost',
};
const denied: Partial<Record<Relation, Relation>> = {
  is: 'isNot',
  isNot: 'is',
  anyOf: 'noneOf',
  noneOf: 'anyOf',
  contains: 'containsNot',
  containsNot: 'contains',
  isSet: 'isNotSet',
  isNotSet: 'isSet',
};
const deniedJoins: Readonly<Record<Join, Join>> = { all: 'notAll', notAll: 'all', any: 'none', none: 'any' };

const isNode = (value: unknown): value is JsonLogic =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isVariable = (value: unknown): value is { readonly var: unknown } => isNode(value) && Object.hasOwn(value, 'var');

/**
 * Parses JSON Logic: `and or ! !! == === != !== < <= > >= in var`, and `<=` with three arguments (a closed range).
 * @throws FilterError for unsupported syntax, an unknown field, or a value that does not fit its field
 */
export function readFilter(logic: unknown, fields: Fields): FilterGroup {
  let conditions = 0;

  const condition = (node: unknown, depth: number): FilterCondition => {
    conditions += 1;
    if (depth > maxDepth) throw new FilterError(`Conditions are nested deeper than ${maxDepth} levels.`);
    if (conditions > maxConditions) throw new FilterError(`There are more than ${maxConditions} conditions.`);
    const [operator, operands] = operation(node);
    switch (operator) {
      case 'and':
      case 'or':
        if (operands.length === 0) throw new FilterError(`"${operator}" needs at least one condition.`);
        return {
          kind: 'group',
          join: operator === 'and' ? 'all' : 'any',
          of: operands.map((operand) => condition(operand, depth + 1)),
        };
      case '!':
        return deny(condition(only(operator, operands), depth + 1));
      case '!!':
        return condition(only(operator, operands), depth + 1);
      case 'var': {
        const field = fieldOf(node);
        const isSwitch = field.kind === 'boolean';
        return rule(field, isSwitch ? 'is' : 'isSet', isSwitch ? [true] : []);
      }
      case 'in':
        return membership(operands);
      default:
        return comparison(operator, operands);
    }
  };

  const fieldOf = (node: unknown): FilterField => {
    if (!isVariable(node)) throw new FilterError('A comparison needs a field, such as {"var": "label"}.');
    const name: unknown = Array.isArray(node.var) ? node.var[0] : node.var;
    const field = typeof name === 'string' ? fields.get(name) : undefined;
    if (field === undefined) throw new FilterError(`Unknown field ${JSON.stringify(name)}.`);
    return field;
  };

  const membership = ([left, right, ...rest]: readonly unknown[]): FilterRule => {
    if (rest.length === 0 && isVariable(left) && Array.isArray(right)) return rule(fieldOf(left), 'anyOf', right);
    if (rest.length === 0 && isVariable(right) && typeof left === 'string') {
      return rule(fieldOf(right), 'contains', [left]);
    }
    throw new FilterError('"in" needs a field and a list, or a text and a field.');
  };

  const comparison = (operator: string, operands: readonly unknown[]): FilterRule => {
    const relation = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined;
    if (relation === undefined) throw new FilterError(`Unknown operator ${JSON.stringify(operator)}.`);
    const [left, right, high] = operands;
    if (operator === '<=' && operands.length === 3) return rule(fieldOf(right), 'between', [left, high]);
    if (operands.length !== 2) throw new FilterError(`"${operator}" needs two arguments.`);
    const isTurned = !isVariable(left);
    const [field, value] = isTurned ? [fieldOf(right), left] : [fieldOf(left), right];
    if (value === null && relation === 'is') return rule(field, 'isNotSet', []);
    if (value === null && relation === 'isNot') return rule(field, 'isSet', []);
    const days = field.kind === 'date' && relation === 'atLeast' ? daysIn(value) : null;
    if (days !== null) return rule(field, 'within', [days]);
    return rule(field, isTurned ? (mirrored[relation] ?? relation) : relation, [value]);
  };

  const found = condition(logic, 0);
  return found.kind === 'group' ? found : { kind: 'group', join: 'all', of: [found] };
}

/** Number of days before now, as an ISO 8601 duration. */
const daysAgo = /^-P(\d{1,5})D$/;
const daysIn = (value: unknown): number | null => {
  const [, days] = typeof value === 'string' ? (daysAgo.exec(value) ?? []) : [];
  return days === undefined ? null : Number(days);
};

function rule(field: FilterField, relation: Relation, values: readonly unknown[]): FilterRule {
  if (!relationsOf[field.kind].includes(relation)) {
    throw new FilterError(`The field ${JSON.stringify(field.name)} cannot be compared in this way.`);
  }
  const comparedField: FilterField = relation === 'within' ? { ...field, kind: 'number' } : field;
  return { kind: 'rule', field: field.name, relation, values: values.map((value) => fitting(comparedField, value)) };
}

function fitting({ name, kind }: FilterField, value: unknown): FilterValue {
  const shown = JSON.stringify(value);
  if (kind === 'number') {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && Number.isFinite(number)) return number;
    throw new FilterError(`${shown} must be a number for the field ${JSON.stringify(name)}.`);
  }
  if (kind === 'boolean') {
    if (typeof value === 'boolean') return value;
    throw new FilterError(`${shown} must be true or false for the field ${JSON.stringify(name)}.`);
  }
  if (kind === 'date') {
    if (typeof value === 'string' && !Number.isNaN(Date.parse(value))) return value;
    throw new FilterError(`${shown} must be a date for the field ${JSON.stringify(name)}.`);
  }
  if (typeof value === 'string') return value;
  throw new FilterError(`${shown} must be a text for the field ${JSON.stringify(name)}.`);
}

function operation(node: unknown): [string, readonly unknown[]] {
  const [first, ...rest] = isNode(node) ? Object.entries(node) : [];
  if (first === undefined || rest.length > 0) {
    throw new FilterError('A condition is an object with one operator, such as {"==": [{"var": "label"}, "car"]}.');
  }
  return [first[0], Array.isArray(first[1]) ? first[1] : [first[1]]];
}

function only(operator: string, operands: readonly unknown[]): unknown {
  if (operands.length !== 1) throw new FilterError(`"${operator}" needs one argument.`);
  return operands[0];
}

function deny(condition: FilterCondition): FilterCondition {
  if (condition.kind === 'group') return { ...condition, join: deniedJoins[condition.join] };
  const relation = denied[condition.relation];
  return relation === undefined ? { kind: 'group', join: 'none', of: [condition] } : { ...condition, relation };
}

/** The filter as JSON Logic, in the form that query builders write. */
export function writeFilter({ join, of }: FilterGroup): JsonLogic {
  const inner = of.map((condition) => (condition.kind === 'group' ? writeFilter(condition) : writeRule(condition)));
  const group = join === 'all' || join === 'notAll' ? { and: inner } : { or: inner };
  return join === 'all' || join === 'any' ? group : { '!': group };
}

const operators: Partial<Record<Relation, string>> = {
  is: '==',
  isNot: '!=',
  below: '<',
  atMost: '<=',
  above: '>',
  atLeast: '>=',
};

function writeRule({ field, relation, values }: FilterRule): JsonLogic {
  const variable = { var: field };
  const [first, second] = values;
  switch (relation) {
    case 'anyOf':
      return { in: [variable, values] };
    case 'noneOf':
      return { '!': { in: [variable, values] } };
    case 'contains':
      return { in: [first, variable] };
    case 'containsNot':
      return { '!': { in: [first, variable] } };
    case 'between':
      return { '<=': [first, variable, second] };
    case 'isSet':
      return { '!=': [variable, null] };
    case 'isNotSet':
      return { '==': [variable, null] };
    case 'within':
      return { '>=': [variable, `-P${first}D`] };
    default:
      return { [operators[relation] ?? '==']: [variable, first] };
  }
}
