import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { signIn } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { startFaultReceiver } from '../support/webhook-receiver/fault-receiver.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { compileRecorder, startRecorded } from './recording.ts';

const folder = sharedFolder();
const dataDir = mkdtempSync(join(folder, 'data-'));
const log = join(folder, 'disk.log');
writeFileSync(log, '');
const env = { LIMNER_RECORD_HOLD: join(folder, 'hold') };
const server = await startRecorded({ library: compileRecorder(folder), log, dataDir }, { env });
afterAll(async () => {
  rmSync(join(folder, 'hold'), { force: true });
  await server.stop();
});

test('other requests are answered while an edit is synced, and no listener is notified before', async () => {
  const receiver = await startFaultReceiver();
  const client = await signIn(server);
  const project = await client.createProject('slow', [{ name: 'thing' }]);
  await client.good('POST', '/api/webhooks', {
    json: {
      target_url: receiver.url,
      content_type: 'application/json',
      type: 'project',
      project_id: project.id,
      events: ['update:job'],
      is_active: true,
      enable_ssl: false,
    },
  });
  const task = await client.taskWithImages({ name: 'edited', project_id: project.id }, await makeImages(1));
  const [[job], [label]] = await Promise.all([client.jobs(task.id), client.labels(task.id)]);
  if (!job || !label) throw new Error('A new task has a job and its label.');
  const shapes = [{ type: 'rectangle' as const, frame: 0, label_id: label.id, points: [1, 1, 9, 9] }];
  const draw = () => client.changeAnnotations('jobs', job.id, 'create', { shapes });
  await draw();
  await receiver.arrived(1);

  writeFileSync(join(folder, 'hold'), '');
  let isAnswered = false;
  const edit = draw().finally(() => {
    isAnswered = true;
  });
  const count = async () => (await client.annotations('jobs', job.id)).shapes.length;
  while ((await count()) < 2);
  for (let reads = 0; reads < 100; reads += 1) await count();
  expect({ isAnswered, events: receiver.requests.length }).toEqual({ isAnswered: false, events: 1 });

  rmSync(join(folder, 'hold'));
  await edit;
  await receiver.arrived(2);
  await receiver.stop();
});
