import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LabelWrite } from '../../../preload/contract/schema/labels.ts';
import { formatFixtures } from '../../formats/support/format-fixtures.ts';
import { makeZip } from '../../support/craft-zip.ts';
import { picture, useWork, type Work } from './work-harness.ts';

const work = await useWork();

let number = 0;
const newProject = (labels: LabelWrite[] = []) => work.owner.createProject(`project ${(number += 1)}`, labels);

async function orphanedMedia(): Promise<string[]> {
  const known = new Set((await work.tasks()).map(({ id }) => String(id)));
  const folders = readdirSync(join(work.workbench.dataDir, 'data')).filter((name) => /^\d+$/.test(name));
  return folders.filter((name) => !known.has(name));
}

const coco = (images: { id: number; file_name: string }[], annotations: object[], names = ['cat', 'dog']) =>
  JSON.stringify({
    images: images.map((image) => ({ ...image, width: 64, height: 48 })),
    categories: names.map((name, index) => ({ id: index + 1, name })),
    annotations,
  });
const box = (id: number, image_id: number, category_id: number, attributes: object = {}) => ({
  id,
  image_id,
  category_id,
  bbox: [4, 5, 20, 10],
  segmentation: [],
  area: 200,
  iscrowd: 0,
  attributes,
});

describe('the questions of an import', () => {
  test('work for a complete dataset, too: it is inspected, labels are mapped or skipped', async () => {
    const { id } = await newProject([{ name: 'animal' }]);
    const bytes = makeZip({
      'annotations/instances_train.json': coco([{ id: 1, file_name: 'a.png' }], [box(1, 1, 1), box(2, 1, 2)]),
      'images/train/a.png': await picture('a'),
    });
    const file = { name: 'coco.zip', bytes };
    const looked = await work.importDataset(id, 'COCO 1.0', file, { dry_run: 'true' });
    expect(looked).toMatchObject({ status: 'finished', message: '1 task with 1 image would be created.' });
    const { preview } = await work.owner.good<{ preview: unknown }>(
      'GET',
      `/api/requests/${encodeURIComponent(looked.id)}/report`,
    );
    expect(preview).toMatchObject({
      labels: [
        { name: 'cat', count: 1, types: ['rectangle'], known: false },
        { name: 'dog', count: 1, types: ['rectangle'], known: false },
      ],
      subsets: ['train'],
      frames: { total: 1, unmatchedCount: 0 },
    });
    expect(await work.tasksOf(id)).toEqual([]);

    const options = JSON.stringify({ label_mapping: { cat: 'animal', dog: null } });
    await work.importDataset(id, 'COCO 1.0', file, { options });
    const labels = await work.labelsOf({ project_id: id });
    expect(labels.map(({ name }) => name)).toEqual(['animal']);
    const [task] = await work.tasksOf(id);
    const { shapes } = await work.owner.annotations('tasks', task?.id ?? 0);
    expect(shapes.map(({ label_id: label }) => label)).toEqual([labels[0]!.id]);
  });
});

describe('a Parquet file of Hugging Face', () => {
  const name = 'train-00000-of-00001.parquet';
  const stored = readFileSync(join(formatFixtures, 'huggingface-parquet', 'data', name));

  test.each([
    ['alone', { name, bytes: stored }],
    ['in a snapshot', { name: 'snapshot.zip', bytes: makeZip({ [`data/${name}`]: stored }) }],
  ])('becomes a task with its images, classes and boxes, %s', async (_, file) => {
    const { id } = await newProject();
    const request = await work.importDataset(id, 'Hugging Face ImageFolder 1.0', file);
    expect(request.message).toBe('1 task with 2 images made. 3 objects imported.');
    expect((await work.labelsOf({ project_id: id })).map((label) => label.name)).toEqual(['car', 'person']);
    const [task] = await work.tasksOf(id);
    expect(task).toMatchObject({ subset: 'train', size: 2 });
    const { frames } = await work.owner.good<{ frames: object[] }>('GET', `/api/tasks/${task?.id}/data/meta`);
    expect(frames).toMatchObject([
      { name: 'photo_1.png', width: 12, height: 8 },
      { name: 'photo_2.png', width: 12, height: 8 },
    ]);
    const { shapes } = await work.owner.annotations('tasks', task?.id ?? 0);
    expect(shapes.map(({ frame, points }) => [frame, points])).toEqual([
      [0, [1, 1, 5, 4]],
      [0, [6, 2, 11, 6]],
      [1, [2, 3, 8, 5]],
    ]);
  });
});

