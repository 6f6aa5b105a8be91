import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signIn } from '../../support/client.ts';
import { makeImages } from '../../support/images.ts';
import { useServer } from '../../support/use-server.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { runHere } from './support/run-here.ts';
import type { CommandResult } from './support/run-limner.ts';

const folder = sharedFolder();
const dataDir = join(folder, 'data');

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const evaluate = (...args: readonly string[]): Promise<CommandResult> =>
  runHere(['evaluate', ...args, ...(args.includes('--truth') ? [] : ['--data-dir', dataDir])]);
const measuresOf = async (...args: readonly string[]): Promise<Record<string, number>> => {
  const { exitCode, output, errorOutput } = await evaluate(...args, '--json');
  expect(errorOutput).not.toMatch(/error/i);
  expect(exitCode).toBe(0);
  return JSON.parse(output) as Record<string, number>;
};
const twelve = ['AP', 'AP50', 'AP75', 'APs', 'APm', 'APl', 'AR1', 'AR10', 'AR100', 'ARs', 'ARm', 'ARl'];

// The second result is moved by a quarter of its width: an IoU of 0.6.
const perfect = { image_id: 1, category_id: 1, score: 0.9, bbox: [10, 20, 100, 50] };
const shifted = { image_id: 2, category_id: 1, score: 0.8, bbox: [55, 40, 100, 80] };
const square = [10, 20, 110, 20, 110, 70, 10, 70];

const server = await useServer({ dataDir });
const client = await signIn(server);
const { id: task } = await client.taskWithImages({ labels: [{ name: 'car' }] }, await makeImages(3));
const label = (await client.labels(task))[0]?.id ?? 0;
await client.changeAnnotations('tasks', task, 'create', {
  shapes: [
    { type: 'rectangle', frame: 0, label_id: label, points: [10, 20, 110, 70] },
    { type: 'rectangle', frame: 1, label_id: label, points: [30, 40, 130, 120] },
  ],
});

