import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCoreHarness } from '../../db/work/core-harness.ts';
import { signIn } from '../../support/client.ts';
import { createRandom } from '../../support/random.ts';
import type { RunningServer } from '../../support/server.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { milliseconds, seed } from '../crash/kill-plan.ts';
import { storeProblems } from '../crash/store-checks.ts';
import { works } from './works.ts';
import { createWorld, type World } from './world.ts';

/** A kill comes at a random moment of this time after a start. */
const maxDelayMs = 400;
const random = createRandom(seed);
const stops: { readonly name: string; readonly ms: number }[] = [];

let world: World;
let server: RunningServer;
beforeAll(async () => {
  world = await createWorld(sharedFolder());
  ({ server } = world);
});
afterAll(async () => {
  const slowest = stops.toSorted((a, b) => b.ms - a.ms);
  const load = loadavg()[0]!.toFixed(1);
  console.log(`stops (load ${load}): ${slowest.map(({ name, ms }) => `${name} ${milliseconds(ms)}`).join(', ')}`);
  world?.detector.close();
  await world?.far.stop();
  await world?.bucket.server.stop();
  await server?.stop();
});

/** Stops the service like a service manager. Printed, because a supervisor kills it after some seconds. */
async function stop(name: string): Promise<void> {
  const started = performance.now();
  expect(await server.stop()).toBe(0);
  stops.push({ name, ms: performance.now() - started });
}

test('there is a row for each type of background request', async () => {
  const harness = createCoreHarness();
  const types = harness.core.requestTypes();
  await harness.dispose();
  expect(new Set(works.flatMap((work) => work.types))).toEqual(new Set(types));
});

describe(`after a stop and a kill (seed ${seed})`, () => {
  test.each(works)('the service continues with $name', async (work) => {
    const begun = await work.begin(await signIn(server), world);
    await begun.running(await signIn(server));
    await stop(work.name);
    server = await server.restart();
    await sleep(random() * maxDelayMs);
    await server.kill9();
    expect(storeProblems(server.dataDir)).toEqual([]);
    server = await server.restart();
    await begun.ended(await signIn(server));
  });
});
