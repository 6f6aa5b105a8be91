import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { compileList, type ListDefinition, type ListRequest } from '../../main/db/filters.ts';
import { Store } from '../../main/db/store.ts';
import { AppError } from '../../main/platform/errors.ts';

interface Thing {
  readonly id: number;
  readonly name: string | null;
  readonly size: number | null;
  readonly done: boolean | null;
  readonly changed: string | null;
}

const words = ['cat', 'Cat', 'cat photos', 'dog_1', 'dog%1', 'größe', 'GRÖSSE', '', "o'hara", 'a\\b'];
const dates = ['2026-11-20T09:30:00.000000Z', '2026-11-20T09:30:00.000001Z', '2025-01-01T00:00:00.000000Z'];
const things: Thing[] = Array.from({ length: 60 }, (_, index) => ({
  id: index + 1,
  name: index % 7 === 6 ? null : (words[index % words.length] ?? ''),
  size: index % 5 === 4 ? null : (index % 9) - 2 + (index % 2) * 0.5,
  done: index % 11 === 10 ? null : index % 3 === 0,
  changed: index % 8 === 7 ? null : (dates[index % 3] ?? ''),
}));

const definition: ListDefinition = {
  select: 'thing.id',
  from: 'thing',
  fields: {
    id: { sql: 'thing.id', type: 'number', equality: true },
    name: { sql: 'thing.name', type: 'text', equality: true },
    size: { sql: 'thing.size', type: 'number', equality: true },
    done: { sql: 'thing.done', type: 'boolean', equality: true },
    changed: { sql: 'thing.changed', type: 'date' },
  },
  search: ['name'],
  sort: 'id',
};

const database = new Store(':memory:');
database.exec('CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT, size REAL, done INTEGER, changed TEXT) STRICT');
const insert = database.query('INSERT INTO thing VALUES (?, ?, ?, ?, ?)');
for (const { id, name, size, done, changed } of things) {
  insert.run(id, name, size, done === null ? null : Number(done), changed);
}
afterAll(() => database.close());

const request = (change: Partial<ListRequest> = {}): ListRequest => ({
  page: 1,
  pageSize: 'all',
  equals: {},
  ...change,
});

function ids(change: Partial<ListRequest>): number[] {
  const list = compileList(definition, request(change));
  const rows = database.query(list.page.sql).all(...list.page.params) as { id: number }[];
  const { count } = database.query(list.count.sql).get(...list.count.params) as { count: number };
  if (change.pageSize === undefined) expect(count).toBe(rows.length);
  return rows.map((row) => row.id);
}
const byRule = (rule: unknown) => ids({ filter: JSON.stringify(rule) });

function refusal(change: Partial<ListRequest>): unknown {
  try {
    compileList(definition, request(change));
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid') return error.details;
    throw error;
  }
  return 'accepted';
}

/** A second implementation of JSON Logic, without SQL. */
type Rule = { [operator: string]: unknown };
const column = (thing: Thing, operand: unknown) => thing[(operand as { var: keyof Thing }).var];
const compareTexts = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right));
function order(left: unknown, right: unknown): number {
  if (typeof left === 'string') return compareTexts(left, String(right));
  return Number(left) - Number(right);
}
const holds: Record<string, (difference: number) => boolean> = {
  '==': (difference) => difference === 0,
  '<': (difference) => difference < 0,
  '>': (difference) => difference > 0,
  '<=': (difference) => difference <= 0,
  '>=': (difference) => difference >= 0,
};
function evaluate(rule: Rule, thing: Thing): boolean {
  const [operator, operands] = Object.entries(rule)[0] as [string, unknown[]];
  switch (operator) {
    case 'and':
      return operands.every((one) => evaluate(one as Rule, thing));
    case 'or':
      return operands.some((one) => evaluate(one as Rule, thing));
    case '!':
      return !evaluate(operands as unknown as Rule, thing);
    case '!!':
      return evaluate(operands as unknown as Rule, thing);
    case 'var':
      return column(thing, rule) !== null;
    case '!=':
      return !evaluate({ '==': operands }, thing);
    case 'in': {
      const [left, right] = operands;
      if (Array.isArray(right)) return right.includes(column(thing, left));
      return column(thing, right) !== null && String(column(thing, right)).includes(String(left));
    }
    default: {
      if (operands.length === 3) {
        const value = column(thing, operands[1]);
        return value !== null && order(operands[0], value) <= 0 && order(value, operands[2]) <= 0;
      }
      const value = column(thing, operands[0]);
      if (operands[1] === null) return value === null;
      return value !== null && (holds[operator]?.(order(value, operands[1])) ?? false);
    }
  }
}

