import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { signIn, type TestClient } from '../../support/client.ts';
import { startCuttingProxy, type CuttingProxy } from '../../support/cutting-proxy.ts';
import { below, createRandom, pick, type Random } from '../../support/random.ts';
import {
  box,
  checkOut,
  comparable,
  connectServer,
  newToken,
  pullJob,
  pushJob,
  taskThere,
} from '../../support/remote-pair.ts';
import { startServer, type RunningServer } from '../../support/server.ts';

/** `LIMNER_REMOTE_SEQUENCES=1000 npx vitest run --project faults test/faults/remote` runs more of them. */
const sequences = Number(process.env['LIMNER_REMOTE_SEQUENCES'] ?? 4);
const firstSeed = Number(process.env['LIMNER_REMOTE_SEED'] ?? Math.floor(Math.random() * 1e6));
const steps = 14;
const frames = 4;

let hereServer: RunningServer;
let thereServer: RunningServer;
let proxy: CuttingProxy;
let limitOf: () => { up?: number; down?: number } | null = () => null;

beforeAll(async () => {
  [hereServer, thereServer] = await Promise.all([startServer(), startServer()]);
  proxy = await startCuttingProxy(thereServer.url, () => limitOf());
});
afterAll(async () => {
  await proxy?.stop();
  await hereServer?.stop();
  await thereServer?.stop();
});

interface End {
  readonly client: TestClient;
  readonly job: number;
  readonly label: number;
  readonly name: string;
}

/** Text that no other object has, so that a lost or doubled object is found. */
let marks = 0;

/** One random edit; returns what it has created and touched. */
async function edit(random: Random, { client, job, label }: End, model: Model): Promise<void> {
  const data = await client.annotations('jobs', job);
  const roll = random();
  if (roll < 0.45 || data.shapes.length === 0) {
    const x = (marks += 1) / 100;
    model.drawn.add(x.toFixed(2));
    const frame = below(random, frames);
    await client.changeAnnotations('jobs', job, 'create', {
      shapes: [{ ...box(label, frame, 0), points: [x, 2, 40, 30] }],
    });
    return;
  }
  const shape = pick(random, data.shapes);
  model.touched.add(markOf(shape));
  if (roll < 0.7) {
    const points = [shape.points[0]!, 2, 40 + below(random, 20), 30];
    await client.changeAnnotations('jobs', job, 'update', { shapes: [{ ...shape, points }] });
  } else if (roll < 0.85) {
    model.deleted.add(markOf(shape));
    await client.changeAnnotations('jobs', job, 'delete', { shapes: [shape] });
  } else {
    // As on CVAT: all objects get new ids.
    await client.replaceAnnotations('jobs', job, withoutIds(data));
  }
}

interface Model {
  readonly drawn: Set<string>;
  readonly touched: Set<string>;
  readonly deleted: Set<string>;
}

const markOf = ({ points }: { readonly points: readonly number[] }): string => (points[0] ?? 0).toFixed(2);
const withoutIds = (data: LabeledData) => ({
  shapes: data.shapes.map(({ id: _id, ...shape }) => shape),
  tags: [],
  tracks: [],
});

async function quietly(work: Promise<unknown>): Promise<void> {
  await work.catch(() => undefined);
}

async function randomSequence(seed: number): Promise<void> {
  const random = createRandom(seed);
  const there = await signIn(thereServer);
  let here = await signIn(hereServer);
  const { task, jobs } = await taskThere(there, frames);
  const server = await connectServer(here, there);
  const connectThroughProxy = async () =>
    here.perform('updateRemoteServer', {
      params: { id: server },
      body: { address: proxy.url, token: await newToken(there) },
    });
  limitOf = () => null;
  await connectThroughProxy();
  const [link] = await checkOut(here, server, 'job', jobs[0]!);
  const labelOf = async (client: TestClient, id: number) => (await client.labels(id))[0]!.id;
  const remote: End = { client: there, job: jobs[0]!, label: await labelOf(there, task), name: 'there' };
  const local = async (): Promise<End> => ({
    client: here,
    job: link!.job_id!,
    label: await labelOf(here, link!.task_id),
    name: 'here',
  });
  const model: Model = { drawn: new Set(), touched: new Set(), deleted: new Set() };
  const params = { id: link!.id };
  const pull = async () => {
    const { conflicts } = await pullJob(here, link!.id);
    if (conflicts.length === 0) return;
    // The user who decides has seen these objects.
    for (const side of conflicts.flatMap(({ base, mine, theirs }) => [base, mine, theirs]))
      if (side?.['kind'] === 'shape') {
        const mark = markOf({ points: side['points'] as number[] });
        model.touched.add(mark);
        model.deleted.add(mark);
      }
    const decisions = conflicts.map(({ uid, version }) => ({
      version,
      uid,
      decision: pick(random, ['mine', 'theirs', 'both'] as const),
    }));
    await pullJob(here, link!.id, decisions);
  };
  const push = () => pushJob(here, link!.id);

  for (let step = 0; step < steps; step += 1) {
    const roll = random();
    const cutUp = random() < 0.5;
    const size = 300 + below(random, 9000);
    if (roll < 0.35) await edit(random, await local(), model);
    else if (roll < 0.6) await edit(random, remote, model);
    else if (roll < 0.75) {
      // The first connection of the exchange breaks somewhere.
      let left = 1;
      limitOf = () => ((left -= 1) >= 0 ? (cutUp ? { up: size } : { down: size }) : null);
      await quietly(random() < 0.7 ? push() : pull());
      limitOf = () => null;
    } else if (roll < 0.8) {
      const running = quietly(push());
      await new Promise((resolve) => setTimeout(resolve, below(random, 60)));
      await hereServer.kill9();
      await running;
      hereServer = await hereServer.restart();
      here = await signIn(hereServer);
    } else if (roll < 0.9) await quietly(pull());
    else await quietly(push());
  }

  for (let round = 0; round < 3; round += 1) {
    await pull();
    await push();
  }
  const [mine, theirs] = [await comparable(here, link!.job_id!), await comparable(there, remote.job)];
  expect(mine).toEqual(theirs);
  expect(await here.perform('compareRemoteJob', { params })).toMatchObject({ state: 'out', conflicts: [] });
  const counts = Map.groupBy((await there.annotations('jobs', remote.job)).shapes, markOf);
  // An object that was not deleted is there, and one that was not changed is there once.
  for (const mark of model.drawn) {
    if (!model.deleted.has(mark)) expect.soft(counts.get(mark) ?? [], `object ${mark}`).not.toHaveLength(0);
    if (!model.touched.has(mark)) expect.soft(counts.get(mark) ?? [], `object ${mark}`).toHaveLength(1);
  }
  await here.perform('deleteRemoteServer', { params: { id: server } });
}

describe('equal ends after random edits, cuts and kills', () => {
  test.each(Array.from({ length: sequences }, (_, index) => firstSeed + index))('seed %i', async (seed) => {
    await randomSequence(seed);
  });
});
