import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodePoints } from '../../main/db/points-codec.ts';
import type { LabeledDataInput } from '../../preload/contract/schema/annotations.ts';
import type { Asset, Guide } from '../../preload/contract/schema/review.ts';
import type { Request } from '../../preload/contract/schema/resources.ts';
import { categoryName, cocoImageSize, generateCoco, imageName } from '../bench/support/generate-coco.ts';
import type { TestClient } from '../support/client.ts';
import { imageForm, makeImages, writeImages, type NamedImage } from '../support/images.ts';
import { below, type Random } from '../support/random.ts';
import type { AfterCut, Check, Ledger } from './ledger.ts';
import { eventValues } from './remains-checks.ts';

export const webhookSecret = 'a secret of the webhook';

export interface WorkTools {
  readonly client: TestClient;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly folder: string;
  readonly sources: Map<string, Buffer>;
}

/** Runs everything that adds files or rows to the data directory, twice, with several clients in parallel. */
export async function work(tools: WorkTools): Promise<void> {
  const receiver = await startReceiver();
  try {
    await tools.client.good('PATCH', '/api/limner/analytics', { json: { enabled: true } });
    const project = await tools.client.createProject('power', [{ name: 'thing' }]);
    await tools.client.good('POST', '/api/webhooks', {
      json: {
        target_url: receiver.url,
        content_type: 'application/json',
        type: 'project',
        project_id: project.id,
        events: ['create:issue', 'update:task'],
        secret: webhookSecret,
        is_active: true,
        enable_ssl: false,
      },
    });
    const edited = await taskOfPhotos(tools, 'edited', { count: 6, project_id: project.id });
    await Promise.all([
      editAndReview(tools, edited),
      (async () => {
        await taskInPieces(tools);
        await taskOfArchive(tools);
        await importAnnotations(tools);
        await backups(tools);
      })(),
      (async () => {
        await taskOfPhotos(tools, 'more', { count: 12 });
        await taskOfLocalFiles(tools);
        await dataset(tools, project.id);
        await taskOfVideo(tools);
        await taskOfOneForm(tools);
      })(),
    ]);
  } finally {
    receiver.close();
  }
}

async function startReceiver(): Promise<{ url: string; close: () => void }> {
  const server: Server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { Connection: 'close' }).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

async function photos(
  { sources }: WorkTools,
  name: string,
  count: number,
  size: { readonly width: number; readonly height: number } = { width: 160, height: 120 },
): Promise<NamedImage[]> {
  const images = (await makeImages(count, { ...size, text: name })).map((image) => ({
    ...image,
    name: `${name}-${image.name}`,
  }));
  for (const image of images) sources.set(image.name, image.bytes);
  return images;
}

/** From its answer on, a request and its inputs are in the store (see `remains-checks.ts`). */
const hasRequest =
  (id: string): Check =>
  ({ store }) =>
    store.prepare('SELECT 1 FROM request WHERE id = ?').get(id) ? [] : [`The request ${id} is not there.`];

const hasFinished =
  (id: string): Check =>
  ({ store }) =>
    store.prepare("SELECT 1 FROM request WHERE id = ? AND status = 'finished'").get(id)
      ? []
      : [`The request ${id}, which had finished, has not.`];

const hasMedia =
  (taskId: number, frames: number): Check =>
  (state) =>
    frameCountProblems(state, taskId, frames);

function frameCountProblems({ store }: AfterCut, taskId: number, frames: number): string[] {
  const row = store
    .prepare('SELECT media.size FROM task JOIN media ON media.id = task.media_id WHERE task.id = ?')
    .get(taskId) as { size: number } | undefined;
  return row?.size === frames ? [] : [`Task ${taskId} has ${row?.size ?? 'no'} frames of ${frames}.`];
}

async function finish({ client, ledger }: WorkTools, requestId: string): Promise<Request> {
  const accepted = ledger.answered(`request ${requestId} accepted`, hasRequest(requestId));
  const request = await client.finished(requestId, 5);
  accepted.end();
  ledger.answered(`request ${requestId} finished`, hasFinished(requestId));
  return request;
}