describe('a COCO dataset', () => {
  test('becomes one task for each subset, with its images, labels and annotations', async () => {
    const { id } = await newProject();
    const archive = makeZip({
      'annotations/instances_train.json': coco(
        [
          { id: 1, file_name: 'b.png' },
          { id: 2, file_name: 'street/a.png' },
        ],
        [box(1, 1, 1), box(2, 2, 2, { weather: 'rain' })],
      ),
      'annotations/instances_val.json': coco([{ id: 1, file_name: 'b.png' }], [box(1, 1, 2)]),
      'images/train/b.png': await picture('train b'),
      'images/train/street/a.png': await picture('train a'),
      'images/val/b.png': await picture('val b', 32, 32),
    });
    const request = await work.importDataset(id, 'COCO 1.0', { name: 'coco.zip', bytes: archive });
    expect(request).toMatchObject({ status: 'finished', operation: { type: 'import:dataset', project_id: id } });
    expect(request.message).toBe('2 tasks with 3 images made. 3 objects imported.');

    const tasks = await work.tasksOf(id);
    expect(tasks.map(({ name, subset, size, project_id }) => ({ name, subset, size, project_id }))).toEqual([
      { name: 'train', subset: 'train', size: 2, project_id: id },
      { name: 'val', subset: 'val', size: 1, project_id: id },
    ]);
    const labels = await work.labelsOf({ project_id: id });
    expect(labels.map(({ name }) => name)).toEqual(['cat', 'dog']);
    expect(labels[1]?.attributes).toMatchObject([{ name: 'weather', input_type: 'text' }]);

    const [train, val] = tasks;
    const meta = await work.owner.meta('tasks', train?.id ?? 0);
    expect(meta.frames?.map(({ name, width }) => [name, width])).toEqual([
      ['b.png', 64],
      ['street/a.png', 64],
    ]);
    const { shapes } = await work.owner.annotations('tasks', train?.id ?? 0);
    expect(shapes.map(({ frame, label_id, points }) => ({ frame, label_id, points }))).toEqual([
      { frame: 0, label_id: labels[0]?.id, points: [4, 5, 24, 15] },
      { frame: 1, label_id: labels[1]?.id, points: [4, 5, 24, 15] },
    ]);
    expect(shapes[1]?.attributes).toEqual([{ spec_id: labels[1]?.attributes[0]?.id, value: 'rain' }]);
    const frame = await work.owner.bytes(`/api/tasks/${val?.id}/data?type=frame&number=0&quality=original`);
    expect(frame.equals(await picture('val b', 32, 32))).toBe(true);
    expect((await work.owner.annotations('tasks', val?.id ?? 0)).shapes).toHaveLength(1);
  });

  test('merges into a project: existing labels stay and get missing attributes, existing tasks stay', async () => {
    const { id } = await newProject([
      { name: 'cat', color: '#123456', attributes: [{ name: 'age', input_type: 'text' }] },
      { name: 'bird' },
    ] as LabelWrite[]);
    const image = await picture('one');
    const archive = makeZip({
      'annotations/instances_default.json': coco([{ id: 1, file_name: 'a.png' }], [box(1, 1, 1, { sleepy: 'true' })]),
      'images/a.png': image,
    });
    for (const round of [1, 2]) {
      const request = await work.importDataset(id, 'COCO 1.0', { name: `round ${round}.zip`, bytes: archive });
      expect(request.status).toBe('finished');
    }
    const labels = await work.labelsOf({ project_id: id });
    expect(labels.map(({ name }) => name)).toEqual(['cat', 'bird', 'dog']);
    expect(labels[0]?.color).toBe('#123456');
    expect(labels[0]?.attributes.map(({ name, input_type }) => [name, input_type])).toEqual([
      ['age', 'text'],
      ['sleepy', 'checkbox'],
    ]);
    expect((await work.tasksOf(id)).map(({ name }) => name)).toEqual(['default', 'default']);
  });
});

