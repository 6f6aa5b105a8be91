import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatFixtures } from '../../formats/support/format-fixtures.ts';
import { signIn, type TestClient } from '../../support/client.ts';
import { makeImages, writeImages } from '../../support/images.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { runHere } from './support/run-here.ts';
import { runLimner, type CommandResult } from './support/run-limner.ts';
import { entriesOf } from '../../support/zip-entries.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const directory = sharedFolder();

const boxes = [
  { id: 1, image_id: 1, category_id: 1, bbox: [10, 20, 100, 50], area: 5000, iscrowd: 0, segmentation: [] },
  { id: 2, image_id: 2, category_id: 2, bbox: [30, 40, 60, 80], area: 4800, iscrowd: 0, segmentation: [] },
];
const cocoOf = (annotations: readonly object[]): string =>
  JSON.stringify({
    images: [1, 2].map((id) => ({ id, file_name: `image-00${id - 1}.jpg`, width: 320, height: 240 })),
    categories: [
      { id: 1, name: 'car', supercategory: '' },
      { id: 2, name: 'person', supercategory: '' },
    ],
    annotations,
  });

/** Runs each command once as a separate process, and further ones in this process, which is faster. */
function firstAsProcess(): (args: readonly string[]) => Promise<CommandResult> {
  const seen = new Set<string>();
  return (args) => {
    const [command = ''] = args;
    if (seen.has(command)) return runHere(args);
    seen.add(command);
    return runLimner(args);
  };
}
let run = firstAsProcess();
const limner = (...args: string[]): Promise<CommandResult> => run([...args, '--data-dir', dataDir]);

async function newTask(name: string): Promise<number> {
  const { exitCode, output, errorOutput } = await limner(
    'create-task',
    name,
    photos,
    '--label',
    'car',
    '--label',
    'person',
    '--json',
  );
  expect(errorOutput).not.toMatch(/error/i);
  expect(exitCode).toBe(0);
  return (JSON.parse(output) as { id: number }).id;
}

const dataDir = join(directory, 'data');
const photos = join(directory, 'photos');
await writeImages(photos, await makeImages(3));
const cocoFile = join(directory, 'annotations.json');
writeFileSync(cocoFile, cocoOf(boxes));

