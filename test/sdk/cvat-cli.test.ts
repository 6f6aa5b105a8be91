import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { signIn } from '../support/client.ts';
import { makeImages, writeImages } from '../support/images.ts';
import { useServer } from '../support/use-server.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { clientRequirements, prepareExecutable, startForking, type EndedScript } from './python.ts';

const run = promisify(execFile);

const folder = sharedFolder();
/** Another file runs these tests with the other release. */
const program = await prepareExecutable('cvat-cli', clientRequirements());
const images = await writeImages(join(folder, 'images'), await makeImages(4));
const server = await useServer();
const client = await signIn(server);
// Profiles and settings of the user who runs the tests must not be used.
const homes = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder };
const python = await startForking(clientRequirements(), ['cvat_cli.__main__'], { ...process.env, ...homes });
afterAll(() => python.stop());

function cli(
  args: readonly string[],
  environment: Record<string, string> = { PASS: server.password },
): Promise<EndedScript> {
  const login = 'PASS' in environment ? ['--auth', server.user] : [];
  const url = new URL(server.url);
  const host = ['--server-host', `${url.protocol}//${url.hostname}`, '--server-port', url.port];
  return python.run(program, [...login, ...host, ...args], environment);
}

async function good(...args: string[]): Promise<string> {
  const { code, out, err } = await cli(args);
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
  return out.trim();
}

const labels = JSON.stringify([
  { name: 'car', color: '#ff0000', attributes: [] },
  {
    name: 'person',
    attributes: [{ name: 'age', mutable: true, input_type: 'number', default_value: '1', values: ['0', '9', '1'] }],
  },
]);
const period = ['--completion_verification_period', '0.1'];
const entriesOf = (file: string) => readFileSync(file).toString('latin1');

function writeCorner(): string {
  const file = join(folder, 'corner.py');
  writeFileSync(
    file,
    [
      'import cvat_sdk.auto_annotation as cvataa',
      'spec = cvataa.DetectionFunctionSpec(labels=[cvataa.label_spec("car", 0)])',
      'def detect(context, image):',
      '    return [cvataa.rectangle(0, [0, 0, 10, 10])]',
    ].join('\n'),
  );
  return file;
}

let taskId = 0;
describe('tasks', () => {
  test('create: creates a task from local images', async () => {
    taskId = Number(
      await good(
        'task',
        'create',
        'by the command line',
        'local',
        ...images,
        '--labels',
        labels,
        ...period,
        '--segment_size',
        '2',
      ),
    );
    const task = await client.task(taskId);
    expect(task).toMatchObject({ name: 'by the command line', size: 4, jobs: { count: 2 } });
    expect((await client.labels(taskId)).map(({ name }) => name)).toEqual(['car', 'person']);
  });

  test('ls: lists ids, and everything as JSON', async () => {
    expect((await good('task', 'ls')).split('\n')).toContain(String(taskId));
    const listed = JSON.parse(await good('task', 'ls', '--json')) as { id: number; name: string; jobs: object }[];
    expect(listed.find(({ id }) => id === taskId)).toMatchObject({ name: 'by the command line', jobs: { count: 2 } });
  });

  test('frames: downloads images by their numbers', async () => {
    const outdir = join(folder, 'frames');
    mkdirSync(outdir);
    await good('task', 'frames', '--outdir', outdir, '--quality', 'original', String(taskId), '1', '3');
    expect(readdirSync(outdir).toSorted()).toEqual([
      `task_${taskId}_frame_000001.jpg`,
      `task_${taskId}_frame_000003.jpg`,
    ]);
  });

  test('import-dataset and export-dataset: COCO and CVAT, without and with images', async () => {
    const [car] = await client.labels(taskId);
    await client.changeAnnotations('tasks', taskId, 'create', {
      shapes: [0, 2].map((frame) => ({
        type: 'rectangle' as const,
        frame,
        label_id: car?.id ?? 0,
        points: [1, 2, 30, 40],
      })),
    });
    for (const [format, importer] of [
      ['COCO 1.0', 'COCO 1.0'],
      ['CVAT for images 1.1', 'CVAT 1.1'],
    ] as const) {
      const file = join(folder, `${format}.zip`);
      await good('task', 'export-dataset', '--format', format, ...period, String(taskId), file);
      await client.clearAnnotations('tasks', taskId);
      await good('task', 'import-dataset', '--format', importer, String(taskId), file);
      expect(
        (await client.annotations('tasks', taskId)).shapes.map(({ frame, points }) => [frame, points]),
        format,
      ).toEqual([
        [0, [1, 2, 30, 40]],
        [2, [1, 2, 30, 40]],
      ]);
    }
    const whole = join(folder, 'whole');
    mkdirSync(whole);
    await good(
      'task',
      'export-dataset',
      '--format',
      'COCO 1.0',
      '--with-images',
      'yes',
      ...period,
      String(taskId),
      whole,
    );
    const [name = ''] = readdirSync(whole);
    expect(name).toMatch(/^task_\d+_dataset_.*coco.*\.zip$/);
    expect(entriesOf(join(whole, name))).toContain('image-003.jpg');
  });

  test('backup and create-from-backup', async () => {
    const file = join(folder, 'task.zip');
    await good('task', 'backup', ...period, String(taskId), file);
    const copy = Number((await good('task', 'create-from-backup', ...period, file)).split('\n').at(-1));
    expect(copy).toBeGreaterThan(taskId);
    expect(await client.task(copy)).toMatchObject({ name: 'by the command line', size: 4, jobs: { count: 2 } });
    expect((await client.annotations('tasks', copy)).shapes).toHaveLength(2);
    await good('task', 'delete', String(copy));
  });

  test('the older names of these commands', async () => {
    const file = join(folder, 'dumped.zip');
    await good('dump', '--format', 'CVAT for images 1.1', ...period, String(taskId), file);
    expect(entriesOf(file)).toContain('annotations.xml');
    await good('upload', '--format', 'CVAT 1.1', String(taskId), file);
    expect((await good('ls')).split('\n')).toContain(String(taskId));
  });

  test('auto-annotate: uses a local function', async () => {
    await good('task', 'auto-annotate', String(taskId), '--function-file', writeCorner(), '--clear-existing');
    const { shapes } = await client.annotations('tasks', taskId);
    expect(shapes.map(({ frame, source }) => [frame, source])).toEqual([0, 1, 2, 3].map((frame) => [frame, 'auto']));
  });

  test('delete: deletes existing tasks and ignores others', async () => {
    await good('task', 'delete', String(taskId), '999999');
    expect(await client.call('GET', `/api/tasks/${taskId}`)).toMatchObject({ status: 404 });
  });
});

