import { beforeEach, describe, expect, test } from 'vitest';
import type { OutputOf } from '../../../preload/contract/operation.ts';
import type { Operations } from '../../../preload/contract/operations/index.ts';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import { makeZip } from '../../support/craft-zip.ts';
import { makeImages } from '../../support/images.ts';
import { useWorkbench } from '../http/support.ts';

type Report = OutputOf<Operations['getRequestReport']>;

let task: Task;
const workbench = await useWorkbench();
beforeEach(async () => {
  const labels = [{ name: 'car' }, { name: 'person' }];
  task = await workbench.owner.taskWithImages({ name: 'choices', labels }, await makeImages(4));
});

const box = (id: number, image: number, category: number, left: number, more: object = {}) => ({
  id,
  image_id: image,
  category_id: category,
  bbox: [left, 10, 20, 20],
  area: 400,
  iscrowd: 0,
  ...more,
});

/** Four images, two with names of the task's; the task has one of the labels. */
const coco = (names: readonly string[]) =>
  JSON.stringify({
    images: names.map((file_name, index) => ({ id: index + 1, file_name, width: 320, height: 240 })),
    categories: [
      { id: 1, name: 'car' },
      { id: 2, name: 'dog' },
      { id: 3, name: 'cat' },
    ],
    annotations: [
      box(1, 1, 1, 10),
      box(2, 2, 2, 20, { attributes: { breed: 'poodle' } }),
      box(3, 3, 2, 30),
      box(4, 4, 3, 40),
      box(5, 4, 1, 50, { attributes: { color: 'red' } }),
    ],
  });
const halfNamed = coco(['image-000.jpg', 'image-001.jpg', 'other-7.jpg', 'other-8.jpg']);

interface Sent {
  readonly format?: string;
  readonly name?: string;
  readonly dryRun?: boolean | 'inspect';
  readonly options?: object;
}

async function send(file: string | Uint8Array, { format = 'COCO 1.0', name = 'coco.json', dryRun, options }: Sent) {
  const form = new FormData();
  form.set('annotation_file', new Blob([typeof file === 'string' ? file : new Uint8Array(file)]), name);
  const query = {
    format,
    import_mode: 'append',
    ...(dryRun === undefined ? {} : { dry_run: String(dryRun) }),
    ...(options ? { options: JSON.stringify(options) } : {}),
  };
  const started = await workbench.owner.call('POST', `/api/tasks/${task.id}/annotations/`, { query, body: form });
  expect(started).toMatchObject({ status: 202 });
  const id = (started.body as { rq_id: string }).rq_id;
  const request = await workbench.owner.ended(id);
  const answer = await workbench.owner.call('GET', `/api/requests/${encodeURIComponent(id)}/report`);
  return { request, report: answer.body as Report };
}

const stored = async () => {
  const names = new Map((await workbench.owner.labels(task.id)).map(({ id, name }) => [id, name]));
  const { shapes } = await workbench.owner.annotations('tasks', task.id);
  return shapes.map(({ frame, label_id, points }) => [frame, names.get(label_id), points[0]] as const);
};
const labelNames = async () => (await workbench.owner.labels(task.id)).map(({ name }) => name).toSorted();

