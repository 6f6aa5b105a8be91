import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LabelWrite } from '../../../preload/contract/schema/labels.ts';
import type { Job, Task } from '../../../preload/contract/schema/resources.ts';
import { openSource } from '../../../main/formats/io/open-source.ts';
import { picture, useWork, workCalls } from '../../contract/work/work-harness.ts';
import { makeZip } from '../../support/craft-zip.ts';
import { makeImage } from '../../support/images.ts';
import type { TestClient } from '../../support/client.ts';
import { describeTask } from './described-task.ts';

const work = await useWork();

const client = (): TestClient => work.owner;

async function backup(kind: 'projects' | 'tasks', id: number, query: object = {}): Promise<Buffer> {
  const { rq_id: rqId } = await client().good<{ rq_id: string }>('POST', `/api/${kind}/${id}/backup/export`, {
    query: { ...query },
  });
  const request = await client().finished(rqId);
  expect(request.operation).toMatchObject({ type: 'export:backup' });
  return client().bytes(request.result_url ?? '');
}

async function restore(kind: 'projects' | 'tasks', bytes: Buffer, of: TestClient = client()) {
  const field = kind === 'tasks' ? 'task_file' : 'project_file';
  const { status, body } = await workCalls(of).sendFile(`/api/${kind}/backup/`, field, { name: 'backup.zip', bytes });
  expect({ status, body }).toMatchObject({ status: 202 });
  return of.ended((body as { rq_id: string }).rq_id);
}

async function entriesOf(bytes: Buffer): Promise<Record<string, Buffer>> {
  const path = join(work.workbench.dataDir, 'looked-at.zip');
  writeFileSync(path, bytes);
  const source = await openSource({ path, name: 'looked-at.zip' });
  try {
    const pairs: [string, Buffer][] = [];
    for (const entry of source.entries) pairs.push([entry.path, await source.read(entry.path)]);
    return Object.fromEntries(pairs);
  } finally {
    await source.close();
  }
}

const labels = [
  {
    name: 'person',
    type: 'skeleton',
    color: '#aa0102',
    svg: '<circle cx="1" cy="2" r="1" data-label-name="head"/>',
    sublabels: [
      {
        name: 'head',
        type: 'points',
        attributes: [{ name: 'hat', input_type: 'checkbox', default_value: 'false', values: ['false'] }],
      },
      { name: 'foot', type: 'points' },
    ],
    attributes: [
      { name: 'mood', mutable: true, input_type: 'radio', default_value: 'calm', values: ['calm', 'angry'] },
    ],
  },
  {
    name: 'Auto – größer',
    color: '#00ff7f',
    attributes: [{ name: 'doors', mutable: false, input_type: 'number', default_value: '4', values: ['2', '5', '1'] }],
  },
  { name: 'weather', type: 'tag' },
] as LabelWrite[];

