import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectFormat, findImporter } from '../../main/formats/registry.ts';
import { fileOf, folderOf, importerOf, runImport, zipOf } from './support/format-fixtures.ts';
import { scene } from './support/scenes.ts';

const detect = (path: string) => detectFormat({ path, name: basename(path) });
const names = async (path: string) => (await detect(path)).map(({ name }) => name);

const cvat =
  '<?xml version="1.0"?><!-- made by hand --><annotations><version>1.1</version><image id="0" name="a.jpg"/></annotations>';
const coco =
  '{"info": {"images": 1}, "licenses": [], "images": [{"id": 1, "file_name": "a.jpg"}], "annotations": [], "categories": []}';

describe('detection by content', () => {
  it('detects CVAT XML, bare or in an archive, with any file name', async () => {
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

  it('does not detect other XML as CVAT', async () => {
    for (const text of [
      '<annotation><object/></annotation>',
      '<kml/>',
      '<!-- <annotations> -->',
      '<!-- never ends',
      '',
      'annotations',
      '<annotationsx/>',
    ]) {
      expect(await names(fileOf('a.xml', text))).not.toContain('CVAT 1.1');
    }
  });

  it('detects COCO, bare or in an archive, and distinguishes it from other JSON', async () => {
    expect(await names(fileOf('instances.json', coco))).toEqual(['COCO 1.0']);
    expect(await names(fileOf('whatever', `\uFEFF ${coco}`))).toEqual(['COCO 1.0']);
    expect(await names(await zipOf({ 'annotations/instances_default.json': coco }))).toEqual(['COCO 1.0']);
    const others = [
      '{"categories": {}, "things": []}',
      '{"a": {"images": [], "annotations": [], "categories": []}}',
      '[1, 2]',
      '"images"',
      '{"text": "\\"images\\": [\\"annotations\\"]"}',
    ];
    for (const text of others) expect(await names(fileOf('a.json', text))).toEqual([]);
  });

  it('detects darknet datasets by obj.data', async () => {
    expect(
      await detect(await zipOf({ 'top/obj.data': 'classes = 1', 'top/obj.names': 'car', 'top/train.txt': '' })),
    ).toMatchObject([{ name: 'YOLO 1.1', confidence: 1 }]);
    expect(await names(folderOf({ 'obj.data.bak': '', 'train.txt': '' }))).toEqual([]);
  });

  it('detects Ultralytics datasets by their description, and the variant by its rows', async () => {
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

  it('detects folders of images by label', async () => {
    expect(await detect(folderOf({ 'train/car/1.jpg': '', 'val/tree/2.jpg': '' }))).toMatchObject([
      { name: 'Ultralytics YOLO Classification 1.0', confidence: 0.7, reason: expect.stringContaining('train/car') },
    ]);
    for (const other of [{ 'cars/red/1.jpg': '' }, { 'train/images/1.jpg': '' }, { 'train/car.jpg': '' }]) {
      expect(await names(folderOf(other))).toEqual([]);
    }
  });

  it('decides by the content, with any file name', async () => {
    const zip = await zipOf({ 'annotations.xml': cvat });
    const bytes = readFileSync(zip);
    for (const name of ['data.json', 'data.xml', 'data', 'data.tar'])
      expect(await names(fileOf(name, bytes))).toEqual(['CVAT 1.1']);
    for (const name of ['data.zip', 'data.tar', 'data.xml', 'data.png'])
      for (const text of [coco, `\uFEFF${coco}`, coco.replaceAll(' ', '\r\n')])
        expect(await names(fileOf(name, text))).toEqual(['COCO 1.0']);
    const annotation = (object: string) =>
      `<annotation><filename>one.jpg</filename><object><name>car</name>${object}</object></annotation>`;
    const box = annotation('<bndbox><xmin>1</xmin><ymin>2</ymin><xmax>5</xmax><ymax>6</ymax></bndbox>');
    const outline = annotation(
      '<polygon><pt><x>1</x><y>2</y></pt><pt><x>9</x><y>2</y></pt><pt><x>9</x><y>8</y></pt></polygon>',
    );
    for (const [text, name] of [
      [box, 'PASCAL VOC 1.1'],
      [outline, 'LabelMe 3.0'],
    ] as const) {
      const path = fileOf('one.zip', text);
      expect(await names(path)).toEqual([name]);
      const { task } = await runImport(importerOf(name), path, scene);
      expect(task.shapes).toHaveLength(1);
    }
    await expect(detect(fileOf('broken.zip', Buffer.from([1, 2, 0, 4])))).rejects.toThrow('broken.zip');
  });

  it('detects the files of other desktop annotators', async () => {
    const documents: Readonly<Record<string, readonly string[]>> = {
      '{"version": "5.0", "shapes": [], "imagePath": "a.jpg"}': ['labelme JSON 1.0', 'X-AnyLabeling JSON 1.0'],
      '{"version": "2.5.0", "flags": {}, "shapes": [{"label": "a", "kie_linking": []}]}': [
        'X-AnyLabeling JSON 1.0',
        'labelme JSON 1.0',
      ],
      '[{"id": 1, "data": {"image": "a.jpg"}, "annotations": [{"result": []}], "predictions": []}]': [
        'Label Studio JSON 1.0',
      ],
      '[{"image": "a.jpg", "id": 1, "label": [{"x": 1, "rectanglelabels": ["a"]}], "annotator": 1}]': [
        'Label Studio JSON 1.0',
      ],
      '[{"image": "a.jpg", "annotations": [{"label": "a", "coordinates": {"x": 1}}]}]': ['CreateML 1.0'],
      '{"name": "x", "tags": [], "assets": {"a": {"asset": {}, "regions": []}}}': ['VoTT JSON 1.0'],
      '{"asset": {"id": "a"}, "regions": [], "version": "2.2.0"}': ['VoTT JSON 1.0'],
      '{"image": {"image_id": 1}, "annotations": [{"segmentation": {}, "predicted_iou": 1}]}': ['SA-1B JSON 1.0'],
      'imagesource:GoogleEarth\ngsd:0.1\n1 2 9 2 9 8 1 8 small-vehicle 0\n': ['DOTA 1.0'],
      'filename,width,height,class,xmin,ymin,xmax,ymax\n': ['CSV 1.0'],
    };
    for (const [text, expected] of Object.entries(documents)) {
      const candidates = await detect(fileOf('export.bin', text));
      expect(
        candidates.map(({ name }) => name),
        text,
      ).toEqual(expected);
      for (const { reason } of candidates) expect(reason).toContain('export.bin');
    }
    for (const text of [
      '{"shapes": 1}',
      '[]',
      '[1]',
      '[{"image": 1}]',
      'a,b\n1,2\n',
      '1 2 3 4 5 6 7 8 9 0',
      'hello, world',
    ])
      expect(await names(fileOf('a.bin', text)), text).toEqual([]);
  });

  it('names only formats that can be imported, the likeliest first', async () => {
    const both = await zipOf({ 'annotations.xml': '<annotations/>', 'obj.data': '', 'obj.names': '' });
    const candidates = await detect(both);
    expect(candidates.map(({ name }) => name)).toEqual(['YOLO 1.1', 'CVAT 1.1']);
    for (const { name } of candidates) expect(findImporter(name)).toBeDefined();
  });

  it('distinguishes VOC and LabelMe by their annotations, and says when it cannot', async () => {
    const annotation = (object: string) => `<annotation><filename>a.jpg</filename>${object}</annotation>`;
    const box = '<object><name>car</name><bndbox><xmin>1</xmin></bndbox></object>';
    const outline = '<object><name>car</name><polygon><pt><x>1</x><y>2</y></pt></polygon></object>';
    expect(await names(fileOf('a.xml', annotation(box)))).toEqual(['PASCAL VOC 1.1']);
    expect(await names(fileOf('a.xml', annotation(outline)))).toEqual(['LabelMe 3.0']);
    expect(await names(await zipOf({ 'top/Annotations/a.xml': annotation(box) }))).toEqual(['PASCAL VOC 1.1']);
    expect(await names(await zipOf({ 'a.xml': annotation(outline) }))).toEqual(['LabelMe 3.0']);
    const unsure = await detect(fileOf('a.xml', annotation('')));
    expect(unsure.map(({ name }) => name)).toEqual(['PASCAL VOC 1.1', 'LabelMe 3.0']);
    for (const { confidence } of unsure) expect(confidence).toBeLessThan(0.5);
  });

  it('offers every format that a COCO file can be read as', async () => {
    const document = (annotation: object, category: object = {}) =>
      JSON.stringify({
        images: [{ id: 1, file_name: 'a.jpg', width: 10, height: 10 }],
        categories: [{ id: 1, name: 'body', ...category }],
        annotations: [{ id: 1, image_id: 1, category_id: 1, ...annotation }],
      });
    const bodies = document({ keypoints: [1, 2, 2], num_keypoints: 1 }, { keypoints: ['head'], skeleton: [] });
    expect(await names(fileOf('person_keypoints_default.json', bodies))).toEqual(['COCO Keypoints 1.0', 'COCO 1.0']);
    const segments = document({ file_name: 'a.png', segments_info: [] });
    expect(await names(await zipOf({ 'annotations/panoptic_default.json': segments }))).toEqual(['COCO Panoptic 1.0']);
    expect(await names(fileOf('results.json', '[{"image_id": 1, "category_id": 2, "bbox": [1, 2, 3, 4]}]'))).toEqual([
      'COCO Results 1.0',
    ]);
  });

  it('fails clearly for a file that cannot be opened', async () => {
    await expect(detect('/nowhere/at/all.zip')).rejects.toThrow('Cannot open all.zip');
  });
});