/** The commands work with and without a running program on the data directory. */
describe.each([
  ['without a running instance', false],
  ['beside a running instance', true],
])('the command line %s', (_where, isRunning) => {
  let server: RunningServer | null = null;
  beforeAll(async () => {
    if (!isRunning) return;
    server = await startServer({ dataDir });
    run = runHere;
  });
  afterAll(async () => {
    await server?.stop();
  });

  it('adds images to a task in place, skips names that it has', async () => {
    const id = await newTask('grows');
    const more = join(directory, 'more');
    await writeImages(more, (await makeImages(5)).slice(2));
    const { exitCode, output, errorOutput } = await limner('add', String(id), more, '--json');
    expect({ exitCode, errorOutput }).toMatchObject({ exitCode: 0, errorOutput: expect.stringContaining('image-002') });
    expect(JSON.parse(output)).toEqual({
      id,
      name: 'grows',
      size: 5,
      message: 'Added 2 images. Skipped 1 image whose names exist.',
    });
    const both = await limner('add', String(id), join(more, 'image-002.jpg'), '--existing', 'keep-both');
    expect(both.output).toBe(`Added 1 image. Task ${id} "grows" has 6 frames\n`);
    expect(await limner('add', '999', more)).toMatchObject({ exitCode: 3, errorOutput: 'Not found.\n' });
  });

  it('makes a task of images where they lie, without copying them', async () => {
    // Tasks that were restored before have copies.
    const copies = () =>
      existsSync(join(dataDir, 'data'))
        ? readdirSync(join(dataDir, 'data'), { recursive: true, encoding: 'utf8' }).filter((name) =>
            name.endsWith('image-000.jpg'),
          )
        : [];
    const before = copies();
    const { exitCode, output } = await limner('create-task', 'in place', photos, '--label', 'car');
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^Task \d+ "in place" with 3 frames$/m);
    expect(copies()).toEqual(before);
  });

  it('imports a folder with Parquet files', async () => {
    const two = join(directory, `two-${isRunning}`);
    const images = (await makeImages(2)).map((image, index) => ({ ...image, name: `photo_${index + 1}.png` }));
    await writeImages(two, images);
    const created = await limner('create-task', 'tables', two, '--label', 'car', '--label', 'person', '--json');
    const { id } = JSON.parse(created.output) as { id: number };
    const imported = await limner('import', join(formatFixtures, 'huggingface-parquet'), '--task', String(id));
    expect(imported.output).toContain('Imported 3 objects');
  });

  it('backs one task up and creates a new one of the archive, which cannot become a task otherwise', async () => {
    const task = String(await newTask('to be kept'));
    await limner('import', cocoFile, '--task', task, '--format', 'COCO 1.0');
    const archive = join(directory, `kept-${isRunning}.zip`);
    const saved = await limner('backup', '--task', task, '--output', archive);
    expect(saved).toMatchObject({ exitCode: 0, output: `Saved ${archive}\n` });
    const restored = await limner('restore', archive, '--json');
    expect(restored.exitCode).toBe(0);
    const { kind, id, name } = JSON.parse(restored.output) as { kind: string; id: number; name: string };
    expect([kind, name]).toEqual(['task', 'to be kept']);
    expect(id).not.toBe(Number(task));
    const again = join(directory, `again-${isRunning}.json`);
    const exported = await limner('export', '--task', String(id), '--format', 'COCO 1.0', '--output', again);
    expect(exported.output).toContain('Exported 2 objects');
    // The following refusals do not depend on a running program.
    if (!isRunning) return;
    const refused = await limner('create-task', 'of a backup', archive);
    expect(refused.exitCode).not.toBe(0);
    expect(refused.errorOutput).toContain('is the backup of a task');
    const open = await limner('backup', '--task', task, '--passphrase-file', cocoFile, '--output', archive);
    expect(open.errorOutput).toContain('Cannot encrypt');
    const missing = await limner('backup', '--project', '987654', '--output', archive);
    expect(missing.errorOutput).toContain('No project with id 987654');
  });

  it('imports a file and exports the same annotations', async () => {
    const task = String(await newTask('round trip'));
    const imported = await limner('import', cocoFile, '--task', task);
    expect(imported.exitCode).toBe(0);
    expect(imported.errorOutput).toContain('Format: COCO 1.0 (detected');
    expect(imported.errorOutput).toContain('is JSON with');
    expect(imported.output).toMatch(/^Imported 2 objects:$/m);
    expect(imported.output).toMatch(/^ +1 +rectangle +car$/m);

    const output = join(directory, `export-${task}.zip`);
    const reportFile = join(directory, `report-${task}.json`);
    const exported = await limner(
      'export',
      '--task',
      task,
      '--format',
      'coco 1.0',
      '--save-images',
      '--output',
      output,
      '--report',
      reportFile,
    );
    expect(exported.exitCode).toBe(0);
    expect(exported.output).toMatch(/^Exported 2 objects:$/m);
    expect(exported.output).toContain(`Saved ${output}`);
    expect(JSON.parse(readFileSync(reportFile, 'utf8'))).toMatchObject({ invalidCount: 0, dropped: [] });

    const second = String(await newTask('second'));
    const again = await limner('import', output, '--task', second);
    expect(again.exitCode).toBe(0);
    expect(again.output).toMatch(/^Imported 2 objects:$/m);
  });
});