async function fullTask(project?: { id: number }): Promise<Task> {
  const names = ['a/IMG 1.png', 'a/img 1.png', 'con.png', 'z – ü.png', 'b.png', 'c.png'];
  const images = await Promise.all(
    names.map(async (name, index) => ({ name, bytes: await picture(name, 60 + index, 50) })),
  );
  images.push({ name: 'related_images/b_png/left.png', bytes: await picture('left') });
  images.push({ name: 'related_images/b_png/right.png', bytes: await picture('right') });
  const task = await client().taskWithImages(
    {
      name: 'Everything',
      ...(project ? { project_id: project.id } : { labels }),
      segment_size: 4,
      overlap: 2,
      subset: 'train',
    },
    images,
    { image_quality: 81, sorting_method: 'predefined', upload_file_order: names, chunk_size: 5 },
  );
  const [person, car, weather] = await client().labels(task.id);
  const [head, foot] = person?.sublabels ?? [];
  const id = (label: { id: number } | undefined) => label?.id ?? 0;
  const mood = person?.attributes[0]?.id ?? 0;
  const doors = car?.attributes[0]?.id ?? 0;
  const point = (label: typeof head, points: number[], outside = false) => ({
    type: 'points' as const,
    frame: 0,
    label_id: id(label),
    points,
    outside,
    attributes: label === head ? [{ spec_id: head?.attributes[0]?.id ?? 0, value: 'true' }] : [],
  });
  const shapes = [
    {
      type: 'rectangle' as const,
      points: [1.25, 2.5, 30.333333333333336, 40],
      rotation: 33.3,
      occluded: true,
      z_order: -3,
    },
    { type: 'polygon' as const, points: [0, 0, 10, 0.1, 5, 8], score: 0.875, source: 'auto' as const, group: 7 },
    { type: 'polyline' as const, points: [1, 1, 2, 2, 3, 1e-9] },
    { type: 'points' as const, points: [-5.5, 1000.25] },
    { type: 'ellipse' as const, points: [20, 20, 30, 12], rotation: 359.9 },
    { type: 'cuboid' as const, points: Array.from({ length: 16 }, (_, index) => index * 1.5) },
    { type: 'mask' as const, points: [2, 4, 3, 10, 10, 12, 12] },
  ];
  const [first, second] = await client().jobs(task.id);
  await client().changeAnnotations('jobs', id(first), 'create', {
    tags: [{ frame: 3, label_id: id(weather), source: 'semi-auto' }],
    shapes: [
      ...shapes.map((shape, index) => ({
        frame: index % 4,
        label_id: id(car),
        attributes: [{ spec_id: doors, value: String(2 + (index % 4)) }],
        ...shape,
      })),
      {
        type: 'skeleton',
        frame: 0,
        label_id: id(person),
        attributes: [{ spec_id: mood, value: 'angry' }],
        elements: [point(head, [3.5, 4.25]), point(foot, [9, 9], true)],
      },
    ],
    tracks: [
      {
        frame: 0,
        label_id: id(car),
        attributes: [{ spec_id: doors, value: '5' }],
        shapes: [
          { type: 'rectangle', frame: 0, points: [0, 0, 10, 10] },
          { type: 'rectangle', frame: 2, points: [5, 5, 15.5, 15], outside: true, occluded: true, z_order: 2 },
        ],
      },
      {
        frame: 1,
        label_id: id(person),
        shapes: [{ type: 'skeleton', frame: 1, points: [], attributes: [{ spec_id: mood, value: 'calm' }] }],
        elements: [
          {
            frame: 1,
            label_id: id(head),
            shapes: [
              { type: 'points', frame: 1, points: [1, 2] },
              { type: 'points', frame: 3, points: [4, 2] },
            ],
          },
          { frame: 1, label_id: id(foot), shapes: [{ type: 'points', frame: 1, points: [1, 9], outside: true }] },
        ],
      },
    ],
  });
  // On the frames of both jobs: a different object, though at the same position.
  await client().changeAnnotations('jobs', id(second), 'create', {
    shapes: [{ type: 'polyline', frame: 3, label_id: id(car), points: [1, 1, 2, 2] }],
  });
  await client().good<Job>('PATCH', `/api/jobs/${id(second)}`, { json: { stage: 'validation', state: 'rejected' } });
  const groundTruth = await client().good<Job>('POST', '/api/jobs', {
    json: { type: 'ground_truth', task_id: task.id, frame_selection_method: 'manual', frames: [4, 1] },
  });
  await client().changeAnnotations('jobs', groundTruth.id, 'create', {
    shapes: [{ type: 'rectangle', frame: 4, label_id: id(car), points: [7, 7, 9, 9] }],
  });
  await client().good('PATCH', `/api/tasks/${task.id}/data/meta`, { json: { deleted_frames: [5] } });
  await client().good('POST', '/api/issues', {
    json: { job: id(first), frame: 2, position: [1.5, 2], message: 'too loose' },
  });
  const guide = await client().good<{ id: number }>('POST', '/api/guides', {
    json: { task_id: task.id, markdown: '# How' },
  });
  const asset = await workCalls(client()).sendFile('/api/assets', 'file', {
    name: 'how.png',
    bytes: await picture('how'),
  });
  expect(asset.status).toBe(400);
  const form = new FormData();
  form.set('guide_id', String(guide.id));
  form.set('file', new Blob([new Uint8Array(await picture('how'))]), 'how.png');
  const { uuid } = await client().good<{ uuid: string }>('POST', '/api/assets', { body: form });
  await client().good('PATCH', `/api/guides/${guide.id}`, { json: { markdown: `# How\n![so](/api/assets/${uuid})` } });
  return client().task(task.id);
}