describe('other kinds of tasks: are created, annotated, exported, imported, backed up and restored', () => {
  const figure = { name: 'figure', type: 'skeleton', sublabels: [{ name: 'head', type: 'points', attributes: [] }] };
  const create = async (resources: readonly string[], spec: readonly object[]): Promise<number> => {
    const given = ['--labels', JSON.stringify(spec), ...period];
    return Number(await good('task', 'create', 'of its kind', 'local', ...resources, ...given));
  };
  const place = { type: 'rectangle' as const, frame: 1 };
  const box = (label_id: number, x: number) => ({ ...place, label_id, points: [x, 5, x + 10, 15] });

  const kinds: [string, exporter: string, size: number, make: () => Promise<number>][] = [
    [
      'a video with a track',
      'CVAT for video 1.1',
      5,
      async () => {
        const video = join(folder, 'clip.mp4');
        await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=5:duration=1', video]);
        const id = await create([video], [{ name: 'car', attributes: [] }]);
        const [car] = await client.labels(id);
        const shapes = [0, 3].map((frame) => ({ ...place, frame, points: [frame + 1, 5, frame + 11, 15] }));
        await client.changeAnnotations('tasks', id, 'create', {
          tracks: [{ frame: 0, label_id: car?.id ?? 0, shapes }],
        });
        return id;
      },
    ],
    [
      'images with skeletons',
      'CVAT for images 1.1',
      4,
      async () => {
        const id = await create(images, [figure]);
        const [{ id: label_id, sublabels } = { id: 0, sublabels: [] }] = await client.labels(id);
        const head = { type: 'points' as const, frame: 2, label_id: sublabels[0]?.id ?? 0, points: [7, 8] };
        const shape = { type: 'skeleton' as const, frame: 2, label_id, points: [], elements: [head] };
        await client.changeAnnotations('tasks', id, 'create', { shapes: [shape] });
        return id;
      },
    ],
    [
      'images with a ground truth',
      'CVAT for images 1.1',
      4,
      async () => {
        const id = await create(images, [{ name: 'car', attributes: [] }]);
        const label = (await client.labels(id))[0]?.id ?? 0;
        const json = { type: 'ground_truth', task_id: id, frame_selection_method: 'manual', frames: [1] };
        const truth = await client.good<{ id: number }>('POST', '/api/jobs', { json });
        await client.changeAnnotations('jobs', truth.id, 'create', { shapes: [box(label, 30)] });
        await client.changeAnnotations('tasks', id, 'create', { shapes: [box(label, 3)] });
        return id;
      },
    ],
  ];

  const seen = async (id: number) => {
    const plain = ({ shapes, tracks }: Awaited<ReturnType<typeof client.annotations>>) => [
      ...shapes.map(({ frame, points, elements }) => [frame, points, elements.map((one) => one.points)]),
      ...tracks.map((track) => track.shapes.map(({ frame, points, outside }) => [frame, points, outside])),
    ];
    const jobs = await client.jobs(id);
    const truths = jobs.filter(({ type }) => type === 'ground_truth');
    return {
      task: plain(await client.annotations('tasks', id)),
      truths: await Promise.all(truths.map(async (truth) => plain(await client.annotations('jobs', truth.id)))),
    };
  };

  test.each(kinds)('%s', async (what, exporter, size, make) => {
    const id = await make();
    expect(await client.task(id)).toMatchObject({ size });
    const before = await seen(id);
    expect(before.task).toHaveLength(1);

    const at = (name: string) => join(folder, `${id} ${name}`);
    const [outdir, file, backup] = [at('frames'), at('dataset.zip'), at('backup.zip')];
    mkdirSync(outdir);
    await good('task', 'frames', '--outdir', outdir, String(id), '1');
    expect(readdirSync(outdir)).toHaveLength(1);
    await good('task', 'export-dataset', '--format', exporter, ...period, String(id), file);
    await client.clearAnnotations('tasks', id);
    await good('task', 'import-dataset', '--format', 'CVAT 1.1', String(id), file);
    expect(await seen(id), `${what}, imported`).toEqual(before);
    await good('task', 'backup', ...period, String(id), backup);
    const copy = Number((await good('task', 'create-from-backup', ...period, backup)).split('\n').at(-1));
    expect(await seen(copy), `${what}, restored`).toEqual(before);
  });
});

