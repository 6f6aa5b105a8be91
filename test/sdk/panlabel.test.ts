import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { LabeledShape } from '../../main/formats/kit/task-data.ts';
import { entriesOf, exportToZip, folderOf, exporterOf, shapeOf } from '../formats/support/format-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { frameImages } from './images.ts';
import { prepareExecutable } from './python.ts';

const run = promisify(execFile);
const [width, height] = [64, 48];
const box = (frame: number, label: string, points: readonly number[]): LabeledShape =>
  shapeOf({ type: 'rectangle', frame, label, points });
const shapes = [box(0, 'car', [1, 2, 11.5, 14]), box(0, 'person', [20, 10, 40, 30]), box(1, 'person', [5, 6, 12, 14])];
/** `image label left top width height`, from panlabel's COCO output. */
const expected = ['000001 car 1 2 10.5 12', '000001 person 20 10 20 20', '000002 person 5 6 7 8'];

/**
 * Exported format, panlabel's name of it, and the part of the archive that panlabel reads. For Supervisely and V7 it
 * reads only its own layout.
 */
const formats: readonly (readonly [format: string, name: string, part: string])[] = [
  ['SuperAnnotate JSON 1.0', 'superannotate', '.'],
  ['Cityscapes Polygons 1.0', 'cityscapes', '.'],
  ['BDD100K 1.0', 'bdd100k', 'labels/train.json'],
  ['Labelbox NDJSON 1.0', 'labelbox', 'train.ndjson'],
  ['VIA JSON 2.0', 'via', 'train/via_region_data.json'],
  ['Hugging Face ImageFolder 1.0', 'hf', 'train'],
];

const program = await prepareExecutable('panlabel', 'requirements-panlabel.txt');

interface Coco {
  readonly images: readonly { id: number; file_name: string }[];
  readonly categories: readonly { id: number; name: string }[];
  readonly annotations: readonly { image_id: number; category_id: number; bbox: readonly number[] }[];
}

it.each(formats)('panlabel reads %s', async (format, name, part) => {
  const images = await frameImages(2, { width, height });
  const task = {
    frames: [1, 2].map((number) => ({ name: `00000${number}.jpg`, width, height, subset: 'train' })),
    labels: ['car', 'person'].map((label) => ({ name: label, color: '#ff0000' })),
    shapes,
    images,
  };
  const { path } = await exportToZip(exporterOf(format), task, true);
  const unpacked = folderOf(Object.fromEntries(await entriesOf(path)));
  const output = join(temporaryFolder(), 'coco.json');
  await run(program, [
    'convert',
    '--from',
    name,
    '--to',
    'coco',
    '--input',
    join(unpacked, part),
    '--output',
    output,
    '--allow-lossy',
  ]);
  const { default: coco } = (await import(output, { with: { type: 'json' } })) as { default: Coco };
  const found = coco.annotations.map(({ image_id, category_id, bbox }) => {
    const image = coco.images.find(({ id }) => id === image_id)?.file_name ?? '';
    const label = coco.categories.find(({ id }) => id === category_id)?.name ?? '';
    return [/\d{6}/.exec(image)?.[0], label, ...bbox.map((value) => Math.round(value * 100) / 100)].join(' ');
  });
  expect(found.toSorted()).toEqual(expected);
});
