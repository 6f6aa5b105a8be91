import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { removeAbandonedUploads } from '../../../main/http/uploads/upload-files.ts';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import { ApiError, type TestClient } from '../../support/client.ts';
import { makeImage, makeImages } from '../../support/images.ts';
import { raw, startWorkbench, useWorkbench } from './support.ts';

const workbench = await useWorkbench();

const newTask = (client: TestClient = workbench.owner) =>
  client.createTask({ name: 'uploads', labels: [{ name: 'car' }] });
const data = (task: Pick<Task, 'id'>) => `/api/tasks/${task.id}/data/`;
const tus = { 'Tus-Resumable': '1.0.0' };
const chunk = { ...tus, 'Content-Type': 'application/offset+octet-stream' };
const named = (name: string) => ({ 'Upload-Metadata': `filename ${Buffer.from(name).toString('base64')}` });

async function create(path: string, name: string, length: number | string, client = workbench.owner) {
  return client.call('POST', path, { headers: { ...tus, 'Upload-Length': String(length), ...named(name) } });
}
async function location(path: string, name: string, length: number, client = workbench.owner) {
  const answer = await create(path, name, length, client);
  expect(answer.status).toBe(201);
  return answer.headers.get('Location') ?? '';
}
const send = (at: string, offset: number | string, bytes: Uint8Array<ArrayBuffer>, client = workbench.owner) =>
  client.call('PATCH', at, { headers: { ...chunk, 'Upload-Offset': String(offset) }, body: bytes });
const head = (at: string, client = workbench.owner) => client.call('HEAD', at, { headers: tus });
const finish = (path: string, json: object = {}) =>
  workbench.owner.call('POST', path, { headers: { 'Upload-Finish': '' }, json: { image_quality: 70, ...json } });
const bytesOf = (buffer: Buffer) => new Uint8Array(buffer);
const namesOf = async (taskId: number) =>
  (await workbench.owner.meta('tasks', taskId)).frames?.map((frame) => frame.name) ?? [];
async function finished(answer: { readonly status: number; readonly body: unknown }) {
  expect(answer).toMatchObject({ status: 202 });
  return workbench.owner.finished((answer.body as { rq_id: string }).rq_id);
}
const uploadFolder = () => join(workbench.dataDir, 'data', 'uploads');
const waiting = () => readdirSync(uploadFolder(), { recursive: true }).filter((name) => String(name).endsWith('.part'));

