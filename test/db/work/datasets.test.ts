import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import {
  labeledDataSchema,
  type LabeledData,
  type LabeledDataInput,
} from '../../../preload/contract/schema/annotations.ts';
import { dataRequestSchema, taskWriteSchema } from '../../../preload/contract/schema/resources.ts';
import { useCoreHarness } from './core-harness.ts';

const harness = useCoreHarness();
const images = join(harness.folder, 'images');
mkdirSync(images);
for (let frame = 0; frame < 6; frame += 1) {
  const picture = sharp({ create: { width: 200, height: 100, channels: 3, background: '#345678' } });
  await picture.jpeg().toFile(join(images, `photo_${frame}.jpg`));
}

const data = (input: LabeledDataInput) => labeledDataSchema.parse(input);

async function createTask() {
  const { core, admin } = harness;
  const labels = [
    { name: 'car', attributes: [{ name: 'parked', input_type: 'checkbox', default_value: 'false', values: [] }] },
    { name: 'person' },
  ];
  const task = core.tasks.create(admin, taskWriteSchema.parse({ name: 'photos', labels }));
  const { rq_id } = core.taskData.start(admin, task.id, dataRequestSchema.parse({ server_files: [images] }), []);
  expect((await harness.ended(rq_id)).status).toBe('finished');
  const list = core.labels.list(admin, { page: 1, pageSize: 'all', equals: { task_id: String(task.id) } }).results;
  const id = (name: string) => list.find((label) => label.name === name)!.id;
  return { id: task.id, car: id('car'), person: id('person') };
}

async function exportTask(id: number, format: string, saveImages = false) {
  const { core, admin } = harness;
  const { rq_id } = await core.datasets.startExport(admin, { kind: 'task', id }, { format, saveImages });
  const request = await harness.ended(rq_id);
  expect(request).toMatchObject({ status: 'finished' });
  return { file: core.requests.result(admin, rq_id).file, report: core.requests.report(admin, rq_id) };
}

async function importTask(id: number, format: string, file: string, mode: 'replace' | 'append' = 'replace') {
  const { core, admin, folder } = harness;
  const copy = join(folder, `upload-${Math.random()}`);
  copyFileSync(file, copy);
  const { rq_id } = await core.datasets.startImport(
    admin,
    { kind: 'task', id },
    { format, mode, file: { path: copy, name: file.endsWith('.json') ? 'annotations.json' : 'annotations.zip' } },
  );
  return { request: await harness.ended(rq_id), report: () => core.requests.report(admin, rq_id) };
}

/** Annotations without the parts that differ in every import: ids and source. */
function comparable(annotations: LabeledData, names: ReadonlyMap<number, string>) {
  const strip = (item: LabeledData['shapes'][number]) => ({
    frame: item.frame,
    type: item.type,
    label: names.get(item.label_id),
    points: item.points,
    rotation: item.rotation,
    occluded: item.occluded,
    z_order: item.z_order,
  });
  return annotations.shapes.map(strip).toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}

const scene = (car: number, person: number): LabeledDataInput => ({
  shapes: [
    { type: 'rectangle', frame: 0, label_id: car, points: [10.5, 20.25, 60.75, 80] },
    { type: 'polygon', frame: 1, label_id: person, points: [10, 10, 100, 15.5, 80, 90.25] },
    { type: 'polygon', frame: 5, label_id: car, points: [1, 1, 30, 2, 30, 40, 3, 50] },
  ],
});

describe('a round trip of an exported dataset', () => {
  test.each([
    ['COCO 1.0', 'COCO 1.0'],
    ['CVAT for images 1.1', 'CVAT 1.1'],
  ])('%s', async (exporter, importer) => {
    const from = await createTask();
    harness.core.annotations.changeTask(harness.admin, from.id, 'create', data(scene(from.car, from.person)));
    const { file, report } = await exportTask(from.id, exporter, true);
    expect(report.dropped).toEqual([]);
    const to = await createTask();
    const { request } = await importTask(to.id, importer, file);
    expect(request.message).toBe('3 objects imported.');
    const name = (task: typeof from) =>
      new Map([
        [task.car, 'car'],
        [task.person, 'person'],
      ]);
    const read = (task: typeof from) =>
      comparable(harness.core.annotations.readTask(harness.admin, task.id), name(task));
    expect(read(to)).toEqual(read(from));
  });
});

describe('an import', () => {
  const coco = (annotations: unknown[]) =>
    JSON.stringify({
      images: [0, 1, 2, 3, 4, 5].map((id) => ({ id: id + 1, file_name: `photo_${id}.jpg`, width: 200, height: 100 })),
      annotations,
      categories: [{ id: 7, name: 'car' }],
    });
  const boxAt = (id: number, image: number, x = 5) => ({ id, image_id: image, category_id: 7, bbox: [x, 5, 10, 10] });

  test('reports one broken annotation with its position, and imports the others', async () => {
    const task = await createTask();
    const file = join(harness.folder, 'broken.json');
    writeFileSync(file, coco([boxAt(1, 1), { id: 2, image_id: 1, category_id: 7, bbox: [1, 2, 'x'] }, boxAt(3, 2)]));
    const { request, report } = await importTask(task.id, 'COCO 1.0', file);
    expect(request).toMatchObject({ status: 'finished', message: '2 objects imported, 1 could not be read.' });
    expect(report().invalid).toMatchObject([{ at: expect.stringContaining('annotations[1]') }]);
    expect(harness.core.annotations.readTask(harness.admin, task.id).shapes).toHaveLength(2);
  });

  test('replaces by default and appends on demand', async () => {
    const task = await createTask();
    const file = join(harness.folder, 'two.json');
    writeFileSync(file, coco([boxAt(1, 1), boxAt(2, 2)]));
    await importTask(task.id, 'COCO 1.0', file);
    await importTask(task.id, 'COCO 1.0', file, 'append');
    const shapes = () => harness.core.annotations.readTask(harness.admin, task.id).shapes;
    expect(shapes()).toHaveLength(4);
    await importTask(task.id, 'COCO 1.0', file);
    expect(shapes()).toHaveLength(2);
    expect(shapes().every((shape) => shape.source === 'file')).toBe(true);
  });

  test('of an unreadable file changes nothing', async () => {
    const task = await createTask();
    harness.core.annotations.changeTask(harness.admin, task.id, 'create', data(scene(task.car, task.person)));
    const before = harness.core.annotations.readTask(harness.admin, task.id);
    const file = join(harness.folder, 'cut.json');
    writeFileSync(file, coco([boxAt(1, 1), boxAt(2, 2)]).slice(0, -60));
    const { request } = await importTask(task.id, 'COCO 1.0', file);
    expect(request.status).toBe('failed');
    expect(request.message).not.toBe('');
    expect(harness.core.annotations.readTask(harness.admin, task.id)).toEqual(before);
    const pending = harness.database.query("SELECT count(*) AS n FROM annotation_set WHERE state = 'pending'").get();
    expect(pending).toEqual({ n: 0 });
  });
});

test('a second export runs again with the id of the first', async () => {
  const task = await createTask();
  const { core, admin } = harness;
  const start = () =>
    core.datasets.startExport(admin, { kind: 'task', id: task.id }, { format: 'YOLO 1.1', saveImages: false });
  const { rq_id } = await start();
  await expect(start()).rejects.toThrow('Export request is being processed');
  const first = await harness.ended(rq_id);
  expect(await start()).toEqual({ rq_id });
  const second = await harness.ended(rq_id);
  expect(Date.parse(second.finished_date ?? '')).toBeGreaterThan(Date.parse(first.finished_date ?? ''));
});