async function frames(taskId: number): Promise<string[]> {
  const meta = await client().meta('tasks', taskId);
  return Promise.all(
    Array.from({ length: meta.size }, async (_, frame) =>
      (await client().bytes(`/api/tasks/${taskId}/data?type=frame&number=${frame}&quality=original`)).toString(
        'base64',
      ),
    ),
  );
}

/** Media folders without a task, annotations without a job, files without an import. */
async function leftovers() {
  const known = new Set((await work.tasks()).map(({ id }) => String(id)));
  const data = join(work.workbench.dataDir, 'data');
  const list = (folder: string) => {
    try {
      return readdirSync(join(data, folder));
    } catch {
      return [];
    }
  };
  return {
    media: readdirSync(data).filter((name) => /^\d+$/.test(name) && !known.has(name)),
    imports: list('imports'),
    uploads: list('uploads/claimed'),
  };
}
const nothingLeft = { media: [], imports: [], uploads: [] };

let task: Task;
let archive: Buffer;
describe('a task', () => {
  test('is restored unchanged: labels, jobs, annotations, deleted frames, issues, guide and images', async () => {
    task = await fullTask();
    archive = await backup('tasks', task.id);
    const request = await restore('tasks', archive);
    expect(request).toMatchObject({ status: 'finished', operation: { type: 'import:backup', target: 'task' } });
    expect(request.result_id).toBeGreaterThan(task.id);
    const copy = request.result_id ?? 0;
    expect(await describeTask(client(), copy)).toEqual(await describeTask(client(), task.id));
    expect(await frames(copy)).toEqual(await frames(task.id));
    const context = `data?type=context_image&number=4`;
    const zips = [
      await client().bytes(`/api/tasks/${copy}/${context}`),
      await client().bytes(`/api/tasks/${task.id}/${context}`),
    ];
    const contents = await Promise.all(
      zips.map(async (zip) => Object.values(await entriesOf(zip)).map((one) => one.toString('base64'))),
    );
    expect(contents[0]).toEqual(contents[1]);
    expect(contents[0]).toHaveLength(2);
    expect(await leftovers()).toEqual(nothingLeft);
  });

  test('is restored from an archive with a folder around it', async () => {
    const entries = Object.entries(await entriesOf(archive));
    const wrapped = Object.fromEntries(entries.map(([path, bytes]) => [`task 7/${path}`, bytes]));
    const request = await restore('tasks', makeZip(wrapped));
    expect(request).toMatchObject({ status: 'finished' });
    expect(await frames(request.result_id ?? 0)).toEqual(await frames(task.id));
  });

  test('has the layout that other readers expect', async () => {
    const entries = await entriesOf(archive);
    const file = JSON.parse(entries['task.json']?.toString() ?? '') as Record<string, unknown>;
    expect(file).toMatchObject({
      version: '1.0',
      name: 'Everything',
      subset: 'train',
      status: 'annotation',
      data: {
        image_quality: 81,
        chunk_size: 5,
        start_frame: 0,
        stop_frame: 5,
        deleted_frames: [5],
        storage: 'local',
        chunk_type: 'imageset',
      },
      jobs: [
        { type: 'annotation', start_frame: 0, stop_frame: 3, status: 'annotation' },
        { type: 'annotation', start_frame: 2, stop_frame: 5, status: 'validation' },
        { type: 'ground_truth', start_frame: 0, stop_frame: 5, frames: [1, 4] },
      ],
    });
    expect(JSON.stringify(file)).not.toMatch(/"id":|"spec_id"|"url"/);
    const annotations = JSON.parse(entries['annotations.json']?.toString() ?? '') as { shapes: object[] }[];
    expect(annotations).toHaveLength(3);
    expect(annotations[2]?.shapes).toMatchObject([{ label: 'Auto – größer', frame: 4, attributes: [] }]);
    const manifest = entries['data/manifest.jsonl']
      ?.toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(manifest?.slice(0, 3)).toMatchObject([
      { version: '1.1' },
      { type: 'images' },
      { name: 'a/IMG 1', extension: '.png', width: 60, height: 50 },
    ]);
    expect(Object.keys(entries).filter((path) => path.startsWith('data/')).length).toBe(9);
    expect(entries['annotation_guide.md']?.toString()).toMatch(/!\[so\]\(assets\/[0-9a-f-]+\.png\)/);
  });

  test('is downloaded with a descriptive or requested name', async () => {
    const { rq_id: rqId } = await client().good<{ rq_id: string }>('POST', `/api/tasks/${task.id}/backup/export`, {
      query: { lightweight: 'True' },
    });
    expect(rqId).toBe(`action=export&target=task&target_id=${task.id}&user_id=1&subresource=backup&lightweight=True`);
    const request = await client().finished(rqId);
    expect(request.operation.lightweight).toBe(true);
    expect(new URL(request.result_url ?? '').pathname).toBe(`/api/tasks/${task.id}/backup/download`);
    const answer = await client().call('GET', request.result_url ?? '');
    expect(answer.headers.get('Content-Disposition')).toMatch(
      /filename="task_everything_backup-lightweight_[\d_]+\.zip"/,
    );
    expect(await client().call('GET', `/api/tasks/${task.id}/backup`)).toMatchObject({ status: 410 });
  });

  test('without data cannot be backed up; strangers may neither back up nor restore beyond their rights', async () => {
    const empty = await client().createTask();
    expect(await client().call('POST', `/api/tasks/${empty.id}/backup/export`)).toMatchObject({ status: 400 });
    expect(await client().call('POST', '/api/tasks/999999/backup/export')).toMatchObject({ status: 404 });
    const stranger = await work.workbench.addUser('another-user');
    expect(await stranger.call('POST', `/api/tasks/${task.id}/backup/export`)).toMatchObject({ status: 403 });
    const request = await restore('tasks', archive, stranger);
    expect(request.status).toBe('finished');
    const copy = await stranger.task(request.result_id ?? 0);
    expect(copy.owner?.username).toBe('another-user');
    const { jobs } = await describeTask(stranger, copy.id);
    // Comments of missing users have no owner.
    expect(jobs.flatMap(({ comments }) => comments)).toMatchObject([{ message: 'too loose', owner: undefined }]);
  });
});