describe('resumable uploads', () => {
  test('create, append in chunks, read the offset, finish', async () => {
    const task = await newTask();
    const image = bytesOf(await makeImage({ text: 'tus', width: 600, height: 400 }));
    expect((await workbench.owner.call('POST', data(task), { headers: { 'Upload-Start': '' } })).status).toBe(202);
    const created = await create(data(task), 'büro/straße 1.jpg', image.length);
    expect(created.status).toBe(201);
    const at = created.headers.get('Location') ?? '';
    expect(at).toMatch(new RegExp(`^${workbench.url}/api/tasks/${task.id}/data/1_[0-9a-f-]{36}$`));
    expect(created.headers.get('Upload-Offset')).toBe('0');
    expect(created.headers.get('Tus-Extension')).toBe('creation');
    expect(decodeURIComponent(created.headers.get('Upload-Filename') ?? '')).toBe('büro/straße 1.jpg');

    const middle = Math.floor(image.length / 2);
    const first = await send(at, 0, image.subarray(0, middle));
    expect(first.status).toBe(204);
    expect(first.headers.get('Upload-Offset')).toBe(String(middle));
    const requested = await head(at);
    expect(requested.status).toBe(200);
    expect(requested.headers.get('Upload-Offset')).toBe(String(middle));
    expect(requested.headers.get('Upload-Length')).toBe(String(image.length));
    expect((await send(at, middle, image.subarray(middle))).status).toBe(204);

    await finished(await finish(data(task)));
    expect(await namesOf(task.id)).toEqual(['büro/straße 1.jpg']);
    const frame = await fetch(`${workbench.url}/api/tasks/${task.id}/data/?type=frame&quality=original&number=0`, {
      headers: { Authorization: workbench.authorization },
    });
    expect(Buffer.from(await frame.arrayBuffer()).equals(image)).toBe(true);
    expect((await head(at)).status).toBe(404);
  });

  test('answer invalid requests by status', async () => {
    const task = await newTask();
    const path = data(task);
    const bytes = bytesOf(await makeImage({ text: 'errors' }));
    const at = await location(path, 'a.jpg', bytes.length);
    expect((await send(at, 5, bytes)).status).toBe(409);
    expect((await send(at, 0, new Uint8Array(bytes.length + 1))).status).toBe(413);
    expect((await head(at)).headers.get('Upload-Offset')).toBe('0');
    expect((await send(at, 'x', bytes)).status).toBe(400);
    const plain = { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/octet-stream' };
    expect((await workbench.owner.call('PATCH', at, { headers: plain, body: bytes })).status).toBe(415);
    expect((await send(`${workbench.url}${path}1_00000000-0000-0000-0000-000000000000`, 0, bytes)).status).toBe(404);
    expect((await workbench.owner.call('GET', at)).status).toBe(405);
    expect((await create(path, 'b.jpg', 'many')).status).toBe(400);
    expect((await create(path, '', 5)).status).toBe(400);
    expect((await create(path, 'b.jpg', 26 * 1024 ** 3)).status).toBe(413);
    expect((await workbench.anonymous.call('HEAD', at, { headers: tus })).status).toBe(401);

    expect((await send(at, 0, bytes)).status).toBe(204);
    expect((await create(path, 'a.jpg', 5)).status).toBe(409);
    expect((await create('/api/tasks/999999/data/', 'a.jpg', 5)).status).toBe(404);
  });

  test('uploads of another user are neither continued nor visible', async () => {
    const stranger = await workbench.addUser('stranger');
    const task = await newTask();
    const at = await location(data(task), 'a.jpg', 10);
    expect((await head(at, stranger)).status).toBe(403);
    const own = await newTask(stranger);
    const foreign = await location(data(own), 'a.jpg', 10, stranger);
    expect((await head(foreign)).status).toBe(403);
    expect((await send(foreign, 0, new Uint8Array(10))).status).toBe(403);
    expect((await create(data(task), 'a.jpg', 10, stranger)).status).toBe(403);
  });

  test('an incomplete upload is not finished, and nothing of it is lost', async () => {
    const task = await newTask();
    const bytes = bytesOf(await makeImage({ text: 'incomplete' }));
    const at = await location(data(task), 'half.jpg', bytes.length);
    await send(at, 0, bytes.subarray(0, 100));
    const early = await finish(data(task));
    expect(early.status).toBe(400);
    expect(early.body).toEqual({ detail: expect.stringContaining('half.jpg') });
    expect((await send(at, 100, bytes.subarray(100))).status).toBe(204);
    await finished(await finish(data(task)));
    expect((await workbench.owner.task(task.id)).size).toBe(1);
  });

  test('keep the bytes that arrived before a connection broke', async () => {
    const task = await newTask();
    const length = 3_000_000;
    const at = await location(data(task), 'broken.bin', length);
    const controller = new AbortController();
    const written = () =>
      Math.max(
        0,
        ...readdirSync(uploadFolder(), { recursive: true, encoding: 'utf8' })
          .flatMap((name) => statSync(join(uploadFolder(), name), { throwIfNoEntry: false }) ?? [])
          .filter((entry) => entry.isFile())
          .map(({ size }) => size),
      );
    async function* stalls() {
      yield new Uint8Array(2_500_000);
      // Waits until the service has written most of it.
      while (written() < 2_000_000) await sleep(5);
      controller.abort();
    }
    const broken = fetch(at, {
      method: 'PATCH',
      headers: { ...chunk, 'Upload-Offset': '0', Authorization: workbench.authorization },
      // Node's fetch accepts an iterable, which the browser types do not know.
      body: stalls() as unknown as BodyInit,
      duplex: 'half',
      signal: controller.signal,
    } as RequestInit);
    await expect(broken).rejects.toThrow();
    const known = async () => Number((await head(at)).headers.get('Upload-Offset'));
    while ((await known()) === 0) await sleep(5);
    const offset = await known();
    expect(offset).toBeGreaterThanOrEqual(2_000_000);
    expect(offset).toBeLessThanOrEqual(2_500_000);
    expect((await send(at, offset, new Uint8Array(length - offset))).status).toBe(204);
  });

  test('continue after a restart', async () => {
    const other = await startWorkbench();
    const { id } = await other.owner.createTask({ name: 'restart' });
    const bytes = bytesOf(await makeImage({ text: 'restart' }));
    const at = await location(`/api/tasks/${id}/data/`, 'a.jpg', bytes.length, other.owner);
    await send(at, 0, bytes.subarray(0, 1000), other.owner);
    const again = await other.restart();
    try {
      const moved = again.url + new URL(at).pathname;
      const { headers } = await head(moved, again.owner);
      expect(headers.get('Upload-Offset')).toBe('1000');
      expect((await send(moved, 1000, bytes.subarray(1000), again.owner)).status).toBe(204);
      const started = await again.owner.good<{ rq_id: string }>('POST', `/api/tasks/${id}/data/`, {
        headers: { 'Upload-Finish': '' },
        json: { image_quality: 70 },
      });
      await again.owner.finished(started.rq_id);
      expect((await again.owner.task(id)).size).toBe(1);
    } finally {
      await again.stop();
    }
  });

  test('a new start deletes the rest of an earlier attempt', async () => {
    const task = await newTask();
    const bytes = bytesOf(await makeImage({ text: 'first attempt' }));
    await send(await location(data(task), 'a.jpg', bytes.length), 0, bytes);
    await workbench.owner.call('POST', data(task), { headers: { 'Upload-Start': '' } });
    await send(await location(data(task), 'a.jpg', bytes.length), 0, bytes);
    await finished(await finish(data(task)));
    expect((await workbench.owner.task(task.id)).size).toBe(1);
  });

  test('are removed a day after their last use', async () => {
    const task = await newTask();
    await location(data(task), 'forgotten.jpg', 10);
    const folder = join(uploadFolder(), 'open', `tasks-${task.id}-data`);
    await removeAbandonedUploads(uploadFolder(), Date.now());
    expect(readdirSync(folder)).toHaveLength(2);
    await removeAbandonedUploads(uploadFolder(), Date.now() + 2 * 24 * 3600 * 1000);
    expect(readdirSync(join(uploadFolder(), 'open'))).not.toContain(`tasks-${task.id}-data`);
  });
});

describe('forms', () => {
  function form(
    images: readonly { readonly name: string; readonly bytes: Buffer }[],
    fields: Record<string, string> = {},
  ) {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    for (const [index, { name, bytes }] of images.entries()) {
      body.set(`client_files[${index}]`, new Blob([bytesOf(bytes)]), name);
    }
    return body;
  }

  test('one request with everything', async () => {
    const task = await newTask();
    const images = await makeImages(3);
    const body = form(images, { image_quality: '70', use_cache: 'False', sorting_method: 'predefined' });
    await finished(await workbench.owner.call('POST', data(task), { body }));
    expect(await namesOf(task.id)).toEqual(images.map((image) => image.name));
    expect(waiting().filter((name) => String(name).includes(`tasks-${task.id}-`))).toEqual([]);
  });

  test('several forms, then a finish; paths in names are kept if they are safe', async () => {
    const task = await newTask();
    const [one, two, three] = await makeImages(3);
    await workbench.owner.call('POST', data(task), { headers: { 'Upload-Start': '' } });
    const batches = [
      [{ name: 'day/one.jpg', bytes: one?.bytes ?? Buffer.of() }],
      [
        { name: '../../../etc/two.jpg', bytes: two?.bytes ?? Buffer.of() },
        { name: 'C:\\photos\\three "x".jpg', bytes: three?.bytes ?? Buffer.of() },
      ],
    ];
    for (const batch of batches) {
      const headers = { 'Upload-Multiple': '' };
      const body = form(batch, { image_quality: '70' });
      expect((await workbench.owner.call('POST', data(task), { headers, body })).status).toBe(200);
    }
    await finished(await finish(data(task)));
    expect(await namesOf(task.id)).toEqual(['day/one.jpg', 'etc/two.jpg', 'three "x".jpg']);
  });

  test('forms that arrive at the same time keep all their files, small and large ones', async () => {
    const task = await newTask();
    await workbench.owner.call('POST', data(task), { headers: { 'Upload-Start': '' } });
    const small = await makeImages(60, { width: 64, height: 48 });
    const files = small.map(({ bytes }, index) => ({
      name: `${String(index).padStart(2, '0')}.jpg`,
      // Bytes after the end of an image are allowed.
      bytes: index % 10 === 3 ? Buffer.concat([bytes, Buffer.alloc(700_000, index)]) : Buffer.from(bytes),
    }));
    const headers = { 'Upload-Multiple': '' };
    const sent = [0, 20, 40].map((from) =>
      workbench.owner.call('POST', data(task), { headers, body: form(files.slice(from, from + 20), {}) }),
    );
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await finished(await finish(data(task)));
    expect(await namesOf(task.id)).toEqual(files.map(({ name }) => name));
    const [job] = await workbench.owner.jobs(task.id);
    for (const frame of [2, 3, 59]) {
      const path = `/api/jobs/${job?.id}/data?type=frame&quality=original&number=${frame}`;
      const headers = { Authorization: workbench.owner.authorization ?? '' };
      const stored = await fetch(new URL(path, workbench.owner.baseUrl), { headers });
      expect(Buffer.from(await stored.arrayBuffer()).equals(files[frame]?.bytes ?? Buffer.of())).toBe(true);
    }
  });

  test('a file in an unexpected field, a truncated form, and an invalid field leave nothing behind', async () => {
    const task = await newTask();
    // Files of earlier requests may be deleted during the test.
    const before = existsSync(uploadFolder()) ? waiting() : [];
    const wrongField = form([]);
    wrongField.set('picture', new Blob(['x']), 'a.jpg');
    expect((await workbench.owner.call('POST', data(task), { body: wrongField })).body).toHaveProperty('picture');
    const badField = form(await makeImages(1), { image_quality: 'very good' });
    expect((await workbench.owner.call('POST', data(task), { body: badField })).body).toHaveProperty('image_quality');
    const start = '--x\r\nContent-Disposition: form-data; name="client_files[0]"; filename="a.jpg"\r\n\r\nhalf a fi';
    const cut = await raw(
      workbench.port,
      'POST',
      data(task),
      {
        Host: `127.0.0.1:${workbench.port}`,
        Authorization: workbench.authorization,
        'Content-Type': 'multipart/form-data; boundary=x',
      },
      start,
    );
    expect(cut.status).toBe(400);
    expect(JSON.parse(cut.body)).toEqual({ detail: expect.stringMatching(/^Multipart form parse error/) });
    expect((await workbench.owner.call('POST', data(task), { body: form([]) })).status).toBe(400);
    expect(waiting().filter((name) => !before.includes(name))).toEqual([]);
    expect((await workbench.owner.task(task.id)).data).toBeNull();
  });

  test('a task accepts its data once', async () => {
    const task = await newTask();
    const images = await makeImages(1);
    await finished(await workbench.owner.call('POST', data(task), { body: form(images, { image_quality: '70' }) }));
    for (const headers of [{}, { 'Upload-Start': '' }, { 'Upload-Multiple': '' }]) {
      const again = await workbench.owner.call('POST', data(task), {
        headers,
        body: form(images, { image_quality: '70' }),
      });
      expect(again).toMatchObject({ status: 400, body: ['Adding more data is not supported'] });
    }
  });

  test('files of this machine are for the owner', async () => {
    const user = await workbench.addUser('no-owner');
    const task = await newTask(user);
    const json = { image_quality: 70, server_files: ['/etc/hostname'] };
    expect((await user.call('POST', data(task), { json })).status).toBe(403);
  });
});

describe('annotations as files', () => {
  let task: Task;
  beforeAll(async () => {
    task = await workbench.owner.taskWithImages({ name: 'import', labels: [{ name: 'car' }] }, await makeImages(2));
  });
  const coco = {
    images: [{ id: 1, file_name: 'image-000.jpg', width: 320, height: 240 }],
    categories: [{ id: 1, name: 'car' }],
    annotations: [
      { id: 1, image_id: 1, category_id: 1, bbox: [10, 20, 30, 40], area: 1200, iscrowd: 0, segmentation: [] },
    ],
  };
  const text = JSON.stringify(coco);
  const path = () => `/api/tasks/${task.id}/annotations/`;
  const shapes = async () => (await workbench.owner.annotations('tasks', task.id)).shapes;

  test('are imported from a resumable upload that the finish names by its id', async () => {
    const query = { format: 'COCO 1.0', filename: 'coco.json' };
    await workbench.owner.call('POST', path(), { query, headers: { 'Upload-Start': '' } });
    const created = await create(path(), 'coco.json', text.length);
    const name = created.headers.get('Upload-Filename') ?? '';
    expect(created.headers.get('Location')?.endsWith(name)).toBe(true);
    await send(created.headers.get('Location') ?? '', 0, new TextEncoder().encode(text));
    const headers = { 'Upload-Finish': '' };
    await finished(await workbench.owner.call('POST', path(), { query: { ...query, filename: name }, headers }));
    expect((await shapes()).map((shape) => shape.points)).toEqual([[10, 20, 40, 60]]);
    const gone = await workbench.owner.call('POST', path(), { query: { ...query, filename: name }, headers });
    expect(gone.status).toBe(404);
  });

  test('one upload is inspected repeatedly, and then imported', async () => {
    await workbench.owner.call('POST', path(), { headers: { 'Upload-Start': '' } });
    const created = await create(path(), 'coco.json', text.length);
    const filename = created.headers.get('Upload-Filename') ?? '';
    const detect = (upload: string, client = workbench.owner) =>
      client.call('POST', '/api/limner/detect', { query: { upload } });
    expect((await detect(path() + filename)).status).toBe(400);
    await send(created.headers.get('Location') ?? '', 0, new TextEncoder().encode(text));
    expect((await detect(path() + filename)).body).toMatchObject({ candidates: [{ name: 'COCO 1.0' }] });
    const stranger = await workbench.addUser('neighbour');
    expect((await detect(path() + filename, stranger)).status).toBe(403);
    expect((await detect(`${path()}1_nothing`)).status).toBe(404);
    expect((await detect('/etc/passwd')).status).toBe(400);

    const query = { format: 'COCO 1.0', filename };
    const headers = { 'Upload-Finish': '' };
    for (const mode of ['append', 'replace']) {
      const looked = { ...query, import_mode: mode, dry_run: 'true' };
      const { message } = await finished(await workbench.owner.call('POST', path(), { query: looked, headers }));
      expect(message).toContain('1 object can be imported');
    }
    await finished(await workbench.owner.call('POST', path(), { query, headers }));
    expect(await shapes()).toHaveLength(1);
    expect((await workbench.owner.call('POST', path(), { query, headers })).status).toBe(404);
    await expect.poll(waiting).toEqual([]);
  });

  test('an upload that is deleted during its transfer does not return', async () => {
    const created = await create(path(), 'endless.json', 4);
    const at = created.headers.get('Location') ?? '';
    const { promise: rest, resolve: sendRest } = Promise.withResolvers<void>();
    const body = new ReadableStream({
      async start(stream) {
        stream.enqueue(new TextEncoder().encode('[1'));
        await rest;
        stream.enqueue(new TextEncoder().encode('2]'));
        stream.close();
      },
    });
    const headers = { ...chunk, 'Upload-Offset': '0', Authorization: workbench.authorization };
    const sending = fetch(at, { method: 'PATCH', headers, body, duplex: 'half' } as RequestInit);
    await expect.poll(async () => (await send(at, 0, new Uint8Array(1))).status).toBe(409);
    await workbench.owner.call('POST', path(), { headers: { 'Upload-Start': '' } });
    sendRest();
    await sending;
    expect((await head(at)).status).toBe(404);
    expect(waiting()).toEqual([]);
  });

  test('a file on this computer is used by its path, and stays unchanged', async () => {
    const file = join(workbench.dataDir, 'instances of mine.json');
    writeFileSync(file, text);
    const long = new Date(Date.now() - 30 * 24 * 3600 * 1000);
    utimesSync(file, long, long);
    const query = { format: 'COCO 1.0', import_mode: 'replace' };
    const begin = (client: TestClient, length = text.length, at = path(), local = file) => {
      const of = `,local_path ${Buffer.from(local).toString('base64')}`;
      const headers = { ...tus, 'Upload-Length': String(length), 'Upload-Metadata': `filename YS5qc29u${of}` };
      return client.call('POST', at, { headers });
    };
    const handedOver = await begin(workbench.owner);
    expect(handedOver.headers.get('Upload-Offset')).toBe(String(text.length));
    await removeAbandonedUploads(uploadFolder(), Date.now());
    const filename = handedOver.headers.get('Upload-Filename') ?? '';
    const headers = { 'Upload-Finish': '' };
    await finished(await workbench.owner.call('POST', path(), { query: { ...query, filename }, headers }));
    expect(await shapes()).toHaveLength(1);
    expect([readFileSync(file, 'utf8'), statSync(file).mtime]).toEqual([text, long]);
    await expect.poll(() => statSync(file).nlink, { timeout: 30_000 }).toBe(1);
    // The bytes are uploaded if the file differs, if the user may not name paths, and for media, which are stored.
    const guest = await workbench.addUser('guest');
    const own = await guest.taskWithImages({ name: 'own', labels: [{ name: 'car' }] }, await makeImages(1));
    const sent = [
      await begin(workbench.owner, 10),
      await begin(workbench.owner, text.length, path(), `${file}.not`),
      await begin(guest, text.length, `/api/tasks/${own.id}/annotations/`),
      await begin(workbench.owner, text.length, data(await newTask())),
    ];
    expect(sent.map((answer) => answer.headers.get('Upload-Offset'))).toEqual(['0', '0', '0', '0']);
  });

  test('are imported by one form; append keeps existing annotations', async () => {
    const body = () => {
      const form = new FormData();
      form.set('annotation_file', new Blob([text]), 'coco.json');
      return form;
    };
    const query = { format: 'COCO 1.0', import_mode: 'append' };
    await finished(await workbench.owner.call('POST', path(), { query, body: body() }));
    expect(await shapes()).toHaveLength(2);
    const unknown = await workbench.owner.call('POST', path(), { query: { format: 'NOPE 7' }, body: body() });
    expect(unknown).toMatchObject({ status: 400, body: ['Unknown format specified for the request'] });
    expect((await workbench.owner.call('POST', path(), { body: body() })).body).toHaveProperty('format');
    expect((await workbench.owner.call('POST', path(), { query, json: {} })).body).toHaveProperty('annotation_file');
  });

  test('with dry_run a file is only read: the report shows the result of an import', async () => {
    const before = await shapes();
    const form = new FormData();
    form.set('annotation_file', new Blob(['image,label,xmin,ymin,xmax,ymax\nnowhere.jpg,car,1,2,3,4\n']), 'boxes.csv');
    const query = { format: 'CSV 1.0', import_mode: 'replace', dry_run: 'true' };
    const started = await workbench.owner.call('POST', path(), { query, body: form });
    const { rq_id: id } = started.body as { rq_id: string };
    expect((await workbench.owner.finished(id)).message).toBe('0 objects can be imported, 1 could not be read.');
    const report = await workbench.owner.call('GET', `/api/requests/${encodeURIComponent(id)}/report`);
    expect(report.body).toMatchObject({
      invalidCount: 1,
      invalid: [{ at: 'line 2', reason: expect.stringContaining('nowhere.jpg') }],
    });
    expect(await shapes()).toEqual(before);
  });

  test('options of the format and a mapping of labels come as JSON', async () => {
    const send = (options: string) => {
      const form = new FormData();
      form.set('annotation_file', new Blob(['where,what,a,b,c,d\nimage-000.jpg,auto,1,2,3,4\n']), 'boxes.csv');
      const query = { format: 'CSV 1.0', import_mode: 'replace', options };
      return workbench.owner.call('POST', path(), { query, body: form });
    };
    const columns = { image: 'where', label: 'what', xmin: 3, ymin: 4, xmax: 5, ymax: 6 };
    await finished(await send(JSON.stringify({ columns, label_mapping: { auto: 'car' } })));
    expect((await shapes()).map((shape) => shape.points)).toEqual([[1, 2, 3, 4]]);
    for (const wrong of ['{', '7', '[]', '{"label_mapping": 7}', '{"label_mapping": {"a": 7}}'])
      expect(await send(wrong), wrong).toMatchObject({ status: 400, body: { options: expect.anything() } });
  });

  test('an export is downloaded under a plain name, completely or in ranges', async () => {
    const id = await workbench.owner.startExport('tasks', task.id, 'COCO 1.0');
    const { result_url } = await workbench.owner.finished(id);
    expect(result_url?.startsWith(`${workbench.url}/api/tasks/${task.id}/dataset/download?rq_id=`)).toBe(true);
    const headers = { Authorization: workbench.authorization };
    const whole = await fetch(result_url ?? '', { headers });
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(whole.headers.get('Content-Disposition')).toMatch(/^attachment; filename="[A-Za-z0-9_\-. ]+\.zip"$/);
    expect(whole.headers.get('Content-Length')).toBe(String(bytes.length));
    const part = await fetch(result_url ?? '', { headers: { ...headers, Range: 'bytes=10-19' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true);
    const other = await workbench.addUser('curious');
    await expect(other.good('GET', result_url ?? '')).rejects.toThrow(ApiError);
  });

  test('the format of a file is detected; nothing of it is stored', async () => {
    const before = waiting().length;
    const form = new FormData();
    form.set('file', new Blob([text.slice(0, 200)]), 'annotations.json');
    const answer = await workbench.owner.call('POST', '/api/limner/detect', { body: form });
    expect(answer.body).toMatchObject({ candidates: [{ name: 'COCO 1.0' }] });
    const nothing = new FormData();
    nothing.set('file', new Blob(['hello']), 'notes.txt');
    expect((await workbench.owner.call('POST', '/api/limner/detect', { body: nothing })).body).toEqual({
      candidates: [],
    });
    expect(waiting()).toHaveLength(before);
  });
});