describe('the command line', () => {
  let server: RunningServer;
  let client: TestClient;
  beforeAll(async () => {
    server = await startServer({ dataDir });
    client = await signIn(server);
    run = runHere;
  });
  afterAll(() => server.stop());

  /** The id of a task of photos used in place. A test above proves that the command line creates one. */
  async function madeTask(name: string): Promise<string> {
    const { id } = await client.createTask({ name, labels: [{ name: 'car' }, { name: 'person' }] });
    await client.finished(await client.useServerFiles(id, [photos]));
    return String(id);
  }
  const exportTo = (output: string, task: string) =>
    limner('export', '--task', task, '--format', 'COCO 1.0', '--output', output);
  const exported = async (task: string) => (await exportTo(join(directory, 'exported.zip'), task)).output;

  it('reports the result of an import in advance, and accepts options of the format', async () => {
    const task = await madeTask('checked');
    const table = join(directory, 'table.zip');
    writeFileSync(table, 'where,what,a,b,c,d\nimage-000.jpg,auto,1,2,30,40\nnowhere.jpg,auto,1,2,30,40\n');
    const columns = '{"image":"where","label":"what","xmin":"a","ymin":"b","xmax":"c","ymax":"d"}';
    const given = ['--format', 'csv 1.0', '--option', `columns=${columns}`, '--option', 'label_mapping={"auto":"car"}'];
    const checked = await limner('import', table, '--task', task, ...given, '--check');
    expect(checked.exitCode).toBe(0);
    expect(checked.output).toMatch(/^Can import 1 object:$/m);
    expect(checked.output).toContain('image "nowhere.jpg" is not in the task');
    const imported = await limner('import', table, '--task', task, ...given);
    expect(imported.output).toMatch(/^Imported 1 object:$/m);
    const wrong = await limner('import', table, '--task', task, '--option', 'columns');
    expect(wrong.errorOutput).toContain('--option takes name=value');
  });

  it('shows labels and frames in advance, creates and maps labels, and matches frames by its options', async () => {
    const task = await madeTask('chosen');
    const file = join(directory, 'other-names.json');
    writeFileSync(
      file,
      JSON.stringify({
        images: ['x.jpg', 'y.jpg'].map((name, index) => ({ id: index + 1, file_name: name, width: 320, height: 240 })),
        categories: ['auto', 'dog'].map((name, index) => ({ id: index + 1, name })),
        annotations: boxes,
      }),
    );
    const look = await limner('import', file, '--task', task, '--check');
    expect(look.output).toContain(
      "2 images in the file, 0 of the task's 3 frames found (by name 0, by number 0, in order 2).",
    );
    expect(look.output).toMatch(/^2 images without a frame:\n {2}x\.jpg\n {2}y\.jpg$/m);
    expect(look.output).toMatch(/^Labels that the task lacks:\n +1 +auto +rectangle\n +1 +dog +rectangle$/m);
    const given = ['--match-frames', 'order', '--map-label', 'auto=car', '--create-labels'];
    const imported = await limner('import', file, '--task', task, ...given);
    expect(imported.output).toMatch(/^Imported 2 objects:$/m);
    const again = await limner('import', file, '--task', task, '--match-frames', 'order', '--skip-label', 'auto');
    expect(again.output).toContain('by the label mapping for "auto"');
    expect(again.output).toMatch(/^ +1 +rectangle +dog$/m);
    const options = await limner('formats', '--options');
    expect(options.output).toContain('first_frame=0 to');
  });

  it('imports a folder in place, and writes its report', async () => {
    const folder = join(directory, 'as a folder');
    mkdirSync(join(folder, 'annotations'), { recursive: true });
    writeFileSync(join(folder, 'annotations', 'instances_default.json'), cocoOf(boxes));
    const id = String(await newTask('arranged'));
    const imported = await limner('import', folder, '--task', id);
    expect(imported.output).toContain('2');
    expect(imported.exitCode).toBe(0);

    const file = join(directory, 'arranged.zip');
    const preset = join(directory, 'preset.json');
    writeFileSync(preset, JSON.stringify({ shapes: { rectangle: 'polygon' }, names: 'numbered' }));
    const arranged = ['--labels', 'person,car', '--rename', 'car=vehicle', '--frames', '0-1', '--split', 'a=1,b=1'];
    const target = ['--task', id, '--format', 'COCO 1.0', '--output', file];
    const written = await limner('export', ...target, '--preset', preset, ...arranged);
    expect(written.errorOutput).not.toMatch(/error/i);
    expect(written.exitCode).toBe(0);
    const files = Object.values(await entriesOf(readFileSync(file))).map(
      // In COCO's layout.
      (text) => JSON.parse(String(text)) as { images: { file_name: string }[]; categories: { name: string }[] },
    );
    expect(files.map(({ categories }) => categories.map(({ name }) => name))).toEqual([
      ['person', 'vehicle'],
      ['person', 'vehicle'],
    ]);
    expect(files.flatMap(({ images }) => images.map(({ file_name: name }) => name)).toSorted()).toEqual([
      '000001.jpg',
      '000002.jpg',
    ]);
    const refused = await limner('export', '--task', id, '--format', 'YOLO 1.1', '--first-class-id', '1');
    expect(refused.errorOutput).toContain('determines the number of its first class');
    expect(refused.exitCode).not.toBe(0);
  });

  it('appends to existing annotations, or replaces them on request', async () => {
    const task = await madeTask('twice');
    const counts: string[] = [];
    for (const mode of [[], ['--append'], ['--replace']]) {
      await limner('import', cocoFile, '--task', task, ...mode);
      counts.push(/^Exported (\d+) objects/m.exec(await exported(task))?.[1] ?? '');
    }
    expect(counts).toEqual(['2', '4', '2']);
  });

  it('imports the valid records of a file with a broken one, and reports its position', async () => {
    const broken = join(directory, 'one-broken.json');
    writeFileSync(broken, cocoOf([boxes[0] ?? {}, { ...boxes[1], bbox: ['wide', 1, 2] }]));
    const task = await madeTask('broken');
    const { exitCode, output } = await limner('import', broken, '--task', task, '--format', 'COCO 1.0');
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^Imported 1 object:$/m);
    expect(output).toMatch(/^1 invalid record was skipped:\n {2}one-broken\.json at annotations\[1\]/m);
  });

  it('refuses an invalid file, keeps existing annotations, and ends with 3', async () => {
    const task = await madeTask('refused');
    await limner('import', cocoFile, '--task', task);
    const nonsense = join(directory, 'nonsense.json');
    writeFileSync(nonsense, 'this is no JSON');
    const refused = await limner('import', nonsense, '--task', task, '--replace', '--format', 'COCO 1.0');
    expect(refused.exitCode).toBe(3);
    expect(refused.errorOutput.trim()).not.toBe('');
    expect(await exported(task)).toMatch(/^Exported 2 objects:$/m);
  });

  it('refuses to replace annotations by nothing, and undoes a replacement on request', async () => {
    const task = await madeTask('taken back');
    await limner('import', cocoFile, '--task', task);
    const empty = join(directory, 'empty.json');
    writeFileSync(empty, cocoOf([]));
    const refused = await limner('import', empty, '--task', task, '--replace', '--format', 'COCO 1.0');
    expect(refused.exitCode).toBe(3);
    expect(refused.errorOutput).toContain('the 2 annotations of the task are unchanged');

    const one = join(directory, 'one.json');
    writeFileSync(one, cocoOf(boxes.slice(0, 1)));
    expect((await limner('import', one, '--task', task, '--replace')).exitCode).toBe(0);
    expect(await exported(task)).toMatch(/^Exported 1 object:$/m);
    const { output: list } = await limner('undo', '--task', task, '--list');
    expect(list).toMatch(/^\d+ {2}import \(one\.json\), 2 annotations, by admin .* until /m);
    const { output, exitCode } = await limner('undo', '--task', task);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^Undone: import \(one\.json\), 2 annotations/m);
    expect(await exported(task)).toMatch(/^Exported 2 objects:$/m);
    const [, undo = ''] = /--change (\d+)$/m.exec(output) ?? [];
    await limner('undo', '--task', task, '--change', undo);
    expect(await exported(task)).toMatch(/^Exported 1 object:$/m);

    const nothing = await limner('undo', '--task', await madeTask('untouched'));
    expect(nothing.exitCode).toBe(3);
    expect(nothing.errorOutput).toContain('There is nothing to undo.');
  });

  it('names the formats when the requested one is unknown, and the task when it is missing', async () => {
    const unknown = await limner('export', '--task', '1', '--format', 'Cocoa 9');
    expect(unknown.exitCode).toBe(2);
    expect(unknown.errorOutput).toContain('COCO 1.0');
    const missing = await limner('export', '--task', '99999', '--format', 'COCO 1.0', '--output', directory);
    expect(missing.exitCode).toBe(3);
    expect(missing.errorOutput).toContain('No task with id 99999');
  });

  it('lists a broken image and continues without it', async () => {
    const mixed = join(directory, 'mixed');
    await writeImages(mixed, await makeImages(2));
    writeFileSync(join(mixed, 'text.jpg'), 'a text file with the name of an image');
    const { exitCode, output, errorOutput } = await limner('create-task', 'mixed', mixed, '--label', 'car');
    expect(exitCode).toBe(0);
    expect(output).toContain('with 2 frames');
    expect(errorOutput).toContain('text.jpg');
  });

  it('leaves no empty task behind when its images cannot be used', async () => {
    const empty = join(directory, 'empty');
    await writeImages(empty, []);
    const refused = await limner('create-task', 'nothing', empty, '--label', 'car');
    expect(refused.exitCode).not.toBe(0);
    const tasks = await client.good<{ results: { name: string }[] }>('GET', '/api/tasks?page_size=all');
    expect(tasks.results.map(({ name }) => name)).not.toContain('nothing');
  });

  it('keeps the old file at the destination of an export until the new file is complete', async () => {
    const task = await madeTask('kept');
    const output = join(directory, 'kept-output.zip');
    writeFileSync(output, 'the old content');
    await limner('export', '--task', task, '--format', 'Cocoa', '--output', output);
    expect(readFileSync(output, 'utf8')).toBe('the old content');
    await exportTo(output, task);
    expect(statSync(output).size).toBeGreaterThan(20);
    expect(readFileSync(output).subarray(0, 2).toString()).toBe('PK');
    expect(readdirSync(directory).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it("uses the service's suggested name for an export when the destination is a folder", async () => {
    const task = await madeTask('named');
    const { output } = await exportTo(directory, task);
    const saved = /^Saved (.*)$/m.exec(output)?.[1] ?? '';
    expect(saved.startsWith(directory)).toBe(true);
    expect(existsSync(saved)).toBe(true);
  });
});

describe('the credentials of the command line', () => {
  it.skipIf(process.platform === 'win32')('are readable by the owner only, and deleted by the stop', async () => {
    const server = await startServer({ dataDir });
    const file = join(dataDir, 'keys', 'command-line.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await server.stop();
    expect(existsSync(file)).toBe(false);
  });
});