describe('a project', () => {
  test('is restored with all its tasks, those without data too', async () => {
    const project = await client().createProject('Streets & more', labels);
    await fullTask(project);
    await client().createTask({ name: 'still empty', project_id: project.id });
    await client().good('POST', '/api/guides', { json: { project_id: project.id, markdown: 'for all' } });
    const bytes = await backup('projects', project.id);
    expect(Object.keys(await entriesOf(bytes)).map((path) => path.split('/')[0])).toEqual(
      expect.arrayContaining(['project.json', 'task_0', 'task_1', 'annotation_guide.md']),
    );
    const request = await restore('projects', bytes);
    expect(request).toMatchObject({ status: 'finished', operation: { target: 'project' } });
    const id = request.result_id ?? 0;
    expect(await work.project(id)).toMatchObject({
      name: 'Streets & more',
      tasks: { count: 2 },
      task_subsets: ['train'],
    });
    const originals = await work.tasksOf(project.id);
    const copies = await work.tasksOf(id);
    for (const [index, original] of originals.entries()) {
      const copy = copies[index]?.id ?? 0;
      if (original.data === null) expect(copies[index]).toMatchObject({ name: 'still empty', data: null });
      else expect(await describeTask(client(), copy)).toEqual(await describeTask(client(), original.id));
    }
    expect(await leftovers()).toEqual(nothingLeft);
  });

  test('is not restored as a task, nor a task as a project', async () => {
    const project = await client().createProject('no tasks', []);
    const bytes = await backup('projects', project.id);
    expect(await restore('tasks', bytes)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('backup of a project'),
    });
    expect(await restore('projects', archive)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('backup of a task'),
    });
    expect((await restore('projects', bytes)).status).toBe('finished');
  });
});

