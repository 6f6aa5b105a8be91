import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execFileSync } from 'node:child_process';
import type { Backups } from '../../../../preload/contract/schema/backups.ts';
import { series } from './series.ts';
import type { ServiceUnderTest } from './service-under-test.ts';
import { createTask, exportOf, importBoxes, makeBoxes, request, type TaskWorld } from './worlds.ts';

interface Backed extends TaskWorld {
  /** Unique names of the backup files. */
  readonly name: () => string;
}

const path = '/api/limner/backups';
const pollMs = 50;

async function backUp({ client, folder }: ServiceUnderTest, name: string, isIncremental: boolean): Promise<void> {
  const json = { file: join(folder, name), ...(isIncremental ? { incremental: true } : {}) };
  await client.good('POST', path, { json });
  for (;;) {
    const { running, last } = await client.good<Backups>('GET', path);
    if (running === null && last !== null) {
      if (!last.succeeded) throw new Error(`The backup failed: ${JSON.stringify(last)}`);
      return;
    }
    await sleep(pollMs);
  }
}

const editOne = async (world: TaskWorld, { client }: ServiceUnderTest) => {
  await client.changeAnnotations('jobs', world.jobId, 'create', { shapes: makeBoxes(1, world) });
};

let files = 0;
export const backupSeries = series<Backed>({
  name: 'Backup of copied images, ten shapes each',
  unit: 'images',
  short: [250, 1000, 4000],
  long: [16_000, 64_000],
  async prepare(service, frames, shared) {
    const world = await createTask(service, shared, { frames, isCopied: true });
    await importBoxes(service, shared, world, 10 * frames);
    return { ...world, name: () => `backup-${(files += 1)}.limner` };
  },
  operations: [
    { name: 'full backup', run: ({ name }, service) => backUp(service, name(), false) },
    { name: 'first incremental backup', run: ({ name }, service) => backUp(service, name(), true) },
    {
      name: 'incremental backup, one shape changed',
      async run(world, service) {
        await editOne(world, service);
        await backUp(service, world.name(), true);
      },
      times: 3,
    },
    { name: 'export COCO with images', run: exportOf('COCO 1.0', true) },
    {
      name: 'task backup with images',
      run: ({ taskId }, service) => request(service, `/api/tasks/${taskId}/backup/export?filename=task.zip`),
    },
  ],
});

const gitFrames = 1000;
let repositories = 0;

function gitSeries(name: string, format: string | null, long: readonly number[]) {
  const suffix = format === null ? '' : ', with a copy in a format';
  const push = ({ taskId }: TaskWorld, { client }: ServiceUnderTest) =>
    client.good('POST', `/api/limner/tasks/${taskId}/git/push`, { json: { message: 'changes', accept_losses: true } });
  return series<TaskWorld>({
    name,
    unit: 'objects',
    short: [5000, 20_000, 80_000],
    long,
    async prepare(service, objects, shared) {
      const world = await createTask(service, shared, { frames: gitFrames });
      await importBoxes(service, shared, world, objects);
      const address = join(service.folder, `repository-${(repositories += 1)}.git`);
      execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', address]);
      const json = { address, folder: 'task', ...(format === null ? {} : { format }) };
      await service.client.good('PUT', `/api/limner/tasks/${world.taskId}/git`, { json });
      return world;
    },
    operations: [
      { name: `Git push of all${suffix}`, run: push },
      {
        name: `Git push of one edit${suffix}`,
        async run(world, service) {
          await editOne(world, service);
          await push(world, service);
        },
        times: 3,
      },
      {
        name: `Git status${suffix}`,
        run: ({ taskId }, { client }) => client.good('GET', `/api/limner/tasks/${taskId}/git`),
      },
      {
        name: `Git pull of nothing${suffix}`,
        run: ({ taskId }, { client }) => client.good('POST', `/api/limner/tasks/${taskId}/git/pull`, { json: {} }),
      },
    ],
  });
}

export const gitObjectSeries = gitSeries('Git, objects on 1,000 frames', null, [300_000, 1_000_000]);
export const gitCopySeries = gitSeries('Git with a copy in COCO', 'COCO 1.0', []);
