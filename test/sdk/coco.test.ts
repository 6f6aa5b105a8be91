import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signIn } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { useServer } from '../support/use-server.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { preparePython } from './python.ts';

interface ReadCoco {
  readonly damaged: string | null;
  readonly images: readonly { readonly name: string; readonly size: number[]; readonly file?: number[] }[];
  readonly categories: readonly string[];
  readonly annotations: readonly {
    readonly image: string;
    readonly label: string;
    readonly area: number;
    readonly bbox: number[];
    readonly iscrowd: number;
    /** Number of pixels of the mask; missing for a box. */
    readonly pixels?: number;
    readonly painted?: number[] | null;
    readonly size?: number[];
  }[];
}

const [width, height] = [320, 240];
const folder = sharedFolder();
const python = await preparePython();
const server = await useServer();
const client = await signIn(server);

/** A plus sign of 3 × 3 pixels at (left, top): run lengths that begin with background, then the box. */
const plus = (left: number, top: number) => [1, 1, 1, 3, 1, 1, 1, left, top, left + 2, top + 2];

it('pycocotools loads an exported dataset: images, categories, areas and masks', async () => {
  const images = await makeImages(3, { width, height });
  const task = await client.taskWithImages({ labels: [{ name: 'car' }, { name: 'person' }] }, images);
  const labels = await client.labels(task.id);
  const labelId = (name: string) => labels.find((label) => label.name === name)?.id ?? 0;
  const [car, person] = [labelId('car'), labelId('person')];
  await client.changeAnnotations('tasks', task.id, 'create', {
    shapes: [
      { type: 'rectangle', frame: 0, label_id: car, points: [10, 20, 110, 70] },
      { type: 'polygon', frame: 0, label_id: person, points: [50, 50, 150, 50, 150, 150, 50, 150] },
      { type: 'polygon', frame: 2, label_id: person, points: [200.5, 100.25, 260.75, 100.25, 230, 160.5] },
      { type: 'mask', frame: 2, label_id: car, points: plus(40, 60) },
    ],
  });
  const archive = join(folder, 'dataset.zip');
  await client.exportDataset('tasks', task.id, 'COCO 1.0', archive, true);

  const read = await python<ReadCoco>('read_coco.py', [archive, join(folder, 'dataset')]);
  expect(read.damaged).toBeNull();
  expect(read.categories).toEqual(['car', 'person']);
  expect(read.images).toEqual(images.map(({ name }) => ({ name, size: [width, height], file: [width, height] })));
  const found = (image: string, label: string) =>
    read.annotations.filter((one) => one.image === image && one.label === label);
  expect(read.annotations).toHaveLength(4);

  const [box] = found('image-000.jpg', 'car');
  expect(box).toMatchObject({ area: 100 * 50, bbox: [10, 20, 100, 50], iscrowd: 0 });
  const [square] = found('image-000.jpg', 'person');
  expect(square).toMatchObject({ area: 100 * 100, bbox: [50, 50, 100, 100], pixels: 100 * 100, size: [width, height] });
  expect(square?.painted).toEqual([50, 50, 149, 149]);
  const [triangle] = found('image-002.jpg', 'person');
  const triangleArea = (60.25 * 60.25) / 2;
  // Like in CVAT's files, the area of an outline is that of its mask.
  expect(triangle?.area).toBe(triangle?.pixels);
  expect(triangle?.bbox).toEqual([200.5, 100.25, 60.25, 60.25]);
  // Rasterization changes the area of a small triangle by a few percent.
  expect(Math.abs((triangle?.pixels ?? 0) - triangleArea)).toBeLessThan(0.05 * triangleArea);
  const [mask] = found('image-002.jpg', 'car');
  expect(mask).toMatchObject({ area: 5, bbox: [40, 60, 3, 3], pixels: 5, painted: [40, 60, 42, 62] });
});

it('pycocotools loads the exported copy of a push to a repository', async () => {
  const images = await makeImages(2, { width, height });
  const task = await client.taskWithImages({ labels: [{ name: 'car' }] }, images);
  const [label] = await client.labels(task.id);
  await client.changeAnnotations('tasks', task.id, 'create', {
    shapes: [
      { type: 'rectangle', frame: 0, label_id: label?.id ?? 0, points: [10, 20, 110, 70] },
      { type: 'mask', frame: 1, label_id: label?.id ?? 0, points: plus(40, 60) },
    ],
  });
  const repository = join(folder, 'data.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  const place = `/api/limner/tasks/${task.id}/git`;
  await client.good('PUT', place, { json: { address: repository, folder: 'street', format: 'COCO 1.0' } });
  await client.good('POST', `${place}/push`, { json: {} });
  const clone = join(folder, 'clone');
  execFileSync('git', ['clone', '--quiet', repository, clone]);

  const copy = join(clone, 'street', 'export');
  const read = await python<ReadCoco>('read_coco.py', [copy, copy]);
  expect(read.images).toEqual(images.map(({ name }) => ({ name, size: [width, height] })));
  expect(read.annotations).toMatchObject([
    { image: 'image-000.jpg', label: 'car', bbox: [10, 20, 100, 50] },
    { image: 'image-001.jpg', label: 'car', pixels: 5, painted: [40, 60, 42, 62] },
  ]);
});

it('pycocotools reads the captions of an export, and shows them', async () => {
  const images = await makeImages(2, { width, height });
  const attributes = [{ name: 'caption', mutable: false, input_type: 'text' as const, default_value: '', values: [] }];
  const task = await client.taskWithImages({ labels: [{ name: 'caption', attributes }] }, images);
  const [label] = await client.labels(task.id);
  const caption = (frame: number, value: string) => ({
    frame,
    label_id: label?.id ?? 0,
    attributes: [{ spec_id: label?.attributes[0]?.id ?? 0, value }],
  });
  const tags = [caption(0, 'Two cars.'), caption(0, 'Zwei „Autos“ 写'), caption(1, 'A road.')];
  await client.changeAnnotations('tasks', task.id, 'create', { tags });
  const archive = join(folder, 'captions.zip');
  await client.exportDataset('tasks', task.id, 'COCO Captions 1.0', archive);
  const read = await python('read_coco.py', [archive, join(folder, 'captions'), 'captions_default.json']);
  expect(read).toEqual({
    captions: { 'image-000.jpg': ['Two cars.', 'Zwei „Autos“ 写'], 'image-001.jpg': ['A road.'] },
    shown: ['Two cars.', 'Zwei „Autos“ 写', 'A road.'],
  });
});
