import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn } from '../../support/client.ts';
import { startCuttingProxy } from '../../support/cutting-proxy.ts';
import { makeImage } from '../../support/images.ts';
import { connectServer } from '../../support/remote-pair.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

/** `LIMNER_REMOTE_FRAMES=10000 npx vitest run --project faults test/faults/remote/long` checks a long job out. */
const frameCount = Number(process.env['LIMNER_REMOTE_FRAMES'] ?? 400);
const cutCount = 50;
const maxMemoryBytes = 900e6;

let here: RunningServer;
let there: RunningServer;
beforeAll(async () => {
  [here, there] = await Promise.all([startServer(), startServer()]);
});
afterAll(async () => {
  await here?.stop();
  await there?.stop();
});

test(`checks out a job of many frames through ${cutCount} cuts and a kill, and loads no frame twice`, async () => {
  const folder = join(sharedFolder(), 'frames');
  mkdirSync(folder);
  const image = await makeImage({ width: 160, height: 120 });
  for (let index = 0; index < frameCount; index += 1)
    writeFileSync(
      join(folder, `${String(index).padStart(6, '0')}.jpg`),
      Buffer.concat([image, Buffer.from(String(index))]),
    );
  const server = await signIn(there);
  const { id: task } = await server.createTask({ name: 'long', labels: [{ name: 'car' }] });
  await server.finished(await server.useServerFiles(task, [folder]));
  const [job] = await server.jobs(task);

  // Each connection carries some frames. The cuts end when there were enough of them.
  const perConnection = Math.max(12_000, (frameCount * image.length) / (2 * cutCount));
  let cuts = 0;
  let isKilled = false;
  const proxy = await startCuttingProxy(there.url, () =>
    !isKilled || cuts >= cutCount ? null : { down: perConnection },
  );
  let client = await signIn(here);
  const connection = await connectServer(client, server);
  const token = (await server.perform('createAccessToken', { body: { name: 'proxy', read_only: false } })).value;
  await client.perform('updateRemoteServer', { params: { id: connection }, body: { address: proxy.url, token } });
  const body = { kind: 'job' as const, id: job!.id, budget_bytes: 100e9 };
  const linkNow = async () => (await client.perform('listRemoteJobs', {})).results[0];
  let before = 0;
  for (;;) {
    const { rq_id: id } = await client.perform('checkOutRemote', { params: { id: connection }, body });
    if (!isKilled) {
      await expect.poll(async () => (await linkNow())?.stored_frame_count ?? 0).toBeGreaterThan(frameCount / 10);
      // The connections of the next process break.
      isKilled = true;
      await here.kill9();
      here = await here.restart();
      client = await signIn(here);
    }
    const { status } = await client.ended(id, 200);
    cuts = proxy.cuts();
    const stored = (await linkNow())?.stored_frame_count ?? 0;
    expect(stored).toBeGreaterThanOrEqual(before);
    before = stored;
    if (status === 'finished') break;
  }
  expect(await linkNow()).toMatchObject({ state: 'out', stored_frame_count: frameCount });
  expect(proxy.cuts()).toBeGreaterThan(5);
  // Frames under way at a cut are loaded again, at most four for each.
  const least = frameCount * image.length;
  console.log(`${proxy.cuts()} cuts, ${proxy.downBytes()} bytes for ${least} bytes of frames`);
  expect(proxy.downBytes()).toBeLessThan(
    1.5 * least + (proxy.cuts() + 10) * 4 * (image.length + 2000) + frameCount * 1500,
  );
  const memory = await here.peakMemoryBytes();
  if (memory !== null) expect(memory).toBeLessThan(maxMemoryBytes);
  await proxy.stop();
});
