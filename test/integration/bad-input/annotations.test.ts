import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { makeZip } from '../../support/craft-zip.ts';
import { ApiError } from '../../support/client.ts';
import { makeImages } from '../../support/images.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { startWorkbench } from '../http/support.ts';

const box = [10, 20, 30, 40];
const images = [0, 1, 2].map((index) => ({
  id: index + 1,
  file_name: `image-00${index}.jpg`,
  width: 320,
  height: 240,
}));
const categories = [{ id: 1, name: 'thing' }];
const annotation = (id: number, fields: object = {}) => ({
  id,
  image_id: ((id - 1) % 3) + 1,
  category_id: 1,
  bbox: box,
  area: 1200,
  iscrowd: 0,
  segmentation: [[10, 20, 40, 20, 40, 60]],
  ...fields,
});
const coco = (annotations: readonly unknown[]) => JSON.stringify({ images, categories, annotations });

const { owner: client, stop } = await startWorkbench();
afterAll(stop);
const folder = sharedFolder();
let taskId = 0;
beforeEach(async () => {
  taskId = (await client.taskWithImages({ labels: [{ name: 'thing' }] }, await makeImages(3))).id;
  const [label] = await client.labels(taskId);
  const old = { type: 'rectangle' as const, frame: 0, label_id: label?.id ?? 0, points: [1, 2, 3, 4] };
  await client.changeAnnotations('tasks', taskId, 'create', { shapes: [old] });
});

describe('invalid annotation files', () => {
  async function importContent(name: string, content: string | Uint8Array, format = 'COCO 1.0') {
    const path = join(folder, name);
    await writeFile(path, content);
    return client.ended(await client.startImport('tasks', taskId, format, { path }));
  }
  const points = async () => (await client.annotations('tasks', taskId)).shapes.map((shape) => shape.points);
  const old = [[1, 2, 3, 4]];

  it.each([
    ['an unknown image', { image_id: 77 }, 'annotations[1].image_id'],
    ['an unknown category', { category_id: 9 }, 'annotations[1].category_id'],
    ['a negative box', { segmentation: [], bbox: [10, 10, -5, 5] }, 'annotations[1].bbox'],
  ])('reports one annotation with %s with its position, and imports the others', async (_what, fields, at) => {
    const request = await importContent('one.json', coco([annotation(1), annotation(2, fields), annotation(3)]));
    expect(request.status).toBe('finished');
    expect(await points()).toEqual([
      [10, 20, 40, 20, 40, 60],
      [10, 20, 40, 20, 40, 60],
    ]);
    const report = await client.report(request.id);
    expect(report.invalidCount).toBe(1);
    expect(report.invalid[0]?.file).toBe('one.json');
    expect(report.invalid[0]?.at.startsWith(at)).toBe(true);
    expect(request.message).toMatch(/2 objects imported.*1 could not be read/);
  });

  it.each([
    ['a polygon of five numbers', [[1, 2, 3, 4, 5]]],
    ['a text among coordinates', [[1, 2, 'three', 4, 5, 6]]],
    ['a mask of another size', { size: [10, 10], counts: [100] }],
  ])('reports one annotation with %s with its position, and imports its box', async (_what, segmentation) => {
    const request = await importContent('one.json', coco([annotation(1), annotation(2, { segmentation })]));
    expect(request.status).toBe('finished');
    expect(await points()).toEqual([
      [10, 20, 40, 20, 40, 60],
      [10, 20, 40, 60],
    ]);
    const { invalid: bad, invalidCount } = await client.report(request.id);
    expect(invalidCount).toBe(1);
    expect(bad[0]).toMatchObject({ file: 'one.json', at: expect.stringMatching(/^annotations\[1\]\.segmentation/) });
  });

  it('reports one annotation that is not JSON with its position, and imports the others', async () => {
    const text = coco([annotation(1), annotation(2), annotation(3)]).replace(
      '"id":2,"image_id":2',
      '"id":2,"image_id":2x',
    );
    const request = await importContent('one.json', text);
    expect(request.status).toBe('finished');
    expect(await points()).toHaveLength(2);
    const { invalid: bad, invalidCount } = await client.report(request.id);
    expect(invalidCount).toBe(1);
    expect(bad[0]?.at).toContain('annotations[1]');
  });

  it.each([
    ['cut off in the middle', 'cut.json', coco([annotation(1), annotation(2)]).slice(0, -60)],
    ['no JSON at all', 'photo.json', 'this is not JSON'],
    ['another kind of JSON', 'other.json', '{"hello": ["world"]}'],
    ['empty', 'empty.json', ' '],
    ['nested too deep', 'deep.json', `{"images":[],"categories":[],"annotations":[${'['.repeat(300_000)}`],
  ])('refuses a file that is %s with a sentence and changes nothing', async (_what, name, content) => {
    const request = await importContent(name, content);
    expect(request.status).toBe('failed');
    expect(request.message).toMatch(/\w+ \w+ \w+/);
    expect(request.message).not.toContain('unexpected went wrong');
    expect(await points()).toEqual(old);
  });

  it('refuses a truncated archive with a sentence and changes nothing', async () => {
    const bytes = Buffer.from(coco(Array.from({ length: 500 }, (_, index) => annotation(index + 1))));
    const archive = makeZip({ 'annotations/instances_default.json': bytes });
    const request = await importContent('dataset.zip', archive.subarray(0, Math.floor(archive.length / 2)));
    expect(request.status).toBe('failed');
    expect(request.message).toContain('dataset.zip');
    expect(await points()).toEqual(old);
  });

  it('refuses or skips a path outside of the archive, and names it', async () => {
    const bytes = Buffer.from(coco([annotation(1)]));
    const archive = makeZip({
      '../../../instances_default.json': bytes,
      'annotations/instances_default.json': bytes,
    });
    const request = await importContent('dataset.zip', archive);
    const said = `${request.message} ${JSON.stringify(await client.report(request.id).catch(() => ''))}`;
    expect(said).toContain('../../../instances_default.json');
    expect(await points()).toEqual(request.status === 'failed' ? old : [[10, 20, 40, 20, 40, 60]]);
  });

  it('refuses an unknown format at once', async () => {
    const path = join(folder, 'good.json');
    await writeFile(path, coco([annotation(1)]));
    const error = await client
      .startImport('tasks', taskId, 'NoSuchFormat 9.9', { path })
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400, body: ['Unknown format specified for the request'] });
    const exported = await client.startExport('tasks', taskId, 'NoSuchFormat 9.9').catch((error: unknown) => error);
    expect(exported).toMatchObject({ status: 400, body: ['Unknown format specified for the request'] });
    expect(await points()).toEqual(old);
  });

  it('refuses a file of another format with a sentence and changes nothing', async () => {
    const request = await importContent('good.json', coco([annotation(1)]), 'CVAT 1.1');
    expect(request.status).toBe('failed');
    expect(request.message).not.toContain('unexpected went wrong');
    expect(await points()).toEqual(old);
  });
});