describe('the inspection of a file before its import', () => {
  test('finds the same labels and images with and without reading the objects, which only the complete check counts', async () => {
    const checked = await send(halfNamed, { dryRun: true });
    const inspected = await send(halfNamed, { dryRun: 'inspect' });
    expect(inspected.report.preview).toEqual(checked.report.preview);
    expect(inspected.report.included).toEqual([]);
    expect(checked.report.included).not.toEqual([]);
    expect(await stored()).toEqual([]);
  });

  test('lists its labels, also those without a frame, and the images that match frames by name, number or order', async () => {
    const { report } = await send(halfNamed, { dryRun: true });
    expect(report.preview?.labels).toEqual([
      { name: 'car', count: 2, types: ['rectangle'], known: true, unknownAttributes: ['color'] },
      { name: 'dog', count: 2, types: ['rectangle'], known: false, unknownAttributes: ['breed'] },
      { name: 'cat', count: 1, types: ['rectangle'], known: false, unknownAttributes: [] },
    ]);
    expect(report.preview?.frames).toMatchObject({
      matching: 'auto',
      total: 4,
      stated: 4,
      matched: 2,
      fitting: { auto: 2, name: 2, number: 2, order: 4 },
      unmatchedCount: 2,
      unmatched: ['other-7.jpg', 'other-8.jpg'],
      pairs: [
        { file: 'image-000.jpg', frame: 'image-000.jpg' },
        { file: 'image-001.jpg', frame: 'image-001.jpg' },
      ],
      silentCount: 2,
      silent: ['image-002.jpg', 'image-003.jpg'],
    });
    expect(await stored()).toEqual([]);
    expect(await labelNames()).toEqual(['car', 'person']);
  });

  test('reports the result of an import with these choices, and keeps the report of the last import', async () => {
    const options = { frame_matching: 'order', create_labels: ['dog'], label_mapping: { cat: null } };
    const imported = await send(halfNamed, { options: { label_mapping: { dog: null, cat: null } } });
    expect(imported.request.message).toContain('1 object imported');
    const { report, request } = await send(halfNamed, { dryRun: true, options });
    expect(report.included).toEqual([
      { type: 'rectangle', label: 'car', count: 2 },
      { type: 'rectangle', label: 'dog', count: 2 },
    ]);
    expect(report.preview?.frames).toMatchObject({ matching: 'order', matched: 4, unmatchedCount: 0 });
    expect(await labelNames()).toEqual(['car', 'person']);
    expect(request.id).not.toBe(imported.request.id);
    const kept = await workbench.owner.call('GET', `/api/requests/${encodeURIComponent(imported.request.id)}/report`);
    expect(kept.body).toEqual(imported.report);
  });

  test('of a file with frame numbers names those that the task does not have', async () => {
    const rows = [1, 2, 9].map((frame) => `${frame},1,10,10,20,20,1,1,1`).join('\n');
    const file = makeZip({ 'gt/gt.txt': rows, 'gt/labels.txt': 'car' });
    const { report } = await send(file, { dryRun: true, format: 'MOT 1.1', name: 'mot.zip' });
    expect(report.preview?.frames).toMatchObject({ stated: 0, matched: 2, total: 4, unmatched: [] });
    expect(report.invalid.map(({ reason }) => reason)).toEqual(['frame 9 is not in the task']);
  });
});

