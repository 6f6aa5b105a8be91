import { expect, it } from 'vitest';
import { shapeSchema } from '../../../../../../../preload/contract/schema/annotations.ts';
import { createBacklog } from '../../../../../../../renderer/features/workspace/model/saving/save-backlog.ts';
import type { Edit } from '../../../../../../../renderer/features/workspace/model/saving/save-types.ts';

const edit = (localId: string, x: number, seen?: string): Edit => ({
  localId,
  collection: 'shapes',
  body: shapeSchema.parse({ type: 'rectangle', frame: 0, label_id: 1, points: [x, 0, x + 5, 5] }),
  deleted: false,
  ...(seen === undefined ? {} : { seen }),
});
const backlog = () => {
  let key = 0;
  return createBacklog({ newKey: () => String((key += 1)), batchSize: 100 });
};

it('sends edits that were made on different versions in different requests', () => {
  const waiting = backlog();
  waiting.add(edit('a', 1, 'first'));
  waiting.add(edit('b', 2, 'second'));
  expect(waiting.next()).toMatchObject({ seen: 'first', edits: [{ localId: 'a' }] });
  waiting.accept({ shapes: [1], tags: [], tracks: [] });
  expect(waiting.next()).toMatchObject({ seen: 'second', edits: [{ localId: 'b' }] });
});

it('does not count an edit as refused when a newer one of the same object is waiting', () => {
  const waiting = backlog();
  waiting.add(edit('a', 1));
  waiting.next();
  waiting.add(edit('a', 2));
  waiting.refuse({ kind: 'refused', message: 'Invalid shape.', stopped: false });
  expect(waiting.refusedCount()).toBe(0);
  expect(waiting.next()).toMatchObject({ edits: [{ localId: 'a', body: { points: [2, 0, 7, 5] } }] });
});

it("bases an edit that waited for a refused one on the service's state", () => {
  const waiting = backlog();
  const withBase = (x: number, before: number): Edit => ({ ...edit('a', x), base: edit('a', before).body }) as Edit;
  waiting.serverIds.set('a', 5);
  waiting.add(withBase(2, 1));
  waiting.next();
  waiting.add(withBase(3, 2));
  waiting.refuse({ kind: 'refused', message: 'Invalid shape.', stopped: false });
  expect(waiting.next()).toMatchObject({
    edits: [{ body: { points: [3, 0, 8, 5] }, base: { points: [1, 0, 6, 5] } }],
  });
});