describe('backups of other services', () => {
  const taskFile = {
    version: '1.0',
    name: 'From elsewhere',
    bug_tracker: '',
    status: 'annotation',
    subset: '',
    labels: [
      {
        name: 'cat',
        color: '#2080c0',
        type: 'any',
        sublabels: [],
        attributes: [{ name: 'age', mutable: true, input_type: 'text', default_value: 'x', values: [''] }],
      },
    ],
    data: {
      chunk_size: 72,
      image_quality: 70,
      start_frame: 1,
      stop_frame: 3,
      storage_method: 'cache',
      storage: 'local',
      sorting_method: 'lexicographical',
      chunk_type: 'imageset',
      deleted_frames: [],
    },
    jobs: [
      { start_frame: 0, stop_frame: 1, frames: [], status: 'completed', type: 'annotation' },
      { start_frame: 2, stop_frame: 2, frames: [], status: 'validation', type: 'annotation' },
    ],
  };
  const shape = {
    type: 'rectangle',
    occluded: false,
    outside: false,
    z_order: 0,
    rotation: 0.0,
    points: [1.0, 2.0, 3.0, 4.0],
    frame: 1,
    group: 0,
    source: 'manual',
    attributes: [{ value: 'old', name: 'age' }],
    elements: [],
    label: 'cat',
  };
  const manifest = (names: string[]) =>
    [
      '{"version":"1.1"}',
      '{"type":"images"}',
      ...names.map((name) =>
        JSON.stringify({ name, extension: '.png', width: 64, height: 48, meta: { related_images: [] } }),
      ),
    ].join('\n');

  test('restore image tasks: the range of their files, jobs by their status, labels without more', async () => {
    const names = ['d', 'a', 'b', 'c'];
    const bytes = makeZip({
      'task.json': JSON.stringify(taskFile),
      'annotations.json': JSON.stringify([
        { version: 0, tags: [], shapes: [shape], tracks: [] },
        { version: 0, tags: [], shapes: [], tracks: [] },
      ]),
      'data/manifest.jsonl': manifest(names),
      'data/index.json': '{}',
      ...Object.fromEntries(
        await Promise.all(names.map(async (name) => [`data/${name}.png`, await picture(name)] as const)),
      ),
    });
    const request = await restore('tasks', bytes);
    expect(request).toMatchObject({ status: 'finished' });
    const described = await describeTask(client(), request.result_id ?? 0);
    expect(described.meta).toMatchObject({ start_frame: 1, stop_frame: 3, size: 3 });
    expect(described.meta.frames?.map(({ name }) => name)).toEqual(['a.png', 'b.png', 'c.png']);
    expect(described.task).toMatchObject({ name: 'From elsewhere', segment_size: 2, overlap: 0 });
    expect(described.jobs.map(({ stage, state }) => [stage, state])).toEqual([
      ['acceptance', 'completed'],
      ['validation', 'new'],
    ]);
    expect(described.annotations.shapes).toMatchObject([
      { frame: 1, label_id: 'cat', attributes: [['age', 'old']], points: [1, 2, 3, 4] },
    ]);
  });

  test('report an invalid object, and restore the others', async () => {
    const one = {
      ...taskFile,
      data: { ...taskFile.data, start_frame: 0, stop_frame: 0 },
      jobs: [{ start_frame: 0, stop_frame: 0, status: 'annotation' }],
    };
    const good = { ...shape, frame: 0 };
    const bytes = makeZip({
      'task.json': JSON.stringify(one),
      'annotations.json': JSON.stringify([
        {
          tags: [],
          shapes: [good, { ...good, points: [1] }, { ...good, label: 'dog' }, { ...good, frame: 9 }],
          tracks: [],
        },
      ]),
      'data/manifest.jsonl': manifest(['a']),
      'data/a.png': await picture('a'),
    });
    const request = await restore('tasks', bytes);
    expect(request).toMatchObject({
      status: 'finished',
      message: 'The task and 1 frame restored. 1 object imported, 3 could not be read.',
    });
    const { invalid: bad } = await client().report(request.id);
    expect(bad.map(({ at }) => at)).toEqual(['[0].shapes[1]', '[0].shapes[2]', '[0].shapes[3]']);
  });
});

