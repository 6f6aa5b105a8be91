import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { lfw } from '../../main/formats/lfw/index.ts';
import type { Attribute, Tag } from '../../main/formats/kit/task-data.ts';
import { bothWays, folderOf, inExtraFolder, shapeOf, zipOf } from './support/format-fixtures.ts';
import { attributeOf, faceShapes, inOrder, scene } from './support/scenes.ts';

const attributes = ['positive_pairs', 'negative_pairs'].map((name) => attributeOf(name, 'text'));
const people = ['car', 'tall tree', 'Hündchen'];
const labels = people.map((name) => ({ name, attributes }));
const names = ['car_0001.jpg', 'car/car_0002.jpg', 'tall tree_0010.png', 'x, y.jpg', '000004.jpg', 'deep/er/3.jpeg'];
const faces: InMemoryTaskDataOptions = { labels, frames: names.map((name) => ({ name })) };

const { write, read, thereAndBack } = bothWays(lfw, faces);

const tagOf = (frame: number, label: string, own: readonly Attribute[] = []): Tag => ({
  frame,
  label,
  attributes: own,
  group: 0,
  source: 'file',
});
const positive = (value: string) => ({ name: 'positive_pairs', value });
const negative = (value: string) => ({ name: 'negative_pairs', value });

function nameOf(frame: number, person: string | null): string {
  const stem = (names[frame] ?? '').replace(/\.\w+$/, '');
  return person === null || stem.startsWith(`${person}/`) ? stem : `${person}/${stem}`;
}

const listText = (list: readonly string[]): string =>
  list.some((name) => name.includes(',')) ? JSON.stringify(list) : list.join(', ');

/** Persons on images, and pairs of any two of them. */
const scenes: fc.Arbitrary<Tag[]> = fc
  .record({
    persons: fc.array(fc.constantFrom(null, ...people), { minLength: names.length, maxLength: names.length }),
    pairs: fc.uniqueArray(fc.tuple(fc.nat(names.length - 1), fc.nat(names.length - 1)), {
      maxLength: 8,
      selector: ([a, b]) => `${a} ${b}`,
    }),
  })
  .map(({ persons, pairs }) =>
    persons.flatMap((person, frame) => {
      if (person === null) return [];
      const others = pairs.filter(([from, to]) => from === frame && to !== frame).map(([, to]) => to);
      const same = others.filter((other) => persons[other] === person).map((other) => nameOf(other, person));
      const different = others
        .filter((other) => persons[other] !== person)
        .map((other) => nameOf(other, persons[other] ?? null));
      return [
        tagOf(frame, person, [
          ...(same.length > 0 ? [positive(listText(same))] : []),
          ...(different.length > 0 ? [negative(listText(different))] : []),
        ]),
      ];
    }),
  );

