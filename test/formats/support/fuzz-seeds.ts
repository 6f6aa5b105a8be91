import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { maskFromBitmap } from '../../../preload/geometry/mask-runs.ts';
import {
  completeLabel,
  createInMemoryTaskData,
  type InMemoryTaskDataOptions,
} from '../../../main/formats/kit/in-memory-task-data.ts';
import type { RegisteredExporter } from '../../../main/formats/kit/plugin.ts';
import { createFormatRegistry } from '../../../main/formats/registry.ts';
import type { LabeledShape, Tag, Track } from '../../../main/formats/kit/task-data.ts';
import { ownFixtureSets } from './fixture-sets.ts';
import { entriesOf, formatFixtures, exportToZip, shapeOf } from './format-fixtures.ts';
import { attributeOf, oneTrack, sceneFrames, sceneLabels } from './scenes.ts';

export interface Seed {
  readonly origin: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Labels that single formats require, besides those of every scene. */
const person = { person_id: '7', camera_id: '2', query: 'false', text: 'WORD', caption: 'A word.' };
const attributesOfOthers = Object.keys(person).map((name) => attributeOf(name, 'text', [], false));
const named = ['icdar', 'market-1501', 'face', 'caption', 'object--vehicle--car'];
export const fuzzLabels = [
  ...sceneLabels,
  ...named.map((name) => completeLabel({ name, color: '#0a0b0c', attributes: attributesOfOthers })),
];

const frames = sceneFrames.map((frame) => ({ ...frame, subset: 'train' }));
export const fuzzTask: InMemoryTaskDataOptions = { frames, labels: fuzzLabels };

const bitmap = Array.from({ length: 100 }, (_, index) => (index % 7 === 3 ? 0 : 1));
const elements = (sceneLabels[3]?.sublabels ?? []).map(({ name }, index) =>
  shapeOf({ type: 'points', label: name, points: [10 + index, 20.5], outside: index === 2 }),
);
const attributes = [
  { name: 'text', value: 'blue & <green> "x"' },
  { name: 'flag', value: 'true' },
  { name: 'count', value: '3' },
];

const shapes: readonly LabeledShape[] = [
  shapeOf({ type: 'rectangle', label: 'car', points: [10, 10, 30.25, 25.5], attributes, score: 0.5 }),
  shapeOf({ type: 'rectangle', label: 'car', points: [10, 10, 30, 25], rotation: 30, frame: 1 }),
  shapeOf({ type: 'ellipse', label: 'tall tree', points: [30, 24, 40, 18], frame: 1 }),
  shapeOf({ type: 'polygon', label: 'Hündchen', points: [10, 10, 30, 10, 20, 30, 5.5, 12.25], group: 2 }),
  shapeOf({ type: 'polygon', label: 'car', points: [1, 1, 9, 1, 9, 9], group: 2, z_order: 1 }),
  shapeOf({ type: 'polyline', label: 'car', points: [10, 10, 30, 10, 20, 30], occluded: true }),
  shapeOf({ type: 'points', label: 'car', points: [10, 10, 30, 10, 11, 12, 13, 14, 15, 16], frame: 2 }),
  shapeOf({ type: 'cuboid', label: 'car', points: Array.from({ length: 16 }, (_, index) => 10 + index) }),
  shapeOf({ type: 'mask', label: 'tall tree', points: maskFromBitmap(bitmap, 10, 10, { left: 5, top: 6 }) ?? [] }),
  shapeOf({ type: 'mask', label: 'car', points: maskFromBitmap(bitmap, 20, 5, { left: 25, top: 16 }) ?? [], frame: 3 }),
  shapeOf({ type: 'skeleton', label: 'body', points: [], elements, frame: 1 }),
];
const tags: readonly Tag[] = ['car', 'tall tree', 'icdar', 'market-1501', 'face'].map((label, index) => ({
  frame: index % 4,
  label,
  attributes:
    label === 'car' ? attributes : index > 1 ? Object.entries(person).map(([name, value]) => ({ name, value })) : [],
  group: 0,
}));
const tracks: readonly Track[] = [oneTrack, { ...oneTrack, label: 'car', shapes: oneTrack.shapes.slice(0, 2) }];

const registry = createFormatRegistry();

/** Exporters whose files are read by an importer of another name. */
const writers: Readonly<Record<string, readonly string[]>> = {
  'CVAT 1.1': ['CVAT for images 1.1', 'CVAT for video 1.1'],
  'COCO 1.0': ['COCO 1.0', 'COCO RLE 1.0'],
};

const results = [
  { image_id: 1, category_id: 1, bbox: [1, 2, 3, 4], score: 0.5 },
  { image_id: 1, category_id: 2, segmentation: { counts: 'PPYo1', size: [48, 64] }, score: 0.25 },
  { image_id: 2, category_id: 1, keypoints: [1, 2, 2, 3, 4, 1], score: 1 },
];

async function exported(exporter: RegisteredExporter): Promise<Seed> {
  const task = createInMemoryTaskData({ ...fuzzTask, shapes, tags, tracks });
  const { path } = await exportToZip(exporter, task);
  return { origin: `export of ${exporter.display_name}`, files: await entriesOf(path) };
}

function readFixture(folder: string): Seed {
  const root = join(formatFixtures, folder);
  if (statSync(root).isFile()) return { origin: folder, files: new Map([[basename(root), readFileSync(root)]]) };
  const files = new Map<string, Buffer>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(relative(root, path).replaceAll('\\', '/'), readFileSync(path));
  }
  return { origin: folder, files };
}

/** Image names that the valid inputs of an importer refer to, if the images are beside them. */
export function picturesOf(seeds: readonly Seed[]): string[] {
  const paths = seeds.flatMap(({ files }) => [...files.keys()]);
  return [...new Set(paths.filter((path) => /\.(?:jpe?g|png|bmp)$/i.test(path)))];
}

/** Valid inputs for an importer: files of its exporter, and small files of other tools. */
export async function seedsFor(importer: string): Promise<Seed[]> {
  const names = writers[importer] ?? [importer];
  const exporters = names.flatMap((name) => registry.findExporter(name) ?? []);
  const own = await Promise.all(exporters.map(exported));
  const others = ownFixtureSets.filter((set) => set.importer === importer).map(({ folder }) => readFixture(folder));
  const bare =
    own.length + others.length === 0 || importer === 'COCO Results 1.0'
      ? [{ origin: 'results', files: new Map([['results.json', Buffer.from(JSON.stringify(results))]]) }]
      : [];
  return [...own, ...others, ...bare];
}