describe('a damaged backup', () => {
  test('refuses to guess the order of images without their list', async () => {
    const { 'data/manifest.jsonl': _list, ...rest } = await entriesOf(archive);
    const request = await restore('tasks', makeZip(rest));
    expect(request).toMatchObject({ status: 'failed' });
    expect(request.message).toContain('the list of its images, manifest.jsonl, is missing');
  });

  test('restores nothing and leaves nothing behind, whatever is truncated or changed in it', async () => {
    const before = (await work.tasks()).length;
    const failures: string[] = [];
    const attempt = async (bytes: Buffer, what: string) => {
      const request = await restore('tasks', bytes);
      if (request.status === 'failed') failures.push(request.message);
      else {
        // A changed bit that no reader uses, such as a time stamp, has no effect. Then everything must be there.
        expect(await describeTask(client(), request.result_id ?? 0), what).toEqual(
          await describeTask(client(), task.id),
        );
        expect(await frames(request.result_id ?? 0), what).toEqual(await frames(task.id));
        await client().good('DELETE', `/api/tasks/${request.result_id}`);
      }
    };
    for (const share of [0.2, 0.7, 0.999])
      await attempt(archive.subarray(0, Math.floor(archive.length * share)), `cut at ${share}`);
    for (let step = 1; step <= 24; step += 1) {
      const turned = Buffer.from(archive);
      const at = Math.floor((archive.length * step) / 25);
      turned[at] = (turned[at] ?? 0) ^ 0x10;
      await attempt(turned, `byte ${at} turned over`);
    }
    expect(failures.length).toBeGreaterThan(20);
    for (const message of failures) expect(message).toMatch(/\.$/);
    expect((await work.tasks()).length).toBe(before);
    await expect.poll(leftovers, { timeout: 20_000 }).toEqual(nothingLeft);
  });

  test('refuses malicious archives', async () => {
    const before = (await work.tasks()).length;
    const entries = await entriesOf(archive);
    const variants: Record<string, Record<string, Buffer | string>> = {
      'a path that leads out': { ...entries, '../../outside.png': 'x' },
      'no annotations': Object.fromEntries(Object.entries(entries).filter(([path]) => path !== 'annotations.json')),
      'annotations of too few jobs': { ...entries, 'annotations.json': '[]' },
      'annotations that are no list': { ...entries, 'annotations.json': '{"a":1}' },
      'a version that is not known': { ...entries, 'task.json': '{"version":"9.0"}' },
      'no JSON': { ...entries, 'task.json': 'task' },
      'an image that is missing': Object.fromEntries(Object.entries(entries).filter(([path]) => path !== 'data/c.png')),
      'an image that is none': { ...entries, 'data/c.png': 'no picture' },
    };
    for (const [what, files] of Object.entries(variants)) {
      expect(await restore('tasks', makeZip(files)), what).toMatchObject({
        status: 'failed',
        message: expect.stringMatching(/\w/),
      });
    }
    const text = await restore('tasks', Buffer.from('this is no archive at all'));
    expect(text).toMatchObject({ status: 'failed' });
    expect((await work.tasks()).length).toBe(before);
    await expect.poll(leftovers, { timeout: 20_000 }).toEqual(nothingLeft);
  });
});

test('a backup of images used in place contains them, and fails when they are missing', async () => {
  const folder = join(work.workbench.dataDir, 'elsewhere');
  const { writeImages } = await import('../../support/images.ts');
  const paths = await writeImages(folder, [
    { name: 'one.png', bytes: await picture('one') },
    { name: 'two.png', bytes: await picture('two') },
  ]);
  const created = await client().createTask({ labels: [{ name: 'thing' }] as LabelWrite[] });
  await client().finished(await client().useServerFiles(created.id, paths));
  const bytes = await backup('tasks', created.id);
  const request = await restore('tasks', bytes);
  expect(await frames(request.result_id ?? 0)).toEqual(paths.map((path) => readFileSync(path).toString('base64')));
  const { rmSync } = await import('node:fs');
  rmSync(paths[1] ?? '');
  const { rq_id: rqId } = await client().good<{ rq_id: string }>('POST', `/api/tasks/${created.id}/backup/export`);
  expect(await client().ended(rqId)).toMatchObject({ status: 'failed', message: expect.stringContaining('two.png') });
});

test('a restore names truncated images, and restores them, because a task may contain such images on purpose', async () => {
  const bytes = await makeImage({ width: 640, height: 480, text: 'cut' });
  const { id } = await client().createTask({ name: 'cut', labels: [{ name: 'thing' }] });
  const files = [{ name: 'cut.jpg', bytes: bytes.subarray(0, bytes.length / 3) }];
  expect((await client().ended(await client().uploadImages(id, files, { accept_damaged: true }))).status).toBe(
    'finished',
  );
  const restored = await restore('tasks', await backup('tasks', id));
  expect(restored).toMatchObject({
    status: 'finished',
    message: expect.stringMatching(/restored\..*cut\.jpg is truncated: its lower part is missing\./),
  });
});
