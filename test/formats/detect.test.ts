import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../main/formats/detect.ts';
import { createInMemoryTaskData } from '../../main/formats/in-memory-task-data.ts';
import { findImporter, listFormats, createFormatRegistry } from '../../main/formats/registry.ts';
import {
  fileOf,
  folderOf,
  hasSharedFixtures,
  runExport,
  shapeOf,
  sharedFixtures,
  zipOf,
} from './support/format-fixtures.ts';

const detect = (path: string) => detectFormat({ path, name: basename(path) });
const names = async (path: string) => (await detect(path)).map(({ name }) => name);

const cvat =
  '<?xml version="1.0"?><!-- made by hand --><annotations><version>1.1</version><image id="0" name="a.jpg"/></annotations>';
const coco =
  '{"info": {"images": 1}, "licenses": [], "images": [{"id": 1, "file_name": "a.jpg"}], "annotations": [], "categories": []}';

describe('detection by content', () => {
  it('knows CVAT XML, bare or in an archive, whatever the file is called', async () => {
    expect(await detect(fileOf('notes.txt', cvat))).toMatchObject([
      { name: 'CVAT 1.1', confidence: 1, reason: expect.stringContaining('<annotations>') },
    ]);
    expect(await names(fileOf('a.xml', `\uFEFF${cvat}`))).toEqual(['CVAT 1.1']);
    expect(
      await names(fileOf('a.xml', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(cvat, 'utf16le')]))),
    ).toEqual(['CVAT 1.1']);
    expect(
      await names(fileOf('a.xml', cvat.replace('<!-- made by hand -->', '<!DOCTYPE annotations [<!ENTITY a "b>c">]>'))),
    ).toEqual(['CVAT 1.1']);
    expect(await names(await zipOf({ 'readme.txt': '', 'deep/er/annotations.xml': cvat, 'images/a.jpg': '' }))).toEqual(
      ['CVAT 1.1'],
    );
  });

  it('does not take other XML for CVAT', async () => {
    for (const text of [
      '<annotation><object/></annotation>',
      '<kml/>',
      '<!-- <annotations> -->',
      '<!-- never ends',
      '',
      'annotations',
      '<annotationsx/>',
    ]) {
      expect(await names(fileOf('a.xml', text))).toEqual([]);
    }
  });

  it('knows COCO, bare or in an archive, and tells it from other JSON', async () => {
    expect(await names(fileOf('instances.json', coco))).toEqual(['COCO 1.0']);
    expect(await names(fileOf('whatever', `\uFEFF ${coco}`))).toEqual(['COCO 1.0']);
    expect(await names(await zipOf({ 'annotations/instances_default.json': coco }))).toEqual(['COCO 1.0']);
    const others = [
      '{"categories": {}, "things": []}',
      '{"version": "5.0", "shapes": [], "imagePath": "a.jpg"}',
      '{"a": {"images": [], "annotations": [], "categories": []}}',
      '[1, 2]',
      '"images"',
      '{"text": "\\"images\\": [\\"annotations\\"]"}',
    ];
    for (const text of others) expect(await names(fileOf('a.json', text))).toEqual([]);
  });

  it('knows darknet datasets by obj.data', async () => {
    expect(
      await detect(await zipOf({ 'top/obj.data': 'classes = 1', 'top/obj.names': 'car', 'top/train.txt': '' })),
    ).toMatchObject([{ name: 'YOLO 1.1', confidence: 1 }]);
    expect(await names(folderOf({ 'obj.data.bak': '', 'train.txt': '' }))).toEqual([]);
  });

  it('knows Ultralytics datasets by their description, and the variant by its rows', async () => {
    const dataset = (row: string) =>
      zipOf({ 'data.yaml': 'train: images/train\nnames: [car]\n', 'labels/train/1.txt': row });
    expect(await detect(await dataset('0 0.5 0.5 0.1 0.1\n0 0.5 0.5 0.1 0.1 3\n'))).toMatchObject([
      { name: 'Ultralytics YOLO Detection 1.0', confidence: 0.95 },
    ]);
    const otherVariant = await detect(await dataset('0 0.1 0.1 0.2 0.1 0.2 0.2 0.1 0.2\n'));
    expect(otherVariant.map(({ name }) => name)).not.toContain('Ultralytics YOLO Detection 1.0');
    expect(await names(await zipOf({ 'data.yaml': 'just: settings\n' }))).toEqual([]);
    expect(await names(await zipOf({ 'data.yaml': 'names: [' }))).toEqual([]);
  });

  it('names only formats that can be imported, the likeliest first', async () => {
    const both = await zipOf({ 'annotations.xml': '<annotations/>', 'obj.data': '', 'obj.names': '' });
    const candidates = await detect(both);
    expect(candidates.map(({ name }) => name)).toEqual(['YOLO 1.1', 'CVAT 1.1']);
    for (const { name } of candidates) expect(findImporter(name)).toBeDefined();
  });

  it('recognises what every exporter writes', async () => {
    const readers: Record<string, string> = {
      'CVAT for images 1.1': 'CVAT 1.1',
      'CVAT for video 1.1': 'CVAT 1.1',
      'Ultralytics YOLO Detection Track 1.0': 'Ultralytics YOLO Detection 1.0',
    };
    const task = createInMemoryTaskData({
      frames: [{ name: 'a.jpg', width: 10, height: 10 }],
      labels: [{ name: 'car' }],
      shapes: [shapeOf({ type: 'rectangle', label: 'car', points: [1, 1, 5, 5] })],
    });
    const known = new Set(listFormats().importers.map(({ name }) => name));
    for (const plugin of createFormatRegistry().exporters) {
      const reader = readers[plugin.display_name] ?? plugin.display_name;
      if (
        !known.has(reader) ||
        !['CVAT 1.1', 'COCO 1.0', 'YOLO 1.1', 'Ultralytics YOLO Detection 1.0'].includes(reader)
      )
        continue;
      const { path } = await runExport(plugin, task);
      expect((await detect(path))[0]).toMatchObject({ name: reader });
      expect((await detect(path))[0]?.confidence).toBeGreaterThanOrEqual(0.9);
    }
  });

  it('fails clearly for a file that cannot be opened', async () => {
    await expect(detect('/nowhere/at/all.zip')).rejects.toThrow('cannot be opened');
  });
});