const valueOf = {
  id: fc.integer({ min: -1, max: 70 }),
  size: fc.constantFrom(-2, -1.5, 0, 0.5, 3, 6.5),
  name: fc.oneof(fc.constantFrom(...words), fc.string()),
  done: fc.boolean(),
  changed: fc.constantFrom(...dates, '2026-01-01T00:00:00.000000Z'),
} as const;
const fieldName = fc.constantFrom(...(Object.keys(valueOf) as (keyof typeof valueOf)[]));
const leaf: fc.Arbitrary<Rule> = fieldName.chain((name) => {
  const value: fc.Arbitrary<unknown> = valueOf[name];
  const variable = { var: name };
  return fc.oneof(
    fc
      .tuple(fc.constantFrom('==', '!=', '<', '>', '<=', '>='), value)
      .map(([operator, v]) => ({ [operator]: [variable, v] })),
    fc.constantFrom({ '==': [variable, null] }, { '!=': [variable, null] }, { var: name }),
    fc.array(value, { maxLength: 4 }).map((list) => ({ in: [variable, list] })),
    fc.tuple(value, value).map(([low, high]) => ({ '<=': [low, variable, high] })),
    fc.constantFrom('c', 'cat', '%', '_', '\\', 'ö').map((needle) => ({ in: [needle, { var: 'name' }] })),
  );
});
const { rule: anyRule } = fc.letrec<{ rule: Rule }>((tie) => ({
  rule: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('rule'), { minLength: 1, maxLength: 3 }))
      .map(([k, v]) => ({ [k]: v })),
    fc.tuple(fc.constantFrom('!', '!!'), tie('rule')).map(([k, v]) => ({ [k]: v })),
  ),
}));

describe('JSON Logic', () => {
  test('has the same meaning in SQL', () => {
    fc.assert(
      fc.property(anyRule, (rule) => {
        expect(byRule(rule)).toEqual(things.filter((thing) => evaluate(rule, thing)).map((thing) => thing.id));
      }),
      { numRuns: 1500 },
    );
  });

  test('every text gives a list or a refusal with its reason, never a broken query', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc
        .tuple(fc.constantFrom('==', 'in', '<=', 'and', '!', 'var', 'xor'), fc.jsonValue())
        .map(([k, v]) => JSON.stringify({ [k]: v })),
      fc.tuple(fieldName, fc.jsonValue()).map(([name, v]) => JSON.stringify({ '==': [{ var: name }, v] })),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const reason = refusal({ filter: text });
        if (reason === 'accepted') ids({ filter: text });
        else expect(reason).toEqual([expect.stringMatching(/^filter: /)]);
      }),
      { numRuns: 1500 },
    );
  });

  test('compares dates as moments, in any time zone', () => {
    const at = (text: string) => byRule({ '==': [{ var: 'changed' }, text] });
    expect(at('2026-11-20T11:30:00+02:00')).toEqual(at('2026-11-20T09:30:00.000000Z'));
    expect(at('2026-11-20T11:30:00+02:00').length).toBeGreaterThan(0);
    expect(at('2025-01-01')).toEqual(at('2025-01-01T00:00:00Z'));
    expect(byRule({ '>=': ['2025-06-01', { var: 'changed' }] })).toEqual(at('2025-01-01'));
  });

  test.each([
    ['{', 'JSON'],
    ['[]', 'object'],
    ['{"==": [{"var": "password_hash"}, 1]}', 'password_hash'],
    ['{"==": [{"var": "__proto__"}, 1]}', '__proto__'],
    ['{"constructor": [1, 2]}', 'constructor'],
    ['{"==": [1, 2]}', 'field'],
    ['{"<": [{"var": "size"}, "many"]}', 'number'],
    ['{"==": [{"var": "done"}, 1]}', 'true nor false'],
    ['{"==": [{"var": "changed"}, "soon"]}', 'date'],
    ['{"and": []}', 'at least one'],
    ['{"==": [{"var": "id"}, 1], "<": [{"var": "id"}, 1]}', 'exactly one'],
  ])('refuses %s with the reason', (filter, reason) => {
    expect(refusal({ filter })).toEqual([expect.stringContaining(reason)]);
  });

  test('runs the deepest and longest accepted filters, and refuses larger ones', () => {
    const nested = (depth: number) => '{"!":'.repeat(depth) + '{"var":"id"}' + '}'.repeat(depth);
    const long = (length: number) =>
      JSON.stringify({ or: Array.from({ length }, (_, id) => ({ '==': [{ var: 'id' }, id] })) });
    expect(ids({ filter: nested(50) })).toHaveLength(60);
    expect(ids({ filter: long(299) })).toHaveLength(60);
    expect(refusal({ filter: nested(51) })).toEqual([expect.stringContaining('nested')]);
    expect(refusal({ filter: nested(20_000) })).toEqual([expect.stringContaining('nested')]);
    expect(refusal({ filter: long(300) })).toEqual([expect.stringContaining('more than')]);
    expect(
      ids({ filter: JSON.stringify({ in: [{ var: 'id' }, Array.from({ length: 50_000 }, (_, i) => i)] }) }),
    ).toHaveLength(60);
  });
});

