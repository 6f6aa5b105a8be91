import { describe, expect, it } from 'vitest';
import { detectFormat, findImporter } from '../../main/formats/registry.ts';
import { fileOf, folderOf, type Files, runImport } from './support/format-fixtures.ts';

/** Windows-1252, limited to the characters that it shares with Latin-1. */
const western = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
/** The classes 汽车 and 火车 in GBK. */
const gbkClasses = Buffer.from('c6fbb3b50abbf0b3b50a', 'hex');

const task = {
  frames: [{ name: 'a.png', width: 100, height: 80 }],
  labels: ['Käse', 'Köse', '汽车', '火车'].map((name) => ({ name, color: '#102030' })),
};

function imported(format: string, files: Files, options: Readonly<Record<string, unknown>> = {}) {
  const importer = findImporter(format);
  if (!importer) throw new Error(`There is no importer ${format}.`);
  const [[name, content] = ['', '']] = Object.entries(files);
  const path = Object.keys(files).length === 1 ? fileOf(name, content) : folderOf(files);
  return runImport(importer, path, task, { options });
}

const rows = '0 0.2 0.25 0.2 0.25\n1 0.5 0.5 0.2 0.25\n';
const corners = '10 10 30 10 30 30 10 30';
type Written = (text: string) => Uint8Array;
const formats: [format: string, files: (written: Written) => Files][] = [
  [
    'CSV 1.0',
    (written) => ({
      'c.csv': written('image,label,xmin,ymin,xmax,ymax\na.png,Käse,10,10,30,30\na.png,Köse,40,10,60,30\n'),
    }),
  ],
  [
    'Ultralytics YOLO Detection 1.0',
    (written) => ({ 'classes.txt': written('Käse\nKöse\n'), 'labels/a.txt': rows, 'images/a.png': '' }),
  ],
  [
    'Ultralytics YOLO Detection 1.0',
    (written) => ({
      'data.yaml': written('train: images\nnames: [Käse, Köse]\n'),
      'labels/a.txt': rows,
      'images/a.png': '',
    }),
  ],
  [
    'YOLO 1.1',
    (written) => ({
      'obj.data': 'classes = 2\ntrain = data/train.txt\nnames = data/obj.names\n',
      'obj.names': written('Käse\nKöse\n'),
      'train.txt': 'data/obj_train_data/a.png\n',
      'obj_train_data/a.txt': rows,
    }),
  ],
  ['DOTA 1.0', (written) => ({ 'labelTxt/a.txt': written(`${corners} Käse 0\n${corners} Köse 0\n`) })],
];

describe.each(formats)('text of %s that is not UTF-8', (format, files) => {
  it('is refused, with the likely encoding', async () => {
    await expect(imported(format, files(western))).rejects.toThrow(
      /^Cannot read .*: its text is not UTF-8\. It looks like [a-z0-9-]+\. Choose its text encoding/,
    );
  });

  it('is read in the stated encoding', async () => {
    const { task: read, summary } = await imported(format, files(western), { encoding: 'cp1252' });
    expect(summary.invalid).toEqual([]);
    expect(read.shapes.map(({ label }) => label)).toEqual(['Käse', 'Köse']);
  });

  it('is read as UTF-16 if it begins with a byte order mark', async () => {
    const { task: read, summary } = await imported(format, files(utf16));
    expect(summary.invalid).toEqual([]);
    expect(read.shapes.map(({ label }) => label)).toEqual(['Käse', 'Köse']);
  });
});

it('Chinese classes in GBK stay two classes', async () => {
  const files = { 'classes.txt': gbkClasses, 'labels/a.txt': rows, 'images/a.png': '' };
  await expect(imported('Ultralytics YOLO Detection 1.0', files)).rejects.toThrow('its text is not UTF-8');
  const { task: read } = await imported('Ultralytics YOLO Detection 1.0', files, { encoding: 'gbk' });
  expect(read.shapes.map(({ label }) => label)).toEqual(['汽车', '火车']);
});

it('refuses text with a truncated last character', async () => {
  const cut = Buffer.from('image,label,xmin,ymin,xmax,ymax\na.png,Kä').subarray(0, -1);
  await expect(imported('CSV 1.0', { 'c.csv': cut })).rejects.toThrow('Cannot read c.csv: its text is not UTF-8');
});

it('refuses by name an unknown encoding, or one that does not match the bytes', async () => {
  const files = { 'c.csv': western('image,label,xmin,ymin,xmax,ymax\na.png,Käse\xff\xff,10,10,30,30\n') };
  await expect(imported('CSV 1.0', files, { encoding: 'klingon' })).rejects.toThrow(
    '"klingon" is not a known text encoding',
  );
  await expect(imported('CSV 1.0', files, { encoding: 'gbk' })).rejects.toThrow('Cannot read c.csv as gbk');
});

it('reads JSON with the byte order mark of UTF-16', async () => {
  const coco = JSON.stringify({
    images: [{ id: 1, file_name: 'a.png' }],
    categories: [{ id: 1, name: 'Käse' }],
    annotations: [{ id: 1, image_id: 1, category_id: 1, bbox: [10, 10, 20, 20] }],
  });
  const { task: read } = await imported('COCO 1.0', { 'c.json': utf16(coco) });
  expect(read.shapes.map(({ label }) => label)).toEqual(['Käse']);
});

it('detects the format of a file in another encoding', async () => {
  const path = fileOf('c.csv', western('image,label,xmin,ymin,xmax,ymax\na.png,Käse,10,10,30,30\n'));
  expect((await detectFormat({ path, name: 'c.csv' }))[0]?.name).toBe('CSV 1.0');
  const folder = folderOf({ 'classes.txt': western('Käse\nKöse\n'), 'labels/a.txt': rows });
  expect((await detectFormat({ path: folder, name: 'set' }))[0]?.name).toBe('Ultralytics YOLO Detection 1.0');
});
