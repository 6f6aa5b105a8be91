import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeShapes } from '../../bench/support/shapes.ts';
import { signIn, type TestClient } from '../../support/client.ts';
import { makeImage, makeImages } from '../../support/images.ts';
import { startServer, type RunningServer } from '../../support/server.ts';

export interface WorkbenchSize {
  readonly images: number;
  readonly shapes: number;
  readonly video?: boolean;
}

const yaml = `metadata:
  name: elsewhere
  annotations:
    name: Elsewhere
    type: detector
    spec: '[{"id": 0, "name": "thing", "type": "rectangle"}]'
spec:
  description: answers at an address
`;

/** A workbench with something of every kind of stored data. It is running when this returns. */
export async function startFullWorkbench(dataDir: string, size: WorkbenchSize): Promise<RunningServer> {
  mkdirSync(join(dataDir, 'formats'), { recursive: true });
  writeFileSync(join(dataDir, 'formats', 'own.mjs'), 'export const nothing = 1;\n');
  const server = await startServer({ dataDir });
  const client = await signIn(server);
  await people(client);
  await work(client, size);
  await client.good('POST', '/api/models/endpoints', {
    json: { configuration: yaml, url: 'http://127.0.0.1:9/', headers: { 'X-Key': 'a secret of the function' } },
  });
  await client.good('PATCH', '/api/limner/analytics', { json: { enabled: true } });
  const timestamp = new Date().toISOString();
  await client.good('POST', '/api/events', { json: { events: [{ scope: 'load:job', timestamp }], timestamp } });
  return server;
}

async function people(client: TestClient): Promise<void> {
  for (const username of ['ada-l', 'grace']) {
    const password = 'a long enough password';
    const json = { username, email: `${username}@example.org`, password1: password, password2: password };
    await client.good('POST', '/api/auth/register', { json: { ...json, first_name: '', last_name: '' } });
  }
  await client.good('POST', '/api/organizations', { json: { slug: 'lab', name: 'Laboratory' } });
  await client.good('POST', '/api/auth/access_tokens', { json: { name: 'of a script' } });
  await client.good('POST', '/api/limner/ssh-keys', { json: { name: 'of this computer' } });
}

async function work(client: TestClient, { images, shapes, video = false }: WorkbenchSize): Promise<void> {
  const project = await client.createProject('Streets', [{ name: 'thing' }]);
  await client.good('POST', '/api/webhooks', {
    json: {
      target_url: 'http://127.0.0.1:9/hook',
      secret: 'a secret of the webhook',
      type: 'project',
      project_id: project.id,
      events: ['update:task'],
      is_active: false,
    },
  });
  const task = await client.taskWithImages({ name: 'street', project_id: project.id }, await manyImages(images));
  const [job] = await client.jobs(task.id);
  const [label] = await client.labels(task.id);
  if (!job || !label) throw new Error('The task has no job or no label.');
  const pieces = 20_000;
  for (let done = 0; done < shapes; done += pieces) {
    const some = makeShapes(Math.min(pieces, shapes - done), label.id, done);
    await client.changeAnnotations('jobs', job.id, 'create', {
      shapes: some.map((shape, index) => ({ ...shape, frame: (done + index) % images })),
    });
  }
  const json = { job: job.id, frame: 0, position: [1, 2], message: 'look at this' };
  await client.good('POST', '/api/issues', { json });
  const guide = await client.good<{ id: number }>('POST', '/api/guides', {
    json: { project_id: project.id, markdown: '# Draw well' },
  });
  const form = new FormData();
  form.set('guide_id', String(guide.id));
  form.set('file', new Blob([new Uint8Array(await makeImage({ text: 'guide' }))]), 'guide.jpg');
  await client.good('POST', '/api/assets', { body: form });
  if (video) await client.taskWithImages({ name: 'film', labels: [{ name: 'thing' }] }, [film()]);
  const started = await client.good<{ rq_id: string }>('POST', `/api/tasks/${task.id}/backup/export`);
  await client.finished(started.rq_id);
}

/** Thousands of different images: a few base images, each with a different trailing comment. */
async function manyImages(count: number) {
  const few = await makeImages(Math.min(count, 20));
  return Array.from({ length: count }, (_, index) => {
    const bytes = few[index % few.length]?.bytes ?? Buffer.alloc(0);
    return {
      name: `image-${String(index).padStart(5, '0')}.jpg`,
      bytes: Buffer.concat([bytes, Buffer.from(`${index}`)]),
    };
  });
}

function film() {
  const command = '-v error -f lavfi -i testsrc=size=96x64:rate=10 -frames:v 20 -pix_fmt yuv420p';
  const output = ['-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4', '-'];
  return { name: 'film.mp4', bytes: execFileSync('ffmpeg', [...command.split(' '), ...output]) };
}
