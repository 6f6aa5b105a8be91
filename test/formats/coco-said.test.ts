import { describe, expect, it } from 'vitest';
import { coco } from '../../main/formats/coco/index.ts';
import { kitti } from '../../main/formats/kitti/index.ts';
import { fileOf, runExport, runImport, shapeOf } from './support/format-fixtures.ts';

const frames = ['a', 'b'].map((name) => ({ name: `${name}.jpg`, width: 100, height: 80 }));
const task = { frames, labels: [{ name: 'car' }, { name: 'person' }] };
const box = (id: number, image: unknown, category: number) =>
  `{"id":${id},"image_id":${String(image)},"category_id":${category},"bbox":[1,2,3,4],"area":12,"iscrowd":0}`;
const imported = (images: string, categories: string, annotations: string) =>
  runImport(
    coco.importer,
    fileOf('a.json', `{"images":[${images}],"categories":[${categories}],"annotations":[${annotations}]}`),
    task,
  );
const car = '{"id":1,"name":"car"}';

describe('the warnings of COCO', () => {
  it('name ids above 2^53', async () => {
    const image = (id: string, name: string) => `{"id":${id},"file_name":"${name}","width":100,"height":80}`;
    const both = `${image('9007199254740992', 'a.jpg')},${image('9007199254740993', 'b.jpg')}`;
    const { task: data, summary } = await imported(both, car, box(1, '9007199254740993', 1));
    expect(data.shapes).toEqual([]);
    expect(summary.invalid.map(({ at }) => at)).toEqual(
      expect.arrayContaining(['images[0].id', 'images[1].id', 'annotations[0].image_id']),
    );
  });

  it('name ids of two images or two categories', async () => {
    const images = '{"id":1,"file_name":"a.jpg"},{"id":1,"file_name":"b.jpg"}';
    const { summary } = await imported(images, `${car},{"id":1,"name":"person"}`, box(1, 1, 1));
    expect(summary.invalid).toEqual([
      expect.objectContaining({ at: 'images[1].id', reason: expect.stringContaining('repeats the id 1') }),
      expect.objectContaining({ at: 'categories[1].id', reason: expect.stringContaining('repeats the id 1') }),
    ]);
  });

  it('name images of another size than the frames', async () => {
    const { summary } = await imported('{"id":1,"file_name":"a.jpg","width":50,"height":40}', car, box(1, 1, 1));
    expect(summary.warnings).toEqual([expect.stringContaining('a.jpg has 50 × 40 pixels for 100 × 80')]);
  });

  it('name groups of boxes', async () => {
    const shapes = [
      shapeOf({ type: 'rectangle', label: 'car', points: [1, 2, 3, 4], group: 7 }),
      shapeOf({ type: 'polygon', label: 'car', points: [1, 2, 30, 4, 10, 20], group: 7 }),
    ];
    const { summary } = await runExport(coco.exporter, { ...task, shapes });
    expect(summary.dropped.map(({ type, count }) => [type, count])).toEqual([
      ['rectangle', 1],
      ['polygon', 1],
    ]);
  });

  it('name labels with spaces, if a format separates fields by spaces', async () => {
    const shapes = [shapeOf({ type: 'rectangle', label: 'two words', points: [1, 2, 3, 4] })];
    const { summary } = await runExport(kitti.exporter, { frames, labels: [{ name: 'two words' }], shapes });
    expect(summary.warnings).toContainEqual(expect.stringMatching(/other programs cannot read .*"two words"/));
  });
});
