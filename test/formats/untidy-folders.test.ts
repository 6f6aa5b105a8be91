import { describe, expect, it } from 'vitest';
import { encodePng } from '../../main/formats/kit/mask-files/png-writer.ts';
import { detectFormat } from '../../main/formats/registry.ts';
import { type Files, fileOf, folderOf, importerOf, runImport, zipOf } from './support/format-fixtures.ts';
import { scene } from './support/scenes.ts';

const read = (name: string, path: string) => runImport(importerOf(name), path, scene);
const detected = async (path: string) => (await detectFormat({ path, name: 'data.zip' }))[0]?.name;
const detection = 'Ultralytics YOLO Detection 1.0';

describe('YOLO labels without a description', () => {
  const box = '0 0.5 0.5 0.25 0.5\n';
  const layouts: readonly (readonly [string, Files])[] = [
    [
      'classes.txt beside images and labels',
      { 'classes.txt': 'car\ntall tree\n', 'labels/one.txt': box, 'images/one.jpg': '' },
    ],
    [
      'all files in one folder',
      { 'classes.txt': 'car', 'one.txt': box, 'one.jpg': '', 'readme.txt': 'Boxes of cars.' },
    ],
    ['subsets inside', { 'obj.names': 'car\n', 'labels/train/one.txt': box, 'images/train/one.jpg': '' }],
    [
      'subsets outside, in a folder of the archive',
      { 'set/classes.txt': '\uFEFFcar\r\n', 'set/train/labels/one.txt': box },
    ],
    [
      'notes.json of Label Studio',
      { 'notes.json': JSON.stringify({ categories: [{ id: 0, name: 'car' }] }), 'labels/one.txt': box },
    ],
  ];
  it.each(layouts)('%s', async (_name, files) => {
    for (const path of [await zipOf(files), folderOf(files)]) {
      const { task, summary } = await read(detection, path);
      expect(summary).toMatchObject({ invalidCount: 0, warnings: [] });
      expect(task.shapes).toMatchObject([{ frame: 0, label: 'car', points: [24, 12, 40, 36] }]);
      expect(await detected(path)).toBe(detection);
    }
  });

  it('distinguishes polygons from boxes, reads confidences, and generates missing class names', async () => {
    const polygons = await zipOf({ 'classes.txt': 'car', 'labels/one.txt': '0 0.1 0.1 0.5 0.1 0.3 0.5\n' });
    expect(await detected(polygons)).toBe('Ultralytics YOLO Segmentation 1.0');
    expect((await read('Ultralytics YOLO Segmentation 1.0', polygons)).task.shapes).toMatchObject([
      { type: 'polygon' },
    ]);
    const path = await zipOf({ 'classes.txt': 'car', 'labels/one.txt': `${box.trim()} 0.75\n7 0.5 0.5 0.1 0.1\n` });
    const { task, summary } = await read(detection, path);
    expect(task.shapes).toMatchObject([{ score: 0.75 }]);
    expect(summary.invalid).toMatchObject([{ file: 'labels/one.txt', at: 'line 2' }]);
  });

  it('does not read other texts as labels', async () => {
    expect(await detected(await zipOf({ 'classes.txt': 'car', 'notes.txt': 'two cars here\n' }))).not.toBe(detection);
  });
});

it('YOLO 1.1 reads the confidence after a box', async () => {
  const files = {
    'obj.data': 'classes = 1\ntrain = data/train.txt\nnames = data/obj.names\n',
    'obj.names': 'car\n',
    'train.txt': 'data/obj_train_data/one.jpg\n',
    'obj_train_data/one.txt': '0 0.5 0.5 0.25 0.5 0.93\n0 0.5 0.5 0.25 0.5 1\n0 0.5 0.5 0.25 0.5 7\n',
  };
  const { task, summary } = await read('YOLO 1.1', await zipOf(files));
  expect(task.shapes.map(({ score }) => score)).toEqual([0.93, undefined]);
  expect(summary.invalid).toMatchObject([{ at: 'line 3' }]);
});