describe('equality filters', () => {
  test('compare exactly and ignore an empty value', () => {
    expect(ids({ equals: { name: 'cat' } })).toEqual(
      things.filter((thing) => thing.name === 'cat').map((thing) => thing.id),
    );
    expect(ids({ equals: { size: '0.5', done: 'True' } })).toEqual(
      things.filter((thing) => thing.size === 0.5 && thing.done === true).map((thing) => thing.id),
    );
    expect(ids({ equals: { name: '', id: '' } })).toHaveLength(60);
  });
  test('refuse values of another type', () => {
    expect(refusal({ equals: { id: 'seven' } })).toEqual({ id: ['Enter a number.'] });
    expect(refusal({ equals: { done: 'maybe' } })).toEqual({ done: ['Must be a valid boolean.'] });
    expect(refusal({ equals: { done: 'constructor' } })).toHaveProperty('done');
    expect(refusal({ equals: { changed: '2026-11-20' } })).toHaveProperty('changed');
  });
});

test('search finds every word in any case, and treats no character as a pattern', () => {
  expect(ids({ search: 'CAT' })).toEqual(
    things.filter((thing) => /cat/i.test(thing.name ?? '')).map((thing) => thing.id),
  );
  expect(ids({ search: 'photos cat' })).toEqual(
    things.filter((thing) => thing.name === 'cat photos').map((thing) => thing.id),
  );
  expect(ids({ search: 'dog%1' })).toEqual(things.filter((thing) => thing.name === 'dog%1').map((thing) => thing.id));
  expect(ids({ search: 'dog_' })).toEqual(things.filter((thing) => thing.name === 'dog_1').map((thing) => thing.id));
  expect(ids({ search: 'GRÖ' })).toEqual(
    things.filter((thing) => /grö/i.test(thing.name ?? '')).map((thing) => thing.id),
  );
  expect(ids({ search: 'a\\b' }).length).toBeGreaterThan(0);
});

describe('order and pages', () => {
  test('sort by several keys in both directions, always completely', () => {
    const sorted = ids({ sort: '-done,size' });
    const expected = [...things].sort((a, b) => {
      const rank = (value: number | boolean | null) => (value === null ? -Infinity : Number(value));
      return rank(b.done) - rank(a.done) || rank(a.size) - rank(b.size) || b.id - a.id;
    });
    expect(sorted).toEqual(expected.map((thing) => thing.id));
  });
  test('pages of any size add up to the complete list', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.constantFrom('name', '-size', 'done,-name'), (pageSize, sort) => {
        const pages = Array.from({ length: Math.ceil(60 / pageSize) }, (_, index) =>
          ids({ page: index + 1, pageSize, sort }),
        );
        expect(pages.flat()).toEqual(ids({ sort }));
      }),
      { numRuns: 60 },
    );
  });
  test('refuses an unknown key', () => {
    expect(refusal({ sort: 'name; DROP TABLE thing' })).toHaveProperty('sort');
    expect(refusal({ sort: '-constructor' })).toHaveProperty('sort');
  });
  test('a further condition limits list and count equally', () => {
    const list = compileList(definition, request({ equals: { name: 'cat' } }), {
      sql: 'thing.id > ? OR 0',
      params: [30],
    });
    const rows = database.query(list.page.sql).all(...list.page.params) as { id: number }[];
    const expected = things.filter((thing) => thing.id > 30 && thing.name === 'cat').map((thing) => thing.id);
    expect(rows.map((row) => row.id)).toEqual(expected);
    expect(database.query(list.count.sql).get(...list.count.params)).toEqual({ count: expected.length });
  });
});
