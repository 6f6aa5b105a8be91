import { expect, it } from 'vitest';
import { shapeSchema } from '../../../../../../../preload/contract/schema/annotations.ts';
import { createSaveQueue } from '../../../../../../../renderer/features/workspace/model/saving/save-queue.ts';
import { createSettledReading } from '../../../../../../../renderer/features/workspace/model/saving/settled-reading.ts';
import type { Edit, SavedIds } from '../../../../../../../renderer/features/workspace/model/saving/save-types.ts';

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

it('reads again if an object that was edited again is saved before the answer of the read is used', async () => {
  const edit: Edit = {
    localId: 'shape-3',
    serverId: 3,
    collection: 'shapes',
    body: shapeSchema.parse({ type: 'rectangle', frame: 0, label_id: 1, points: [1, 0, 6, 5] }),
    deleted: true,
  };
  const saved = Promise.withResolvers<SavedIds>();
  const timers: (() => void)[] = [];
  const queue = createSaveQueue({
    transport: { send: () => saved.promise, readNow: () => Promise.resolve(new Map()) },
    journal: { write() {} },
    newKey: () => 'key',
    later: (task) => {
      timers.push(task);
      return () => undefined;
    },
  });
  queue.know('shape-3', 3);
  const settled = createSettledReading(queue);
  queue.push([edit]);
  timers.shift()?.();
  await turns();

  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const loads = answers.map(({ promise }) => promise);
  const used: string[] = [];
  const reading = settled.read(
    () => loads.shift()!,
    () => true,
    (data) => used.push(data),
  );
  const undone = { ...edit, deleted: false };
  settled.edited([undone]);
  queue.push([undone]);
  // The read, which still has the object, and the deletion are answered at the same time.
  saved.resolve({ shapes: [3], tags: [], tracks: [] });
  answers[0]!.resolve('before the deletion');
  await turns();
  expect(queue.serverIdOf('shape-3')).toBeUndefined();
  answers[1]!.resolve('after the deletion');
  await reading;
  expect(used).toEqual(['after the deletion']);
  queue.close();
});
