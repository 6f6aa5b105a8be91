import { describe, expect, test } from 'vitest';
import { filesOf, stateOf } from '../../main/git-sync/annotation-files.ts';
import { createLabelNames, annotationsOf, objectOf, objectsOf } from '../../main/git-sync/annotation-objects.ts';
import { difference, merge, type State } from '../../main/git-sync/merge.ts';
import { atOnce, inPortions, type Portions } from '../../main/platform/portions.ts';
import type { Label } from '../../preload/contract/schema/labels.ts';

const count = 5000;
const frames = 5;
const label = { id: 1, name: 'car', attributes: [], sublabels: [] } as unknown as Label;
const facts = { name: 'harbour', size: frames, labels: [], frameName: (frame: number) => `${frame}.png` };
const shapes = Array.from({ length: count }, (_, id) => ({
  id,
  type: 'rectangle' as const,
  frame: id % frames,
  label_id: 1,
  group: 0,
  source: 'manual' as const,
  occluded: false,
  outside: false,
  z_order: 0,
  rotation: 0,
  points: [id, 1, id + 1, 2],
  attributes: [],
  score: 1,
  elements: [],
}));
const data = { version: 0, tags: [], shapes, tracks: [], intervals: [] };
const objects = atOnce(objectsOf(data, createLabelNames([label])));
const state: State = new Map(objects.map(({ text }, at) => [at.toString(16).padStart(8, '0'), text]));
const none: State = new Map();
const files = atOnce(filesOf(state, facts));

describe('work of a Git exchange gives way after at most 250 objects', () => {
  test.each<[string, () => Portions<unknown>]>([
    ['reading annotations', () => objectsOf(data, createLabelNames([label]))],
    ['writing files', () => filesOf(state, facts)],
    ['reading files', () => stateOf(files, facts)],
    ['comparing', () => difference(none, state)],
    ['merging', () => merge({ base: none, mine: state, theirs: none }, new Map(), () => '')],
    [
      'planning edits',
      () =>
        annotationsOf(
          objects.map(({ text }) => ({ object: objectOf(text) })),
          createLabelNames([label]),
        ),
    ],
  ])('%s', (_name, work) => {
    expect([...work()].length).toBeGreaterThanOrEqual(count / 250);
  });
});

test('the files of a task have its objects in the order of their uids, also if they are stored in another', async () => {
  const reversed: State = new Map([...state].toReversed());
  const written = await inPortions(filesOf(reversed, facts));
  for (const [path, text] of files) expect(written.get(path)).toBe(text);
  expect(await inPortions(stateOf(files, facts))).toEqual(state);
});