describe('an import with choices', () => {
  test('creates labels with their attributes, maps and skips others, in one step with the objects', async () => {
    const options = {
      frame_matching: 'order',
      create_labels: ['dog'],
      unknown_attributes: 'create',
      label_mapping: { cat: 'person' },
    };
    const { request } = await send(halfNamed, { options });
    expect(request.status).toBe('finished');
    expect(await stored()).toEqual([
      [0, 'car', 10],
      [1, 'dog', 20],
      [2, 'dog', 30],
      [3, 'person', 40],
      [3, 'car', 50],
    ]);
    const labels = await workbench.owner.labels(task.id);
    const attributesOf = (wanted: string) =>
      labels.find(({ name }) => name === wanted)?.attributes.map(({ name }) => name);
    expect([attributesOf('dog'), attributesOf('car')]).toEqual([['breed'], ['color']]);
  });

  test('creates no label for objects without a frame', async () => {
    await send(halfNamed, { options: { create_labels: 'all' } });
    expect(await labelNames()).toEqual(['car', 'dog', 'person']);
    expect(await stored()).toEqual([
      [0, 'car', 10],
      [1, 'dog', 20],
    ]);
  });

  test('skips unknown labels and attributes by default, each with its reason', async () => {
    const { report } = await send(halfNamed, {});
    expect(await labelNames()).toEqual(['car', 'person']);
    expect(report.dropped.map(({ label, rule }) => `${label}: ${rule}`)).toContain(
      'dog: Label "dog" is not registered for this task.',
    );
  });

  test('creates no label if it fails', async () => {
    const { request } = await send('{"images": [], "annotations": 7', { options: { create_labels: 'all' } });
    expect(request.status).toBe('failed');
    expect(await labelNames()).toEqual(['car', 'person']);
  });

  test.each([
    ['name', [[0, 'car', 10]]],
    ['number', [[0, 'car', 10]]],
    [
      'order',
      [
        [0, 'car', 10],
        [3, 'car', 50],
      ],
    ],
  ])('matches frames by %s', async (frame_matching, expected) => {
    await send(halfNamed, { options: { frame_matching } });
    expect(await stored()).toEqual(expected);
  });

  test('matches frames by the numbers in the names of their images', async () => {
    const names = ['scan_3.png', 'scan_2.png', 'scan_1.png', 'scan_0.png'];
    await send(coco(names), { options: { frame_matching: 'number' } });
    expect((await stored()).toSorted((a, b) => a[0] - b[0])).toEqual([
      [0, 'car', 50],
      [3, 'car', 10],
    ]);
  });

  test('reads one subset only', async () => {
    const part = (image: string, left: number) =>
      JSON.stringify({
        images: [{ id: 1, file_name: image, width: 320, height: 240 }],
        categories: [{ id: 1, name: 'car' }],
        annotations: [box(1, 1, 1, left), box(2, 1, 1, left + 1)],
      });
    const file = makeZip({
      'annotations/instances_train.json': part('image-000.jpg', 10),
      'annotations/instances_val.json': part('image-001.jpg', 30),
    });
    const name = 'coco.zip';
    const look = await send(file, { dryRun: true, name });
    expect(look.report.preview?.subsets).toEqual(['train', 'val']);
    const { report } = await send(file, { name, options: { subset: 'val' } });
    expect(await stored()).toEqual([
      [1, 'car', 30],
      [1, 'car', 31],
    ]);
    expect(report).toMatchObject({
      invalidCount: 0,
      dropped: [{ label: 'car', count: 2, rule: 'Left out: only the subset "val" is imported.' }],
    });
  });

  test.each([
    ['keep', 'mask'],
    ['polygons', 'polygon'],
  ])('with masks to %s imports them as %ss, if the format keeps them by default', async (masks, type) => {
    const counts = [10 * 240 + 10, 20, 220, 20, 320 * 240 - (10 * 240 + 10) - 260];
    const file = JSON.stringify({
      images: [{ id: 1, file_name: 'image-000.jpg', width: 320, height: 240 }],
      categories: [{ id: 1, name: 'car' }],
      annotations: [box(1, 1, 1, 10, { segmentation: { size: [240, 320], counts }, iscrowd: 1 })],
    });
    const { report } = await send(file, { options: { masks } });
    const { shapes } = await workbench.owner.annotations('tasks', task.id);
    expect(shapes.map((shape) => shape.type)).toEqual([type]);
    expect(report.included).toEqual([{ type, label: 'car', count: 1 }]);
  });

  test.each([
    ['first_frame', { first_frame: 2 }, [0, 1]],
    ['no word on it', {}, [1, 2]],
  ])('counts the frames of MOT from the stated number: %s', async (_title, options, frames) => {
    const rows = [2, 3].map((frame) => `${frame},-1,10,10,20,20,1,1,1`).join('\n');
    const file = makeZip({ 'gt/gt.txt': rows, 'gt/labels.txt': 'car' });
    await send(file, { format: 'MOT 1.1', name: 'mot.zip', options: { ...options, frame_matching: 'order' } });
    expect((await stored()).map(([frame]) => frame)).toEqual(frames);
  });

  test('refuses invalid words before anything is read', async () => {
    const form = new FormData();
    form.set('annotation_file', new Blob([halfNamed]), 'coco.json');
    const query = { format: 'COCO 1.0', options: '{"frame_matching": "luck"}' };
    const answer = await workbench.owner.call('POST', `/api/tasks/${task.id}/annotations/`, { query, body: form });
    expect(answer).toMatchObject({ status: 400, body: { options: [expect.stringContaining('frame_matching')] } });
  });
});

describe('the choices', () => {
  test('are listed for each format', async () => {
    const { body } = await workbench.owner.call('GET', '/api/limner/formats');
    const { importers } = body as OutputOf<Operations['formatOptions']>;
    const namesOf = (format: string) => importers.find(({ name }) => name === format)?.options.map(({ name }) => name);
    expect(namesOf('MOT 1.1')).toEqual(['first_frame', 'frame_matching']);
    expect(namesOf('PASCAL VOC 1.1')).toContain('one_based');
    expect(importers.find(({ name }) => name === 'YOLO 1.1')?.masks).toBe(false);
  });
});

describe('an export with options', () => {
  test('is refused if the options are not JSON', async () => {
    const wrong = await workbench.owner.call('POST', `/api/tasks/${task.id}/dataset/export`, {
      query: { format: 'PASCAL VOC 1.1', options: '[' },
    });
    expect(wrong.status).toBe(400);
  });
});
