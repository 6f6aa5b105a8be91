import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Backups } from '../../../preload/contract/schema/backups.ts';
import { makeShapes } from '../../bench/support/shapes.ts';
import { createClient, signIn, type TestClient } from '../../support/client.ts';
import type { RunningServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runLimner } from '../../integration/cli/support/run-limner.ts';
import { startFullWorkbench } from './full-workbench.ts';
import { wholeState } from './whole-state.ts';

const path = '/api/limner/backups';

async function settled(client: TestClient): Promise<Backups> {
  let state = await client.good<Backups>('GET', path);
  await expect
    .poll(async () => {
      state = await client.good<Backups>('GET', path);
      return state.running;
    })
    .toBe(null);
  return state;
}

async function start(folder: string): Promise<{ server: RunningServer; client: TestClient }> {
  const server = await startFullWorkbench(join(folder, 'data'), { images: 8, shapes: 200 });
  return { server, client: await signIn(server) };
}

async function shapesOf(client: TestClient): Promise<number> {
  const { results } = await client.good<{ results: { id: number }[] }>('GET', '/api/jobs');
  return (await client.annotations('jobs', results.at(-1)?.id ?? 0)).shapes.length;
}

test('a workbench that runs is backed up while others write, and what was answered before is in it', async () => {
  const folder = temporaryFolder();
  const { server, client } = await start(folder);
  try {
    const { results } = await client.good<{ results: { id: number; task_id: number }[] }>('GET', '/api/jobs');
    const [job] = results;
    if (!job) throw new Error('There is no job.');
    const [label] = await client.labels(job.task_id);
    const before = (await client.annotations('jobs', job.id)).shapes.length;
    let answered = 0;
    const over = new AbortController();
    const writing = (async () => {
      while (!over.signal.aborted) {
        await client.changeAnnotations('jobs', job.id, 'create', { shapes: makeShapes(2, label?.id ?? 0, answered) });
        answered += 1;
      }
    })();
    await expect.poll(() => answered).toBeGreaterThan(3);
    const atStart = answered;
    const file = join(folder, 'running.limner');
    const result = await runLimner(['backup', '--data-dir', server.dataDir, '--output', file]);
    expect(result).toMatchObject({ exitCode: 0, output: expect.stringContaining('Changes were paused') });
    const atEnd = answered;
    await expect.poll(() => answered).toBeGreaterThan(atEnd);
    over.abort();
    await writing;
    expect(readdirSync(server.dataDir)).not.toContain('snapshot');

    const copy = join(folder, 'copy');
    mkdirSync(copy);
    expect(await runLimner(['restore', file, '--data-dir', copy])).toMatchObject({ exitCode: 0 });
    const second = await startFullWorkbenchAgain(copy);
    try {
      const there = (await (await signIn(second)).annotations('jobs', job.id)).shapes.length - before;
      expect(there % 2).toBe(0);
      expect(there / 2).toBeGreaterThanOrEqual(atStart);
      expect(there / 2).toBeLessThanOrEqual(atEnd + 1);
    } finally {
      await second.stop();
    }
  } finally {
    await server.stop();
  }
});

async function startFullWorkbenchAgain(dataDir: string): Promise<RunningServer> {
  const { startServer } = await import('../../support/server.ts');
  return startServer({ dataDir });
}

test('a running workbench is replaced by a backup at the same address, and the old one is moved aside', async () => {
  const folder = temporaryFolder();
  const { server, client } = await start(folder);
  try {
    const file = join(folder, 'first.limner');
    await client.good('POST', path, { json: { file, passphrase: 'correct horse' } });
    expect((await settled(client)).last).toMatchObject({ kind: 'backup', succeeded: true, file });
    const shapes = await shapesOf(client);
    await client.good('POST', '/api/projects', { json: { name: 'made later' } });

    // A wrong passphrase leaves everything unchanged.
    await client.good('POST', `${path}/restore`, { json: { file, passphrase: 'wrong' } });
    expect((await settled(client)).last).toMatchObject({
      succeeded: false,
      message: expect.stringContaining('passphrase'),
    });
    expect(await client.good('GET', '/api/projects')).toMatchObject({ count: 2 });

    const options = { env: { LIMNER_BACKUP_PASSPHRASE: 'correct horse' } };
    const result = await runLimner(['restore', file, '--data-dir', server.dataDir], options);
    expect(result).toMatchObject({ exitCode: 0, output: expect.stringContaining('The previous data is in') });
    expect(await client.good('GET', '/api/projects')).toMatchObject({ count: 1 });
    expect(await shapesOf(client)).toBe(shapes);
    const [aside = ''] = readdirSync(join(server.dataDir, 'set-aside'));
    expect(Object.keys(wholeState(join(server.dataDir, 'set-aside', aside))).length).toBeGreaterThan(20);

    // Sessions are those of the backup, so the answer of the API contains a launch token.
    const { launch_token: token } = await client.good<{ launch_token: string }>('POST', `${path}/restore`, {
      json: { file, passphrase: 'correct horse' },
    });
    const launched = async () => {
      const answer = await fetch(new URL(`/launch?token=${token}`, server.url), { redirect: 'manual' }).catch(
        () => null,
      );
      return answer?.status;
    };
    await expect.poll(launched).toBe(303);
  } finally {
    await server.stop();
  }
});

test('scheduled backups are created automatically, and only a limited number is kept', async () => {
  const folder = temporaryFolder();
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  for (const day of ['01', '02', '03'])
    writeFileSync(join(backups, `limner-by-itself-2026-01-${day}-000000.limner`), 'old');
  writeFileSync(join(backups, 'limner-by-hand.limner'), 'kept');
  const { server, client } = await start(folder);
  let again: RunningServer | null = null;
  try {
    await client.good('PATCH', path, { json: { folder: backups, every: 'day', keep: 2 } });
    await server.kill9();
    again = await server.restart();
    const second = await signIn(again);
    await expect.poll(async () => (await second.good<Backups>('GET', path)).last?.succeeded).toBe(true);
    await expect.poll(() => readdirSync(backups).filter((name) => name.includes('by-itself')).length).toBe(2);
    const { backups: listed } = await settled(second);
    expect(listed[0]).toMatchObject({ scheduled: true, encrypted: false });
    expect(readdirSync(backups)).toContain('limner-by-hand.limner');
    expect((await createClient(again.url, null).call('GET', path)).status).toBe(401);
  } finally {
    await (again ?? server).stop();
  }
});