async function taskOfPhotos(
  tools: WorkTools,
  name: string,
  { count, ...task }: { count: number; project_id?: number },
) {
  const { client, ledger } = tools;
  const images = await photos(tools, name, count);
  const { id } = await client.createTask({ name, ...(task.project_id ? task : { labels: [{ name: 'thing' }] }) });
  const path = `/api/tasks/${id}/data/`;
  await client.good('POST', path, { headers: { 'Upload-Start': '' } });
  const batches = [];
  for (let start = 0; start < count; start += 4) {
    const batch = images.slice(start, start + 4);
    await client.good('POST', path, { headers: { 'Upload-Multiple': '' }, body: imageForm(batch) });
    batches.push(ledger.answered(`uploads of ${name}`, hasUploads(`tasks-${id}-data`, id, batch)));
  }
  const { rq_id: requestId } = await client.good<{ rq_id: string }>('POST', path, {
    headers: { 'Upload-Finish': '' },
    json: { image_quality: 70 },
  });
  for (const batch of batches) batch.end();
  await finish(tools, requestId);
  ledger.answered(`task of ${name}`, hasMedia(id, count));
  return id;
}

function hasUploads(scope: string, taskId: number, images: readonly NamedImage[]): Check {
  return async ({ uploads, remains, store }) => {
    if (store.prepare("SELECT 1 FROM request WHERE task_id = ? AND type = 'create:task'").get(taskId)) return [];
    const open = await uploads.list(scope, 1);
    return images.flatMap(({ name, bytes }) => {
      const upload = open.find((one) => one.name === name);
      if (!upload) return [`The upload ${name} is not there.`];
      const found = remains.get(`data/uploads/open/${scope}/${upload.id}.part`);
      const isWhole = upload.offsetBytes === bytes.length && found?.equals(bytes);
      return isWhole ? [] : [`The upload ${name} is damaged (${found?.length ?? 'no'} of ${bytes.length} bytes).`];
    });
  };
}

