import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ade20kImporter } from '../../main/formats/ade20k/index.ts';
import { encodePng } from '../../main/formats/kit/mask-files/png-writer.ts';
import { mapillaryImporter } from '../../main/formats/mapillary/index.ts';
import { detectFormat } from '../../main/formats/registry.ts';
import { folderOf, formatFixtures, runImport, zipOf } from './support/format-fixtures.ts';
import { attributeOf } from './support/scenes.ts';

const attributes = ['class', 'attributes'].map((name) => attributeOf(name, 'text'));
const task = {
  frames: [{ name: 'photo_1.png', width: 12, height: 8 }],
  labels: ['car', 'person', 'wheel', 'object--vehicle--car', 'human--person'].map((name) => ({ name, attributes })),
};
const masks = { options: { conv_mask_to_poly: false } };
const detected = async (path: string) => (await detectFormat({ path, name: 'data' })).map(({ name }) => name);
const fixture = (name: string) => join(formatFixtures, name);

describe('ADE20k', () => {
  it('of 2016 reads objects and their parts as overlapping masks, with classes and attributes', async () => {
    const { task: read, summary } = await runImport(ade20kImporter, fixture('ade20k-2016'), task, masks);
    expect(read.shapes).toMatchObject([
      { type: 'mask', label: 'car', z_order: 0, points: [0, 12, 1, 1, 4, 3], attributes: [{ value: 'red, old' }] },
      { label: 'person', occluded: true, points: [0, 16, 7, 2, 10, 5], attributes: [{ value: 'person, individual' }] },
      { label: 'wheel', z_order: 1, points: [0, 2, 2, 3, 3, 3] },
    ]);
    expect(summary).toMatchObject({ invalidCount: 0, dropped: [], warnings: [] });
    expect((await detected(fixture('ade20k-2016')))[0]).toBe('ADE20k 1.0');
  });

  it('of 2021 reads polygons; one without a polygon is read from its mask image', async () => {
    const object = (mask: string) => ({ raw_name: 'car', name: 'car', parts: { part_level: 0 }, instance_mask: mask });
    const scene = { annotation: { object: [object('photo_1/instance_000_photo_1.png'), object('gone.png'), {}] } };
    const png = encodePng({ width: 12, height: 8, kind: 'grey8', pixels: new Uint8Array(96).fill(255, 24, 26) });
    const path = folderOf({ 'photo_1.json': JSON.stringify(scene), 'photo_1/instance_000_photo_1.png': png });
    const { task: read, summary } = await runImport(ade20kImporter, path, task, masks);
    expect(read.shapes).toMatchObject([{ type: 'mask', label: 'car', points: [0, 2, 0, 2, 1, 2] }]);
    expect(summary.invalid.map(({ at }) => at)).toEqual(['annotation.object[2].raw_name', 'annotation.object[1]']);
    expect((await detected(path))[0]).toBe('ADE20k 1.0');
  });

  it('reports invalid rows, missing images, and objects without a pixel', async () => {
    const path = await zipOf({
      'photo_1_atr.txt': '1 # 0 # 0 # car # car # ""\nnothing\n',
      'b_atr.txt': '1 # 0 # 0 # a # car # ""\n',
    });
    const { summary } = await runImport(ade20kImporter, path, task, masks);
    expect(summary.invalid.map(({ file, at }) => `${file} ${at}`)).toEqual([
      'photo_1_atr.txt line 2',
      'photo_1_atr.txt level 0',
      'b_atr.txt the image',
    ]);
  });
});

describe('Mapillary Vistas', () => {
  it('reads its instances as masks, or as the drawn polygons', async () => {
    const instances = await runImport(mapillaryImporter, fixture('mapillary'), task, masks);
    expect(instances.task.shapes.map(({ label, points }) => [label, ...points])).toEqual([
      ['object--vehicle--car', 0, 12, 1, 1, 4, 3],
      ['human--person', 0, 16, 7, 2, 10, 5],
    ]);
    expect(instances.summary.invalid.map(({ at }) => at)).toEqual(['number 768']);
    const drawn = await runImport(mapillaryImporter, fixture('mapillary'), task, { options: { outlines: 'polygons' } });
    expect(drawn.task.shapes).toMatchObject([
      { type: 'polygon', label: 'object--vehicle--car', points: [1, 1, 5, 1, 5, 4, 1, 4], z_order: 0 },
      { type: 'polygon', label: 'human--person', z_order: 1 },
    ]);
    expect((await detected(fixture('mapillary')))[0]).toBe('Mapillary Vistas 2.0');
  });

  it('is refused without the names of its labels, and its older edition is reported as skipped', async () => {
    const png = encodePng({ width: 1, height: 1, kind: 'grey8', pixels: new Uint8Array([0]) });
    const bare = folderOf({ 'training/v2.0/instances/photo_1.png': png });
    await expect(runImport(mapillaryImporter, bare, task)).rejects.toThrow(/config_v2.0.json/);
    const polygons = JSON.stringify({ objects: [] });
    const both = folderOf({ 'a/v1.2/polygons/photo_1.json': polygons, 'a/v2.0/polygons/photo_1.json': polygons });
    const { summary } = await runImport(mapillaryImporter, both, task);
    expect(summary.warnings).toEqual([
      'The dataset has no instances: its polygons were imported.',
      'Version 2.0 was imported; older ones were left out.',
    ]);
  });
});
