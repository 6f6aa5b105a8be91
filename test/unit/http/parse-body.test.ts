import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { parseBody, parseInput } from '../../../main/http/validation.ts';
import { labeledDataSchema } from '../../../preload/contract/schema/annotations.ts';

const count = 2000;
const body = (change: (shape: Record<string, unknown>, index: number) => object = (shape) => shape) => ({
  tags: [{ frame: 0, label_id: 1 }],
  shapes: Array.from({ length: count }, (_, index) =>
    change({ type: 'rectangle', frame: index, label_id: 1, points: [1, 2, 3, 4] }, index),
  ),
  tracks: [],
});

function refusalOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test('a long list in a body is parsed in portions, with the same result', async () => {
  const state = { turns: 0, isDone: false };
  const parsing = parseBody(labeledDataSchema, body()).finally(() => (state.isDone = true));
  while (!state.isDone) {
    await nextTurn();
    state.turns += 1;
  }
  expect(state.turns).toBeGreaterThanOrEqual(count / 250);
  expect(JSON.stringify(await parsing)).toBe(JSON.stringify(parseInput(labeledDataSchema, body())));
});

test.each([
  ['one item', { shapes: [700] }],
  ['many items', { shapes: Array.from({ length: 500 }, (_, index) => 900 + index) }],
])('a body with errors in %s of a long list is refused with their indexes', async (_name, { shapes }) => {
  const wrong = () => body((shape, index) => (shapes.includes(index) ? { ...shape, frame: 'one' } : shape));
  const expected = refusalOf(() => parseInput(labeledDataSchema, wrong()));
  const refusal: unknown = await parseBody(labeledDataSchema, wrong()).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'invalid' });
  expect(refusal).toEqual(expected);
  expect(refusal).toHaveProperty('details', (expected as { details: unknown }).details);
});

test('a body with errors in a long list and beside it is refused with both', async () => {
  const wrong = () => ({ ...body((shape, index) => (index === 999 ? {} : shape)), version: 'x' });
  const refusal: unknown = await parseBody(labeledDataSchema, wrong()).catch((error: unknown) => error);
  const expected = refusalOf(() => parseInput(labeledDataSchema, wrong())) as { details: unknown };
  expect(refusal).toHaveProperty('details', expected.details);
});
