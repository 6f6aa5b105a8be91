import { expect, test } from 'vitest';
import { createAnnotationFeed, everythingOf } from '../../../main/work/annotations/annotation-feed.ts';
import { emptyData } from '../../../main/work/annotations/annotation-writer.ts';
import { useCoreHarness } from './core-harness.ts';

const { database } = useCoreHarness();
const shape = (id: number) => ({ id, type: 'rectangle', frame: 0, label_id: 1, points: [1, 1, 2, 2] }) as never;
const end = () => undefined;
const ids = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

test('a change of 5,000 jobs is kept as one change, so that windows of other jobs miss nothing', () => {
  const feed = createAnnotationFeed(database);
  const start = feed.version();
  feed.changed({ userId: null, window: null }, everythingOf([1]));
  feed.changed({ userId: null, window: 'large' }, everythingOf(ids(2, 5000)));

  const missed = (job: number) => feed.listen(job, start, end, end);
  expect(missed(1)).toMatchObject({ isComplete: true, missed: [{ jobId: 1, number: 1, window: null }] });
  expect(missed(5001)).toMatchObject({ isComplete: true, missed: [{ jobId: 5001, number: 2, window: 'large' }] });
  expect(missed(9999)).toMatchObject({ isComplete: true, missed: [] });
});

test('a save is refused only if the other window changed one of its objects in that job', () => {
  const feed = createAnnotationFeed(database);
  const seen = feed.version();
  const data = (...objects: number[]) => ({ ...emptyData(), shapes: objects.map(shape) });
  feed.changed(
    { userId: null, window: 'other', action: 'update' },
    new Map([
      [1, data(10, 11)],
      [2, data(12)],
    ]),
  );

  const save = (job: number, id: number) => () => feed.requireSeen({ window: 'own', seen }, job, data(id));
  expect(save(1, 12)).not.toThrow();
  expect(save(2, 11)).not.toThrow();
  expect(save(1, 11)).toThrow(/changed elsewhere/);
  expect(save(2, 12)).toThrow(/changed elsewhere/);
});

test('large changes of many jobs are forgotten, oldest first', () => {
  const feed = createAnnotationFeed(database);
  const start = feed.version();
  for (let change = 0; change < 60; change += 1)
    feed.changed({ userId: null, window: null }, everythingOf(ids(1, 5000)));
  expect(feed.listen(1, start, end, end).isComplete).toBe(false);
  expect(feed.listen(1, feed.version(30), end, end)).toMatchObject({ isComplete: true });
});