describe('other formats', () => {
  test('YOLO: imports images without objects too, and keeps the order of classes', async () => {
    const { id } = await newProject();
    const archive = makeZip({
      'obj.data': 'classes = 3\ntrain = data/train.txt\nvalid = data/valid.txt\nnames = data/obj.names\n',
      'obj.names': 'tree\ncar\nboat\n',
      'train.txt': 'data/obj_train_data/1.png\ndata/obj_train_data/2.png\n',
      'valid.txt': 'data/obj_valid_data/3.png\n',
      'obj_train_data/1.png': await picture('1'),
      'obj_train_data/1.txt': '1 0.5 0.5 0.5 0.5\n',
      'obj_train_data/2.png': await picture('2'),
      'obj_train_data/2.txt': '',
      'obj_valid_data/3.png': await picture('3'),
      'obj_valid_data/3.txt': '',
    });
    expect(await work.importDataset(id, 'YOLO 1.1', { name: 'yolo.zip', bytes: archive })).toMatchObject({
      status: 'finished',
      message: '2 tasks with 3 images made. 1 object imported.',
    });
    expect((await work.labelsOf({ project_id: id })).map(({ name }) => name)).toEqual(['tree', 'car', 'boat']);
    expect((await work.tasksOf(id)).map(({ subset, size }) => [subset, size])).toEqual([
      ['train', 2],
      ['valid', 1],
    ]);
  });

  test('Ultralytics Detection: imports folders of subsets', async () => {
    const { id } = await newProject();
    const archive = makeZip({
      'data.yaml': 'path: .\ntrain: images/train\nval: images/val\nnames:\n  0: cup\n  1: plate\n',
      'images/train/a.png': await picture('a'),
      'labels/train/a.txt': '1 0.5 0.5 0.25 0.25\n',
      'images/val/b.png': await picture('b'),
    });
    expect(
      await work.importDataset(id, 'Ultralytics YOLO Detection 1.0', { name: 'set.zip', bytes: archive }),
    ).toMatchObject({ status: 'finished' });
    expect((await work.labelsOf({ project_id: id })).map(({ name }) => name)).toEqual(['cup', 'plate']);
    const tasks = await work.tasksOf(id);
    expect(tasks.map(({ subset, size }) => [subset, size])).toEqual([
      ['train', 1],
      ['val', 1],
    ]);
    expect((await work.owner.annotations('tasks', tasks[0]?.id ?? 0)).shapes).toMatchObject([
      { type: 'rectangle', points: [24, 18, 40, 30] },
    ]);
  });

  test('restores a project that was exported in CVAT with its label specifications, skeletons and tags', async () => {
    const first = await newProject([
      {
        name: 'person',
        type: 'skeleton',
        color: '#aa0000',
        sublabels: [{ name: 'head' }, { name: 'foot' }],
        svg: '<circle cx="10" cy="10" r="1" data-label-name="head"/>',
      },
      {
        name: 'sky',
        type: 'tag',
        attributes: [
          { name: 'cloudy', mutable: false, input_type: 'select', default_value: 'no', values: ['no', 'yes'] },
        ],
      },
    ] as LabelWrite[]);
    for (const subset of ['train', 'test']) {
      const task = { name: `of ${subset}`, project_id: first.id, subset };
      const { id } = await work.owner.taskWithImages(task, [
        { name: 'x.png', bytes: await picture(`${subset} x`) },
        { name: 'y.png', bytes: await picture(`${subset} y`) },
      ]);
      const [person, sky] = await work.labelsOf({ project_id: first.id });
      const [head, foot] = person?.sublabels ?? [];
      await work.owner.changeAnnotations('tasks', id, 'create', {
        tags: [
          { frame: 1, label_id: sky?.id ?? 0, attributes: [{ spec_id: sky?.attributes[0]?.id ?? 0, value: 'yes' }] },
        ],
        shapes: [
          {
            type: 'skeleton',
            frame: 0,
            label_id: person?.id ?? 0,
            elements: [
              { type: 'points', frame: 0, label_id: head?.id ?? 0, points: [3.5, 4.25] },
              { type: 'points', frame: 0, label_id: foot?.id ?? 0, points: [8, 9], occluded: true },
            ],
          },
        ],
      });
    }
    const rqId = await work.owner.startExport('projects', first.id, 'CVAT for images 1.1', true);
    const exported = await work.owner.finished(rqId);
    const bytes = await work.owner.bytes(exported.result_url ?? '');

    const second = await newProject();
    const request = await work.importDataset(second.id, 'CVAT 1.1', { name: 'cvat.zip', bytes });
    expect(request).toMatchObject({ status: 'finished' });
    const bare = (labels: Awaited<ReturnType<Work['labelsOf']>>) =>
      labels.map(({ name, color, type, attributes, sublabels, svg }) => ({
        name,
        color,
        type,
        svg,
        attributes: attributes.map(({ id: _id, ...rest }) => rest),
        sublabels: sublabels.map((sublabel) => [sublabel.name, sublabel.type]),
      }));
    expect(bare(await work.labelsOf({ project_id: second.id }))).toEqual(
      bare(await work.labelsOf({ project_id: first.id })),
    );
    const tasks = await work.tasksOf(second.id);
    expect(tasks.map(({ subset, size }) => [subset, size])).toEqual([
      ['train', 2],
      ['test', 2],
    ]);
    for (const { id } of tasks) {
      const { shapes, tags } = await work.owner.annotations('tasks', id);
      expect(tags).toMatchObject([{ frame: 1, attributes: [{ value: 'yes' }] }]);
      expect(shapes).toMatchObject([
        {
          frame: 0,
          type: 'skeleton',
          elements: [{ points: [3.5, 4.25] }, { points: [8, 9], occluded: true }],
        },
      ]);
    }
  });
});