describe('limner evaluate', () => {
  it('evaluates results against a task, by the ids of its COCO export', async () => {
    const predictions = file('results.json', [perfect, shifted]);
    const measures = await measuresOf('--task', String(task), '--predictions', predictions);
    expect(Object.keys(measures)).toEqual(twelve);
    // Both are found up to an IoU of 0.6, one of two beyond: precision 1 up to recall 0.5.
    expect(measures['AP50']).toBeCloseTo(1, 9);
    expect(measures['AP75']).toBeCloseTo(51 / 101, 9);
    expect(measures['AP']).toBeCloseTo((3 + 7 * (51 / 101)) / 10, 9);
    expect(measures['AR1']).toBeCloseTo((3 + 7 * 0.5) / 10, 9);
    expect(measures['APs']).toBe(-1);
  });

  it('compares masks and keypoints on request', async () => {
    const truth = file('truth.json', {
      images: [{ id: 7, width: 320, height: 240 }],
      categories: [{ id: 3, name: 'person' }],
      annotations: [
        {
          id: 1,
          image_id: 7,
          category_id: 3,
          bbox: [10, 20, 100, 50],
          area: 5000,
          iscrowd: 0,
          segmentation: [square],
          keypoints: Array.from({ length: 17 }, (_, at) => [10 + at, 20 + at, 2]).flat(),
          num_keypoints: 17,
        },
      ],
    });
    const masks = file('masks.json', [{ image_id: 7, category_id: 3, score: 0.5, segmentation: [square] }]);
    expect((await measuresOf('--truth', truth, '--predictions', masks))['AP']).toBeCloseTo(1, 9);
    const points = Array.from({ length: 17 }, (_, at) => [10 + at, 20 + at, 1]).flat();
    const skeletons = file('points.json', [{ image_id: 7, category_id: 3, score: 0.5, keypoints: points }]);
    const measured = await measuresOf('--truth', truth, '--predictions', skeletons, '--kind', 'keypoints');
    expect(Object.keys(measured)).toEqual(['AP', 'AP50', 'AP75', 'APm', 'APl', 'AR', 'AR50', 'AR75', 'ARm', 'ARl']);
    expect(measured['AP']).toBeCloseTo(1, 9);
  });

  it('ends with another code below a threshold, and prints a table for people', async () => {
    const predictions = file('shifted.json', [shifted]);
    const all = ['--task', String(task), '--predictions', predictions];
    const { exitCode, output, errorOutput } = await evaluate(...all, '--min-ap', '0.9');
    expect(exitCode).toBe(1);
    expect(errorOutput).toContain('below 0.9');
    expect(output).toMatch(/1 predictions, 2 ground-truth objects, 3 images, compared as bbox/);
    expect(output).toMatch(/^car +0\.\d{3} +0\.\d{3} +0\.\d{3} +0\.\d{3}$/m);
    expect((await evaluate(...all, '--min-ap', '0.01')).exitCode).toBe(0);
  });

  it('evaluates a file of any format that can be imported, in every way, and leaves nothing behind', async () => {
    const exported = join(folder, 'exported.zip');
    const format = 'CVAT for images 1.1';
    const wrote = await runHere([
      'export',
      '--task',
      String(task),
      '--format',
      format,
      '--output',
      exported,
      '--data-dir',
      dataDir,
    ]);
    expect(wrote.exitCode).toBe(0);
    const all = ['--task', String(task), '--predictions', exported, '--format', 'CVAT 1.1'];
    const boxes = await measuresOf(...all);
    expect(Object.keys(boxes)).toEqual(twelve);
    expect(boxes['AP']).toBeCloseTo(1, 9);
    const pixels = await evaluate(...all, '--kind', 'semantic', '--min', 'mIoU=0.99');
    expect(pixels.exitCode).toBe(0);
    expect(pixels.output).toMatch(/^mIoU +1\.000$/m);
    const client = await signIn(server);
    const { results } = await client.good<{ results: unknown[] }>('GET', `/api/limner/tasks/${task}/predictions`);
    expect(results).toEqual([]);
    const below = await evaluate(...all, '--kind', 'tracks', '--min', 'HOTA=0.5');
    expect(below.exitCode).toBe(1);
    expect(below.errorOutput).toContain('HOTA is –, below 0.5');
    expect(await evaluate(...all, '--min', 'HOTA=0.5')).toMatchObject({ exitCode: 2 });
  });

  it("evaluates a model's predictions for the tasks of a project, and names the tasks that do not count", async () => {
    const client = await signIn(server);
    const project = await client.good<{ id: number }>('POST', '/api/projects', {
      json: { name: 'streets', labels: [{ name: 'car' }] },
    });
    const images = await makeImages(1);
    const seen = await client.taskWithImages({ name: 'seen', project_id: project.id }, images);
    const unseen = await client.taskWithImages({ name: 'unseen', project_id: project.id }, images);
    const [label] = await client.labels(seen.id);
    const shapes = [{ type: 'rectangle' as const, frame: 0, label_id: label?.id ?? 0, points: [10, 20, 110, 70] }];
    await client.changeAnnotations('tasks', seen.id, 'create', { shapes });
    const { id } = await client.good<{ id: number }>('POST', `/api/limner/tasks/${seen.id}/predictions`, {
      json: { name: 'yolo' },
    });
    await client.good('POST', `/api/limner/predictions/${id}/objects`, { json: { shapes } });
    await client.good('PATCH', `/api/limner/predictions/${id}`, { json: { state: 'ready' } });

    const all = ['--project', String(project.id), '--model', 'yolo'];
    const { exitCode, output, errorOutput } = await evaluate(...all, '--min-ap', '0.99');
    expect([exitCode, output.includes('1 predictions, 1 ground-truth objects, 1 images, compared as bbox')]).toEqual([
      0,
      true,
    ]);
    expect(errorOutput).toContain(`Task ${unseen.id} (unseen) was skipped`);
    expect((await client.good<{ results: unknown[] }>('GET', '/api/limner/evaluations')).results).toEqual([]);
    expect(await evaluate(...all, '--ground-truth')).toMatchObject({ exitCode: 3 });
    expect(await evaluate('--project', String(project.id))).toMatchObject({ exitCode: 2 });
    expect(await evaluate('--project', '999', '--model', 'yolo')).toMatchObject({ exitCode: 3 });
  });

  it('prints only -1 if there is nothing to evaluate, and 0 if nothing was found', async () => {
    const nothing = file('nothing.json', []);
    const measures = await measuresOf('--task', String(task), '--predictions', nothing);
    expect([measures['AP'], measures['AR100'], measures['APs']]).toEqual([0, 0, -1]);
    const empty = file('empty-truth.json', {
      images: [{ id: 1, width: 10, height: 10 }],
      categories: [{ id: 1, name: 'car' }],
      annotations: [],
    });
    const { exitCode, output, errorOutput } = await evaluate('--truth', empty, '--predictions', nothing, '--json');
    expect([exitCode, new Set(Object.values(JSON.parse(output) as object))]).toEqual([0, new Set([-1])]);
    expect(errorOutput).toContain('Metrics without a value are -1');
  });

  it.each([
    ['is no list', { images: [] }, /contains no COCO results/],
    ['has no score', [{ image_id: 1, category_id: 1, bbox: [1, 2, 3, 4] }], /result 1 has no numeric score/],
    ['has a broken box', [{ ...perfect, bbox: [1, 2, 3] }], /result 1 has no box of four numbers/],
    ['has nothing to compare', [{ image_id: 1, category_id: 1, score: 1 }], /neither "bbox" nor/],
    [
      'is of other images',
      [{ ...perfect, image_id: 900 }],
      /results for 1 images that are not in the ground truth .*900/,
    ],
    ['is no JSON', '[{"image_id": 1', /Cannot read the JSON at byte/],
    [
      'has run lengths of another size',
      [{ image_id: 1, category_id: 1, score: 1, segmentation: { size: [10, 10], counts: [50] } }],
      /result 1: The runs cover 50 pixels/,
    ],
  ])('refuses a file that %s, with its position', async (name, content, message) => {
    const predictions = file(`${name}.json`, content);
    const { exitCode, output, errorOutput } = await evaluate('--task', String(task), '--predictions', predictions);
    expect(errorOutput).toMatch(message);
    expect(exitCode).not.toBe(0);
    expect(output).toBe('');
  });

  it('names missing arguments', async () => {
    const predictions = file('some.json', [perfect]);
    expect(await evaluate('--predictions', predictions)).toMatchObject({ exitCode: 2 });
    expect(await evaluate('--task', '999', '--predictions', predictions)).toMatchObject({ exitCode: 3 });
    expect((await evaluate('--task', '1', '--predictions', join(folder, 'gone.json'))).exitCode).not.toBe(0);
    const format = await evaluate('--truth', predictions, '--predictions', predictions, '--format', 'YOLO 1.1');
    expect(format).toMatchObject({ exitCode: 2 });
    expect(format.errorOutput).toContain('add --task ID');
    const tracks = await evaluate('--truth', predictions, '--predictions', predictions, '--kind', 'tracks');
    expect(tracks.errorOutput).toContain('add --task ID');
  });
});
