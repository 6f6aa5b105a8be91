import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signedPolygonArea } from '../../preload/geometry/geometry.ts';
import { maskArea, maskFromBitmap } from '../../preload/geometry/mask-runs.ts';
import type { LabeledShape, Tag } from '../../main/formats/kit/task-data.ts';
import {
  exportTo,
  formatFixtures,
  exporterOf,
  importerOf,
  runImport,
  shapeOf,
} from '../formats/support/format-fixtures.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { frameImages, height, width } from './images.ts';
import { preparePython } from './python.ts';

interface Read {
  readonly problem?: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly boxes: readonly (readonly [string, string, readonly number[]])[];
  readonly pixels: Readonly<Record<string, number>>;
  readonly items: number;
  readonly pictures: number;
}

const shape = (frame: number, type: LabeledShape['type'], label: string, points: readonly number[]) =>
  shapeOf({ frame, type, label, points });
const solid = maskFromBitmap(new Uint8Array(400).fill(1), 20, 20, { left: 200, top: 100 }) ?? [];
const shapes = [
  shape(0, 'rectangle', 'car', [10, 20, 110, 70]),
  shape(0, 'rectangle', 'person', [50.5, 60.25, 90.75, 200]),
  shape(1, 'polygon', 'person', [50, 50, 150, 50, 150, 150, 50, 150]),
  shape(1, 'mask', 'car', solid),
];
const boxes = { 'bbox car': 1, 'bbox person': 1 };
const tags: Tag[] = [{ frame: 2, label: 'car', attributes: [{ name: 'caption', value: 'A car.' }], group: 0 }];

/**
 * Results of datumaro's own readers, by its name of the format. It reads a mask's box with COCO. For LabelMe and
 * Cityscapes it knows another layout than CVAT, for Ultralytics' formats only boxes. For KITTI's masks it adds a mask
 * of the pixels without an object.
 */
const formats: readonly (readonly [format: string, reader: string, counts: Readonly<Record<string, number>>])[] = [
  ['COCO 1.0', 'coco_instances', { 'bbox car': 2, 'bbox person': 2, 'polygon person': 1, 'mask car': 1 }],
  ['COCO RLE 1.0', 'coco_instances', { 'bbox car': 2, 'bbox person': 2, 'polygon person': 1, 'mask car': 1 }],
  ['COCO Captions 1.0', 'coco_captions', { caption: 1 }],
  ['COCO Labels 1.0', 'coco_labels', { 'label car': 1 }],
  ['CVAT for images 1.1', 'cvat', { ...boxes, 'polygon person': 1, 'mask car': 1, 'label car': 1 }],
  ['Datumaro 1.0', 'datumaro', { ...boxes, 'polygon person': 1, 'mask car': 1, 'label car': 1 }],
  ['PASCAL VOC 1.1', 'voc', { ...boxes, 'mask car': 1, 'mask person': 1, 'label car': 1 }],
  ['CamVid 1.0', 'camvid', { 'mask car': 2, 'mask person': 2 }],
  ['KITTI 1.0', 'kitti', boxes],
  ['KITTI 1.0', 'kitti_segmentation', { 'mask car': 1, 'mask person': 1, 'mask background': 1 }],
  ['YOLO 1.1', 'yolo', boxes],
  ['Ultralytics YOLO Detection 1.0', 'yolo', boxes],
  ['Open Images V6 1.0', 'open_images', { ...boxes, 'mask car': 1, 'mask person': 1, 'label car': 1 }],
  ['ImageNet 1.0', 'imagenet', { 'label car': 1 }],
  ['MOT 1.1', 'mot_seq', boxes],
  ['WiderFace 1.0', 'wider_face', { ...boxes, 'label car': 1 }],
  ['VGGFace2 1.0', 'vgg_face2', { ...boxes, 'label car': 1 }],
  ['DOTA 1.0', 'dota', { 'rotated_bbox car': 1, 'rotated_bbox person': 1 }],
  ['VoTT JSON 1.0', 'vott_json', { 'bbox car': 2, 'bbox person': 2 }],
];

/** Datasets that were created from a description of their format, because datumaro reads them and writes none. */
const described = [
  ['ADE20k 1.0', 'ade20k-2016', 'ade20k2017'],
  ['ADE20k 1.0', 'ade20k-2021', 'ade20k2020'],
  ['Mapillary Vistas 2.0', 'mapillary', 'mapillary_vistas_instances'],
] as const;

const folder = sharedFolder();
const python = await preparePython('requirements-datasets.txt');
const images = await frameImages(3);
const jobs: [string, string, string][] = [];
for (const [format, reader] of formats) {
  const task = {
    frames: [1, 2, 3].map((number) => ({ name: `00000${number}.jpg`, width, height, subset: 'train' })),
    labels: [
      { name: 'car', color: '#ff0000' },
      { name: 'person', color: '#00ff00' },
    ],
    images,
    shapes,
    tags,
    meta: { subset: 'train' },
  };
  const path = join(folder, `${format} ${reader}.zip`);
  await exportTo(path, exporterOf(format), task, true);
  jobs.push([path, `${format} ${reader}`, reader]);
}
for (const [, fixture, reader] of described) jobs.push([join(formatFixtures, fixture), fixture, reader]);
const read = await python<Readonly<Record<string, Read>>>('read_dataset.py', [JSON.stringify(jobs)]);

it.each(formats)('datumaro reads %s with its reader %s', (format, reader, counts) => {
  const found = read[`${format} ${reader}`];
  expect(found?.problem).toBeUndefined();
  expect(found?.counts).toEqual(counts);
  const rectangles = found?.boxes.filter(([type, , [left]]) => type === 'bbox' && (left === 10 || left === 50.5));
  if ('bbox car' in counts) {
    expect(rectangles).toEqual([
      ['bbox', 'car', [10, 20, 100, 50]],
      ['bbox', 'person', [50.5, 60.25, 40.25, 139.75]],
    ]);
  }
});

it.each(described)("the import of %s in %s equals datumaro's", async (format, fixture, reader) => {
  expect(read[fixture]?.problem).toBeUndefined();
  const labels = Object.keys(read[fixture]?.pixels ?? {}).map((name) => ({ name }));
  const picture = { name: fixture === 'mapillary' ? 'photo_1.png' : 'street/photo_1.png', width: 12, height: 8 };
  const given = { frames: [picture], labels };
  const options = { conv_mask_to_poly: false };
  const { task } = await runImport(importerOf(format), join(formatFixtures, fixture), given, { options });
  const sizes = task.shapes.map(({ type, label, points }) => [
    label,
    type === 'mask' ? maskArea(points) : Math.abs(signedPolygonArea(points)),
  ]);
  expect(Object.fromEntries(sizes)).toEqual(read[fixture]?.pixels);
  expect(sizes, reader).toHaveLength(labels.length);
});