describe.skipIf(!hasSharedFixtures)('detection of files that other programs wrote', () => {
  const cases: [string, string[]][] = [
    ['cvat_xml/cvat-docs/images_example.xml', ['CVAT 1.1']],
    ['cvat_xml/cvat-docs/video_example.xml', ['CVAT 1.1']],
    ['cvat_xml/cvat-datumaro/for_images', ['CVAT 1.1']],
    ['cvat_xml/cvat-datumaro/for_video', ['CVAT 1.1']],
    ['coco/cvat-datumaro/coco_instances', ['COCO 1.0']],
    ['yolo/cvat-datumaro/yolo', ['YOLO 1.1']],
    ['yolo/cvat-datumaro/yolov8_detection', ['Ultralytics YOLO Detection 1.0']],
    ['yolo/cvat-datumaro/yolov8_detection_with_list_of_names', ['Ultralytics YOLO Detection 1.0']],
    ['voc/cvat-datumaro/voc_dataset1', []],
    ['datumaro/cvat-datumaro', []],
    ['labelme_xml/cvat-datumaro', []],
    ['mot/cvat-datumaro', []],
  ];
  it.each(cases)('%s', async (path, expected) => {
    const whole = join(sharedFixtures, path);
    expect(existsSync(whole)).toBe(true);
    const known = new Set(['CVAT 1.1', 'COCO 1.0', 'YOLO 1.1', 'Ultralytics YOLO Detection 1.0']);
    expect((await names(whole)).filter((name) => known.has(name))).toEqual(expected);
  });
});