it('LVIS, which has addresses instead of file names, is read as COCO', async () => {
  const document = {
    images: [
      { id: 1, coco_url: 'http://images.cocodataset.org/val2017/one.jpg', width: 64, height: 48, neg_category_ids: [] },
    ],
    categories: [{ id: 3, name: 'car', synset: 'car.n.01', frequency: 'f' }],
    annotations: [
      { id: 1, image_id: 1, category_id: 3, bbox: [1, 2, 3, 4], segmentation: [[1, 2, 4, 2, 4, 6]], area: 6 },
    ],
  };
  const path = fileOf('lvis_v1_val.json', JSON.stringify(document));
  const { task, summary } = await read('COCO 1.0', path);
  expect(summary.invalidCount).toBe(0);
  expect(task.shapes).toMatchObject([{ frame: 0, label: 'car', type: 'polygon', points: [1, 2, 4, 2, 4, 6] }]);
  expect(await detected(path)).toBe('COCO 1.0');
});

describe('images with masks beside them', () => {
  const masks = 'Images and Masks 1.0';
  const pixels = Uint8Array.from({ length: 64 * 48 }, (_, index) => [1, 1, 2][index] ?? 0);
  const gray = encodePng({ kind: 'grey8', width: 64, height: 48, pixels });
  const white = encodePng({
    kind: 'grey8',
    width: 64,
    height: 48,
    pixels: pixels.map((value) => (value === 0 ? 0 : 255)),
  });
  const shown = async (files: Files, labels: readonly string[]) => {
    const all = labels.map((name) => ({ name }));
    const options = { options: { conv_mask_to_poly: false } };
    const { task, summary } = await runImport(
      importerOf(masks),
      await zipOf(files),
      { ...scene, labels: all },
      options,
    );
    return {
      labels: task.shapes.map(({ frame, label }) => `${frame} ${label}`),
      bad: summary.invalid,
      first: task.shapes[0],
    };
  };

  it.each([
    ['classes.txt', 'background\ncar\ntree\n'],
    ['classes.txt', 'car\ntree\n'],
    ['labelmap.txt', '# label:color_rgb:parts:actions\nbackground:0,0,0::\ncar:1,2,3::\ntree:4,5,6::\n'],
    ['class_dict.csv', 'name,r,g,b\nbackground,0,0,0\ncar,1,2,3\ntree,4,5,6\n'],
    ['dataset.json', JSON.stringify({ labels: { background: 0, car: 1, tree: 2 }, file_ending: '.png' })],
    ['dataset_meta.json', JSON.stringify({ label_map: { 0: 'background', 1: 'car', 2: 'tree' } })],
  ])('reads index images with %s', async (name, text) => {
    const { labels, bad, first } = await shown({ [name]: text, 'images/one.jpg': '', 'masks/one.png': gray }, [
      'car',
      'tree',
    ]);
    expect(bad).toEqual([]);
    expect(labels).toEqual(['0 car', '0 tree']);
    expect(first?.points).toEqual([0, 2, 0, 0, 1, 0]);
  });

  it("reads nnU-Net's folders, subsets, suffixes, and images without a list", async () => {
    const names = JSON.stringify({ labels: { background: 0, car: 1, tree: 2 } });
    const nnunet = { 'dataset.json': names, 'imagesTr/one_0000.png': '', 'labelsTr/one.png': gray };
    expect((await shown(nnunet, ['car', 'tree'])).labels).toEqual(['0 car', '0 tree']);
    const inSubsets = { 'train/images/one.jpg': '', 'train/masks/one_mask.png': gray };
    expect((await shown(inSubsets, ['1', '2'])).labels).toEqual(['0 1', '0 2']);
    expect((await shown({ 'images/one.jpg': '', 'masks/one.png': white }, ['object'])).labels).toEqual(['0 object']);
    const path = await zipOf({ 'images/one.jpg': '', 'masks/one.png': white });
    expect(await detected(path)).toBe(masks);
  });

  it('reports values without a label', async () => {
    const { labels, bad } = await shown({ 'classes.txt': 'background\ncar\n', 'masks/one.png': gray }, ['car']);
    expect(labels).toEqual(['0 car']);
    expect(bad).toMatchObject([{ at: 'the number 2', reason: 'no label has this value: 1 pixels were left out' }]);
  });
});
