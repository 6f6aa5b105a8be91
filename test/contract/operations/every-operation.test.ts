import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AnyOperation } from '../../../preload/contract/operation.ts';
import { operations, type OperationId } from '../../../preload/contract/operations/index.ts';
import type { Caller, Input } from '../people/people-harness.ts';
import { cases } from './cases/all-cases.ts';
import type { OperationCase } from './operation-case.ts';
import { createOperationWorld, type OperationWorld } from './operation-world.ts';

/** An input without the types of one operation: the table of cases has checked them. */
interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly raw?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
type AnyCase = Omit<OperationCase<OperationId>, 'good' | 'bad'> & {
  readonly good: (world: OperationWorld) => AnyInput | Promise<AnyInput>;
  readonly bad?: (world: OperationWorld) => readonly (readonly [number, AnyInput])[];
};

const ids = Object.keys(operations) as OperationId[];
const operationOf = (id: OperationId): AnyOperation => operations[id];
const caseOf = (id: OperationId) => cases[id] as unknown as AnyCase;
const isList = (id: OperationId) => caseOf(id).denied === 'sees less';
const takesFilter = ({ query }: AnyOperation) => query instanceof z.ZodObject && 'filter' in query.shape;
const needsFields = ({ body }: AnyOperation) => body?.safeParse({}).success === false;

const world = await createOperationWorld();
const stranger = world.harness.addUser('the-stranger');
afterAll(() => world?.stop());

async function send(caller: Caller | null, id: OperationId, input: AnyInput, body?: { text: string; type: string }) {
  const { method, path } = operationOf(id);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input.params?.[name])));
  const content = input.raw ?? input.body;
  const client = caller?.rest ?? world.harness.visitor;
  const { status } = await client.call(method, filled, {
    query: input.query ?? {},
    headers: { ...input.headers, ...(body ? { 'Content-Type': body.type } : {}) },
    ...(body ? { body: body.text } : {}),
    ...(body || content === undefined ? {} : { json: content }),
  });
  return status;
}

function absent({ params = {} }: AnyInput): AnyInput[] {
  return Object.entries(params).map(([name, value]) => {
    const nothing = typeof value === 'number' ? 987_654 : name === 'uuid' ? randomUUID() : 'nothing';
    return { params: { ...params, [name]: nothing } };
  });
}

test('every operation has one case, and there are no others', () => {
  expect(Object.keys(cases).toSorted()).toEqual(ids.toSorted());
  const idle = ids.filter((id) => {
    const { bad, takesAnything } = caseOf(id);
    const { params, body } = operationOf(id);
    // A bad request comes from the case, from omitted fields, from a filter, or from a missing object.
    const isTried = bad !== undefined || (body ? needsFields(operationOf(id)) : isList(id) || params !== undefined);
    return takesAnything === true ? isTried && bad !== undefined : !isTried && !takesFilter(operationOf(id));
  });
  expect(idle).toEqual([]);
});

describe('bad, missing, forbidden, then valid requests', () => {
  test.each(ids)('%s', async (id) => {
    const operation = operationOf(id);
    const one = caseOf(id);
    const caller = one.caller?.(world) ?? world.boss;
    const good = await one.good(world);
    const expected: Record<string, number> = {};
    const answered: Record<string, number> = {};
    const ask = async (what: string, status: number, answer: Promise<number>) => {
      expected[what] = status;
      answered[what] = await answer;
    };

    if (operation.open !== true) await ask('without credentials', 401, send(null, id, good));
    const { denied = 403 } = one;
    if (typeof denied === 'number') await ask('of a stranger', denied, send(stranger, id, good));
    await ask('that accepts no JSON', 406, send(caller, id, { ...good, headers: { Accept: 'text/csv' } }));
    if (operation.body) {
      await ask('cut off', 400, send(caller, id, good, { text: '{"a": ', type: 'application/json' }));
      await ask('of another type', 415, send(caller, id, good, { text: 'text', type: 'text/plain' }));
      await ask('that is no object', 400, send(caller, id, { ...good, raw: 7 }));
      if (needsFields(operation)) await ask('without its fields', 400, send(caller, id, { ...good, raw: {} }));
    }
    if (takesFilter(operation)) {
      const query = { ...good.query, filter: '{"==": [{"var": "no such field"}, 1]}' };
      await ask('with a bad filter', 400, send(caller, id, { ...good, query }));
      await ask('beyond the last page', 404, send(caller, id, { ...good, query: { ...good.query, page: '9999' } }));
    }
    for (const [index, input] of absent(good).entries()) {
      await ask(`about nothing (${index})`, 404, send(caller, id, { ...good, ...input }));
    }
    for (const [index, [status, change]] of (one.bad?.(world) ?? []).entries()) {
      await ask(`bad (${index})`, status, send(caller, id, { ...good, ...change }));
    }
    expect(answered).toEqual(expected);

    const input = good as Input<typeof id>;
    if (one.goodStatus !== undefined) await caller.refused(one.goodStatus, id, input);
    else await (operation.open === true ? world.harness.anonymous : caller).good(id, input);
  });
});

test.each(ids.filter(isList))('%s shows a stranger nothing of other users', async (id) => {
  const { caller, good } = caseOf(id);
  const input = (await good(world)) as Input<typeof id>;
  const seen = keysOf(await (caller?.(world) ?? world.boss).good(id, input));
  expect(seen.length).toBeGreaterThan(0);
  const byStranger = keysOf(await stranger.good(id, input));
  expect(byStranger.filter((key) => seen.includes(key) && key !== String(stranger.id))).toEqual([]);
});

function keysOf(answer: unknown): string[] {
  const list = Array.isArray(answer) ? (answer as unknown[]) : (answer as { results: unknown[] }).results;
  return list.map((item) => String((item as { id?: unknown; key?: unknown }).id ?? (item as { key?: unknown }).key));
}