describe('invalid datasets', () => {
  test('refuses a single annotation file with the sentence that clients know', async () => {
    const { id } = await newProject();
    const bytes = coco([{ id: 1, file_name: 'a.png' }], [box(1, 1, 1)]);
    expect(await work.importDataset(id, 'COCO 1.0', { name: 'instances.json', bytes })).toMatchObject({
      status: 'failed',
      message: "Can't import media data from the annotation file. Please upload full dataset as a zip archive.",
    });
    expect(await work.tasksOf(id)).toEqual([]);
    expect(await work.labelsOf({ project_id: id })).toEqual([]);
  });

  test('leaves nothing behind for an archive without images or with broken ones', async () => {
    const { id } = await newProject();
    const annotations = coco([{ id: 1, file_name: 'a.png' }], [box(1, 1, 1)]);
    const withoutImages = makeZip({ 'annotations/instances_default.json': annotations });
    expect(await work.importDataset(id, 'COCO 1.0', { name: 'a.zip', bytes: withoutImages })).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('has no images'),
    });
    const broken = makeZip({ 'annotations/instances_default.json': annotations, 'images/a.png': 'no picture' });
    expect(await work.importDataset(id, 'COCO 1.0', { name: 'b.zip', bytes: broken })).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('a.png'),
    });
    expect(await work.tasksOf(id)).toEqual([]);
    expect(await work.labelsOf({ project_id: id })).toEqual([]);
    expect(await orphanedMedia()).toEqual([]);
  });

  test('fails completely if annotations are unreadable after images and labels were prepared', async () => {
    const { id } = await newProject();
    const good = coco([{ id: 1, file_name: 'a.png' }], [box(1, 1, 1)]);
    const archive = makeZip({
      'annotations/instances_train.json': good,
      'annotations/instances_val.json': `${good.slice(0, -10)}`,
      'images/train/a.png': await picture('a'),
    });
    const request = await work.importDataset(id, 'COCO 1.0', { name: 'half.zip', bytes: archive });
    expect(request.status).toBe('failed');
    expect(await work.tasksOf(id)).toEqual([]);
    expect(await work.labelsOf({ project_id: id })).toEqual([]);
    expect(await orphanedMedia()).toEqual([]);
  });

  test('refuses invalid requests before reading anything', async () => {
    const { id } = await newProject();
    const file = { name: 'a.zip', bytes: makeZip({ 'a.txt': 'a' }) };
    const path = `/api/projects/${id}/dataset/`;
    expect(await work.sendFile(path, 'dataset_file', file, { format: 'Nothing 1.0' })).toMatchObject({
      status: 400,
      body: ['Unknown format specified for the request'],
    });
    expect(await work.sendFile(path, 'dataset_file', file)).toMatchObject({ status: 400 });
    expect(await work.sendFile(path, 'wrong_field', file, { format: 'COCO 1.0' })).toMatchObject({ status: 400 });
    expect(
      await work.sendFile('/api/projects/999999/dataset/', 'dataset_file', file, { format: 'COCO 1.0' }),
    ).toMatchObject({ status: 404 });
    const stranger = await work.workbench.addUser('stranger');
    expect(
      await stranger.call('POST', path, { query: { format: 'COCO 1.0' }, headers: { 'Upload-Start': '' } }),
    ).toMatchObject({ status: 403 });
  });

  test('a name with a path out of the archive stays inside the task', async () => {
    const { id } = await newProject();
    const archive = makeZip({
      'annotations/instances_default.json': coco([{ id: 1, file_name: '../../../a.png' }], [box(1, 1, 1)]),
      'images/a.png': await picture('a'),
    });
    const request = await work.importDataset(id, 'COCO 1.0', { name: 'evil.zip', bytes: archive });
    expect(request.status).toBe('finished');
    const [task] = await work.tasksOf(id);
    expect((await work.owner.meta('tasks', task?.id ?? 0)).frames?.map(({ name }) => name)).toEqual(['a.png']);
    const outside = makeZip({
      'annotations/instances_default.json': coco([{ id: 1, file_name: 'a.png' }], []),
      '../a.png': await picture('a'),
    });
    expect((await work.importDataset(id, 'COCO 1.0', { name: 'worse.zip', bytes: outside })).status).toBe('failed');
  });
});