describe('projects', () => {
  let projectId = 0;
  const listed = async <Item>(what: 'tasks' | 'labels', project_id: number): Promise<Item[]> =>
    (await client.good<{ results: Item[] }>('GET', `/api/${what}`, { query: { project_id } })).results;
  const sizes = async (project: number) => (await listed<{ size: number }>('tasks', project)).map(({ size }) => size);

  test('create, with a task in it, and ls', async () => {
    projectId = Number(await good('project', 'create', 'a project', '--labels', labels));
    await good('task', 'create', 'one of it', 'local', ...images, '--project_id', String(projectId), ...period);
    const all = JSON.parse(await good('project', 'ls', '--json')) as { id: number; tasks: { count: number } }[];
    expect(all.find(({ id }) => id === projectId)?.tasks.count).toBe(1);
  });

  test('export-dataset and import-dataset', async () => {
    const file = join(folder, 'project dataset.zip');
    await good(
      'project',
      'export-dataset',
      '--format',
      'CVAT for images 1.1',
      '--with-images',
      'yes',
      ...period,
      String(projectId),
      file,
    );
    const other = Number(await good('project', 'create', 'another'));
    await good('project', 'import-dataset', '--format', 'CVAT 1.1', String(other), file);
    expect(await sizes(other)).toEqual([4]);
    expect((await listed<{ name: string }>('labels', other)).map(({ name }) => name)).toEqual(['car', 'person']);
  });

  test('create from a dataset', async () => {
    const file = join(folder, 'project dataset.zip');
    const made = Number(
      await good(
        'project',
        'create',
        'from a dataset',
        '--dataset_path',
        file,
        '--dataset_format',
        'CVAT 1.1',
        ...period,
      ),
    );
    expect(await sizes(made)).toEqual([4]);
  });

  test('backup, create-from-backup and delete', async () => {
    const file = join(folder, 'project.zip');
    await good('project', 'backup', ...period, String(projectId), file);
    const copy = Number((await good('project', 'create-from-backup', ...period, file)).split('\n').at(-1));
    const found = await client.good<{ name: string; tasks: { count: number } }>('GET', `/api/projects/${copy}`);
    expect(found).toMatchObject({ name: 'a project', tasks: { count: 1 } });
    await good('project', 'delete', String(copy), String(projectId));
    expect(await client.call('GET', `/api/projects/${copy}`)).toMatchObject({ status: 404 });
  });
});

describe('signing in', () => {
  test('works with an access token instead of a password', async () => {
    const { value } = await client.good<{ value: string }>('POST', '/api/auth/access_tokens', {
      json: { name: 'cli', read_only: true },
    });
    const listed = await cli(['project', 'ls'], { CVAT_ACCESS_TOKEN: value });
    expect(listed.code).toBe(0);
    const created = await cli(['project', 'create', 'not with this token'], { CVAT_ACCESS_TOKEN: value });
    expect(created.code).not.toBe(0);
    expect(created.err).toMatch(/403/);
  });

  test('fails with a wrong password and an error', async () => {
    const { code, err } = await cli(['task', 'ls'], { PASS: 'wrong' });
    expect(code).not.toBe(0);
    expect(err).toMatch(/Unable to log in with provided credentials/);
  });
});