/** A TUS upload of one file. Every answered offset counts until a request has taken the file. */
async function sendInPieces(
  { client, ledger, sources }: WorkTools,
  path: string,
  { name, bytes }: NamedImage,
  taken: (state: AfterCut) => boolean,
) {
  sources.set(name, bytes);
  const created = await client.call('POST', path, {
    headers: {
      'Upload-Length': String(bytes.length),
      'Upload-Metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  });
  const location = new URL(created.headers.get('Location') ?? '').pathname;
  const id = location.split('/').at(-1) ?? '';
  const scope = path
    .split('/')
    .filter((part) => part !== '' && part !== 'api')
    .join('-');
  const hasBytes = (size: number): Check => {
    return async (state) => {
      if (taken(state)) return [];
      const upload = await state.uploads.find(scope, id, 1).catch(() => undefined);
      if (!upload) return [`The upload ${name} is not there.`];
      const found = state.remains.get(`data/uploads/open/${scope}/${id}.part`);
      if (upload.offsetBytes < size) return [`The upload ${name} stands at ${upload.offsetBytes}, not at ${size}.`];
      const part = found?.subarray(0, upload.offsetBytes);
      return part?.equals(bytes.subarray(0, upload.offsetBytes)) ? [] : [`The upload ${name} is damaged.`];
    };
  };
  const promises = [ledger.answered(`upload of ${name} created`, hasBytes(0))];
  const piece = Math.ceil(bytes.length / 3);
  for (let offset = 0; offset < bytes.length; offset += piece) {
    const headers = { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' };
    const body = new Uint8Array(bytes.subarray(offset, offset + piece));
    await client.good('PATCH', location, { headers, body });
    promises.push(ledger.answered(`upload of ${name}`, hasBytes(Math.min(bytes.length, offset + piece))));
  }
  return { id, end: () => promises.forEach((promise) => promise.end()) };
}

const hasTaskRequest =
  (taskId: number, type: string) =>
  ({ store }: AfterCut): boolean =>
    store.prepare('SELECT 1 FROM request WHERE task_id = ? AND type = ?').get(taskId, type) !== undefined;

async function taskInPieces(tools: WorkTools): Promise<void> {
  const { client, ledger } = tools;
  const { id } = await client.createTask({ name: 'in pieces', labels: [{ name: 'thing' }] });
  const path = `/api/tasks/${id}/data/`;
  await client.good('POST', path, { headers: { 'Upload-Start': '' } });
  const sent = [];
  for (const photo of await photos(tools, 'pieces', 3)) {
    sent.push(await sendInPieces(tools, path, photo, hasTaskRequest(id, 'create:task')));
  }
  const { rq_id: requestId } = await client.good<{ rq_id: string }>('POST', path, {
    headers: { 'Upload-Finish': '' },
    json: { image_quality: 70 },
  });
  for (const one of sent) one.end();
  await finish(tools, requestId);
  ledger.answered('task in pieces', hasMedia(id, 3));
}

/** Sends everything in one request, which is answered when it is accepted. */
async function taskOfOneForm(tools: WorkTools): Promise<void> {
  const { client } = tools;
  const { id } = await client.createTask({ name: 'one form', labels: [{ name: 'thing' }] });
  const form = imageForm(await photos(tools, 'form', 5), { image_quality: '70' });
  const started = await client.good<{ rq_id: string }>('POST', `/api/tasks/${id}/data/`, { body: form });
  await finish(tools, started.rq_id);
  tools.ledger.answered('task of one form', hasMedia(id, 5));
}

async function taskOfArchive(tools: WorkTools): Promise<void> {
  const { client, folder, sources } = tools;
  const images = await photos(tools, 'packed', 5);
  const archive = join(folder, 'packed.zip');
  await writeImages(join(folder, 'packed', 'inside', 'deep'), images);
  const { makeZip } = await import('../support/craft-zip.ts');
  const bytes = makeZip(
    Object.fromEntries(images.map(({ name, bytes }, index) => [index % 2 ? `inside/deep/${name}` : name, bytes])),
  );
  writeFileSync(archive, bytes);
  sources.set('packed.zip', bytes);
  const { id } = await client.createTask({ name: 'packed', labels: [{ name: 'thing' }] });
  await finish(tools, await client.uploadImages(id, [{ name: 'packed.zip', bytes }]));
  tools.ledger.answered('task of an archive', hasMedia(id, images.length));
}

async function taskOfLocalFiles(tools: WorkTools): Promise<void> {
  const { client, folder } = tools;
  const images = await photos(tools, 'local', 5);
  await writeImages(join(folder, 'local'), images);
  const { id } = await client.createTask({ name: 'local', labels: [{ name: 'thing' }] });
  await finish(tools, await client.useServerFiles(id, [join(folder, 'local')], { copy_data: true }));
  tools.ledger.answered('task of local files', hasMedia(id, images.length));
  for (const number of [0, 1])
    await client.bytes(`/api/tasks/${id}/data/?type=frame&quality=compressed&number=${number}`);
}

async function taskOfVideo(tools: WorkTools): Promise<void> {
  const { client, folder, sources } = tools;
  const file = join(folder, 'film.mp4');
  const input = ['-f', 'lavfi', '-i', 'testsrc=size=96x64:rate=10', '-frames:v', '12'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...input, '-pix_fmt', 'yuv420p', file], { stdio: 'pipe' });
  const bytes = readFileSync(file);
  sources.set('film.mp4', bytes);
  const { id } = await client.createTask({ name: 'film', labels: [{ name: 'thing' }] });
  await finish(tools, await client.uploadImages(id, [{ name: 'film.mp4', bytes }]));
  tools.ledger.answered('task of a video', hasMedia(id, 12));
}

type State = ReadonlyMap<number, string>;

function shapesOf({ store }: AfterCut, jobId: number): State {
  const rows = store
    .prepare(
      `SELECT shape.id, shape.frame, shape.points FROM shape JOIN annotation_set s ON s.id = shape.set_id
       JOIN shape_frame f ON f.set_id = shape.set_id AND f.frame = shape.frame AND f.shape_id = shape.id
       WHERE s.job_id = ? AND s.state = 'live'`,
    )
    .all(jobId) as { id: number; frame: number; points: Buffer }[];
  return new Map(rows.map(({ id, frame, points }) => [id, `${frame}: ${decodePoints(points).join(' ')}`]));
}

const same = (a: State, b: State) => a.size === b.size && [...a].every(([id, content]) => b.get(id) === content);

/** Changes the annotations of a job, each change answered before the next, with issues in between. */
async function editAndReview(tools: WorkTools, taskId: number): Promise<void> {
  const { client, ledger, random } = tools;
  const [job] = await client.jobs(taskId);
  const [label] = await client.labels(taskId);
  if (!job || !label) throw new Error('The task has no job or no label.');
  const states: State[] = [new Map()];
  /** After a cut, the job has the state of the last answered edit, or that of the next one, which was running. */
  const isAt = (step: number): Check => {
    return (state) => {
      const actual = shapesOf(state, job.id);
      const isFine = states.slice(step).some((expected) => same(expected, actual));
      return isFine ? [] : [`The job is not as edit ${step} left it: ${actual.size} shapes.`];
    };
  };
  let shapes: NonNullable<LabeledDataInput['shapes']> = [];
  let last: { end: () => void } | null = null;
  for (let step = 1; step <= 90; step += 1) {
    const box = () => Array.from({ length: 4 }, () => below(random, 1000) / 8);
    const kind = shapes.length < 3 ? 0 : below(random, 3);
    if (kind === 0) {
      const added = Array.from({ length: 1 + below(random, 30) }, () => ({
        type: 'rectangle' as const,
        frame: below(random, 6),
        label_id: label.id,
        points: box(),
      }));
      shapes = [...shapes, ...(await client.changeAnnotations('jobs', job.id, 'create', { shapes: added })).shapes];
    } else {
      const at = below(random, shapes.length);
      const chosen = shapes.slice(at, at + 1).map((shape) => ({ ...shape, points: box() }));
      await client.changeAnnotations('jobs', job.id, kind === 1 ? 'update' : 'delete', { shapes: chosen });
      shapes = [...shapes.slice(0, at), ...(kind === 1 ? chosen : []), ...shapes.slice(at + 1)];
    }
    states.push(new Map(shapes.map(({ id, frame, points }) => [id ?? 0, `${frame}: ${(points ?? []).join(' ')}`])));
    const edited = ledger.answered(`edit ${step}`, isAt(step));
    // A state with this edit includes all earlier ones.
    last?.end();
    last = edited;
    if (step % 4 === 0) {
      const json = { job: job.id, frame: 0, position: [1, 2], message: `look at ${step}` };
      const { id } = await client.good<{ id: number }>('POST', '/api/issues', { json });
      ledger.answered(`issue ${id}`, ({ store }) =>
        store.prepare('SELECT 1 FROM issue WHERE id = ?').get(id) ? [] : [`The issue ${id} is not there.`],
      );
    }
    if (step % 9 === 0) {
      const value = `edit:${step}`;
      const timestamp = new Date().toISOString();
      await client.good('POST', '/api/events', {
        json: { events: [{ scope: 'debug:info', obj_val: value, timestamp }], timestamp },
      });
      ledger.answered(`event ${value}`, (state) =>
        eventValues(state).includes(value) ? [] : [`The event ${value} is lost.`],
      );
    }
  }
}

async function importAnnotations(tools: WorkTools): Promise<void> {
  const { client, folder, sources, ledger } = tools;
  const images = (await photos(tools, 'coco', 3, cocoImageSize)).map((image, index) => ({
    ...image,
    name: imageName(index),
  }));
  for (const image of images) sources.set(image.name, image.bytes);
  const { id } = await client.taskWithImages({ labels: [{ name: categoryName(0) }] }, images);
  const [job] = await client.jobs(id);
  let shown: { end: () => void } | null = null;
  for (const [round, annotations] of [60, 200].entries()) {
    const file = join(folder, `annotations-${round}.json`);
    await generateCoco(file, { images: 3, annotations, categories: 1, seed: round });
    const path = `/api/tasks/${id}/annotations/`;
    const query = { format: 'COCO 1.0', filename: `annotations-${round}.json` };
    await client.good('POST', path, { query, headers: { 'Upload-Start': '' } });
    const named = { name: query.filename, bytes: readFileSync(file) };
    const requestCount = ({ store }: AfterCut) =>
      (
        store.prepare("SELECT parameters FROM request WHERE task_id = ? AND type = 'import:annotations'").all(id) as {
          parameters: string;
        }[]
      ).filter(({ parameters }) => parameters.includes(named.name)).length;
    const sent = await sendInPieces(tools, path, named, (state) => requestCount(state) > 0);
    shown?.end();
    const started = await client.good<{ rq_id: string }>('POST', path, {
      query: { ...query, filename: sent.id },
      headers: { 'Upload-Finish': '' },
    });
    sent.end();
    await client.finished(started.rq_id, 5);
    shown = ledger.answered(`import of ${annotations}`, (state) => {
      const { size } = shapesOf(state, job?.id ?? 0);
      return size === annotations ? [] : [`The import of ${annotations} annotations shows ${size}.`];
    });
  }
}

/** Imports the client's archive into a new project; the photos are a part of the dataset. */
async function dataset(tools: WorkTools, projectId: number): Promise<void> {
  const { client, sources, ledger } = tools;
  const exported = await finish(tools, await client.startExport('projects', projectId, 'COCO 1.0', true));
  const bytes = await client.bytes(exported.result_url ?? '');
  sources.set('dataset.zip', bytes);
  const { id } = await client.createProject('imported', []);
  const form = new FormData();
  form.set('dataset_file', new Blob([new Uint8Array(bytes)]), 'dataset.zip');
  const path = `/api/projects/${id}/dataset/`;
  const started = await client.good<{ rq_id: string }>('POST', path, { query: { format: 'COCO 1.0' }, body: form });
  await finish(tools, started.rq_id);
  ledger.answered('imported dataset', ({ store }) => {
    const row = store
      .prepare('SELECT sum(media.size) AS frames FROM task JOIN media ON media.id = task.media_id WHERE project_id = ?')
      .get(id) as { frames: number | null };
    return row.frames === 6 ? [] : [`The imported project has ${row.frames} frames of 6.`];
  });
}

/** A task with a guide that has images, its backup, and a task from that backup. */
async function backups(tools: WorkTools): Promise<void> {
  const { client, sources, ledger } = tools;
  const taskId = await taskOfPhotos(tools, 'guided', { count: 4 });
  const guide = await client.good<Guide>('POST', '/api/guides', { json: { task_id: taskId, markdown: 'draw well' } });
  const uuids: string[] = [];
  for (const picture of await photos(tools, 'guide', 3)) {
    const form = new FormData();
    form.set('guide_id', String(guide.id));
    form.set('file', new Blob([new Uint8Array(picture.bytes)]), picture.name);
    const { uuid } = await client.good<Asset>('POST', '/api/assets', { body: form });
    uuids.push(uuid);
    ledger.answered(`picture ${picture.name}`, ({ store }) =>
      store.prepare('SELECT 1 FROM asset WHERE uuid = ?').get(uuid)
        ? []
        : [`The picture ${picture.name} is not there.`],
    );
  }
  const markdown = uuids.map((uuid) => `![](/api/assets/${uuid})`).join('\n');
  await client.good('PATCH', `/api/guides/${guide.id}`, { json: { markdown } });
  const started = await client.good<{ rq_id: string }>('POST', `/api/tasks/${taskId}/backup/export`);
  const exported = await finish(tools, started.rq_id);
  const bytes = await client.bytes(exported.result_url ?? '');
  sources.set('backup.zip', bytes);
  const form = new FormData();
  form.set('task_file', new Blob([new Uint8Array(bytes)]), 'backup.zip');
  const restoring = await client.good<{ rq_id: string }>('POST', '/api/tasks/backup/', { body: form });
  const restored = await finish(tools, restoring.rq_id);
  const restoredId = Number(restored.result_id);
  ledger.answered('restored task', (state) => [
    ...frameCountProblems(state, restoredId, 4),
    ...restoredPictures(state, restoredId, 3),
  ]);
}

function restoredPictures({ store, remains }: AfterCut, taskId: number, count: number): string[] {
  const rows = store
    .prepare('SELECT asset.uuid FROM asset JOIN guide ON guide.id = asset.guide_id WHERE guide.task_id = ?')
    .all(taskId) as { uuid: string }[];
  const whole = rows.filter(({ uuid }) => remains.has(`data/assets/${uuid}`));
  return whole.length === count ? [] : [`The restored guide shows ${whole.length} of ${count} pictures.`];
}