describe('LFW round trip', () => {
  it('preserves persons and their pairs', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, async (tags) => {
        const { task } = await thereAndBack({ ...faces, tags });
        expect(inOrder(task.tags)).toEqual(tags);
      }),
      { numRuns: 40 },
    );
  });

  it('preserves landmarks', async () => {
    await fc.assert(
      fc.asyncProperty(faceShapes, async (drawn) => {
        const shapes = drawn.filter(({ type }) => type === 'points');
        const { task } = await thereAndBack({ ...scene, labels, shapes }, { ...scene, labels });
        expect(inOrder(task.shapes)).toEqual(inOrder(shapes));
      }),
      { numRuns: 20 },
    );
  });

  it('writes the files that other programs read', async () => {
    const images = new Map([[0, { extension: '.jpg', bytes: Buffer.from('1') }]]);
    const face = [1, 2.5, 3, 4, 5, 6, 7, 8, 9, 10];
    const { entries, summary } = await write(
      {
        ...faces,
        images,
        tags: [
          tagOf(0, 'car', [positive("['car/car_0002']"), negative('tall tree/tall tree_0010, x, y, 000004')]),
          tagOf(1, 'car'),
          tagOf(2, 'tall tree', [positive('car/car_0001, nobody')]),
        ],
        shapes: [shapeOf({ type: 'points', label: 'car', points: face })],
      },
      true,
    );
    expect(entries.get('default/annotations/pairs.txt')).toBe(
      'car\t1\t2\ncar\t1\ttall tree\t10\ncar\t1\t-\t000004\ncar/car_0002\ntall tree/tall tree_0010\nx, y\n000004\ndeep/er/3\n',
    );
    expect(entries.get('default/annotations/people.txt')).toBe('car\t2\ntall tree\t1\nHündchen\t0\n');
    expect(entries.get('default/annotations/landmarks.txt')).toBe(`car/car_0001.jpg\t${face.join('\t')}\n`);
    expect(entries.has('default/images/car/car_0001.jpg')).toBe(true);
    expect(summary.dropped.map(({ label, rule, count }) => `${label} ${count}: ${rule}`)).toEqual([
      'car 2: "negative_pairs" names an image that the subset does not have.',
      'tall tree 1: "positive_pairs" names an image of another person.',
      'tall tree 1: "positive_pairs" names an image that the subset does not have.',
    ]);
  });

  it('exports or reports every object', async () => {
    const frames = ['one.jpg', 'car/one.jpg', 'a\tb.jpg'].map((name) => ({ name }));
    const tags = [tagOf(0, 'car'), tagOf(0, 'tall tree'), tagOf(1, 'car'), tagOf(1, 'a/b'), tagOf(2, 'car')];
    const { summary } = await write({ frames, labels: [...labels, { name: 'a/b' }], tags });
    expect(summary.dropped.map(({ label, rule }) => `${label}: ${rule}`)).toEqual([
      'tall tree: LFW has one person per image.',
      'car: With the label as its folder, the image has the same name as another one.',
      'a/b: LFW has a folder for each label, and this label is not a valid folder name.',
      'car: LFW separates image names by tabs.',
    ]);
  });
});

describe('LFW datasets', () => {
  const files = {
    'train/annotations/pairs.txt': '10\t300\ncar\t1 \t2\ncar\t1\ttall tree\t10\n',
    'train/annotations/people.txt': '2\ncar\t2\ntall tree\t1\n',
  };
  it('are read with heads, CRLF, marks and extra folders', async () => {
    for (const path of [folderOf(files), await zipOf(inExtraFolder(files))]) {
      const { task, summary } = await read(path);
      expect(summary).toMatchObject({ invalidCount: 0, dropped: [] });
      expect(inOrder(task.tags)).toEqual([
        tagOf(0, 'car', [positive('car/car_0002'), negative('tall tree/tall tree_0010')]),
        tagOf(1, 'car'),
        tagOf(2, 'tall tree'),
      ]);
    }
  });

  it('report every loss', async () => {
    const pairs = [
      'car/car_0001',
      'tall tree\t-\tx',
      'car\t1\t77',
      'a\tb',
      'plane/1',
      'tall tree/car_0001',
      'car/nobody',
    ];
    const { task, summary } = await read(
      folderOf({
        'a/pairs.txt': `${pairs.join('\n')}\ncar\t1\t2\t3\t4\ttall tree/000004\n`,
        'a/people.txt': 'car\t1\ntall tree\t1\nwrong\n',
        'a/landmarks.txt':
          'car_0001.jpg\t1\t2\ncar_0001.jpg\t1\t2\t3\t4\t5\t6\t7\t8\t9\tx\nnobody.jpg\t1\t2\t3\t4\t5\t6\t7\t8\t9\t1\n000004.jpg\t1\t2\t3\t4\t5\t6\t7\t8\t9\t1\n',
      }),
    );
    expect(inOrder(task.tags)).toEqual([tagOf(0, 'car')]);
    expect(summary.invalid.map(({ file, at }) => `${file} ${at}`)).toEqual([
      'a/people.txt line 3',
      'a/pairs.txt line 2',
      'a/pairs.txt line 3',
      'a/pairs.txt line 4',
      'a/pairs.txt line 6',
      'a/pairs.txt line 7',
      'a/pairs.txt line 8',
      'a/landmarks.txt line 1',
      'a/landmarks.txt line 2',
      'a/landmarks.txt line 3',
      'a/landmarks.txt line 4',
    ]);
  });
});