test('a cancelled import leaves no task, no label and no files', async () => {
  const { id } = await newProject();
  const images = Array.from({ length: 150 }, (_, index) => ({ id: index + 1, file_name: `${index}.png` }));
  const image = await picture('same');
  const archive = makeZip({
    'annotations/instances_default.json': coco(
      images,
      images.map((one) => box(one.id, one.id, 1)),
    ),
    ...Object.fromEntries(images.map(({ file_name }) => [`images/${file_name}`, image])),
  });
  const { body } = await work.sendFile(
    `/api/projects/${id}/dataset/`,
    'dataset_file',
    { name: 'many.zip', bytes: archive },
    { format: 'COCO 1.0' },
  );
  const rqId = (body as { rq_id: string }).rq_id;
  expect(rqId).toBe(`action=import&target=project&target_id=${id}&subresource=dataset`);
  const cancelled = await work.owner.call('POST', `/api/requests/${encodeURIComponent(rqId)}/cancel`);
  expect(cancelled.status).toBe(200);
  const after = await work.owner.call('GET', `/api/requests/${encodeURIComponent(rqId)}`);
  expect(after.status === 404 || (after.body as { status: string }).status === 'failed').toBe(true);
  expect(await work.tasksOf(id)).toEqual([]);
  expect(await work.labelsOf({ project_id: id })).toEqual([]);
  expect(await orphanedMedia()).toEqual([]);
});
