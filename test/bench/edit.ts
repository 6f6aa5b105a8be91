import type { LabeledData } from '../../preload/contract/schema/annotations.ts';
import { signIn, type TestClient } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { startServer, type RunningServer } from '../support/server.ts';
import { createHttpProbe, requireGood, type HttpProbe } from './support/http-probe.ts';
import type { BenchOptions } from './support/options.ts';
import { makeShapes } from './support/shapes.ts';
import { asRatio, inMilliseconds, median, percentile } from './support/statistics.ts';
import { createStoreAnchor } from './support/store-anchor.ts';
import { printNote, printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const defaultRounds = 7;
const editsPerRound = 100;
const shapesOnFrames = 2000;

/** Drawn shapes are deleted after each round, so that all rounds start equal. */
interface Edited {
  readonly measured: readonly Measured[];
  readonly clear: () => Promise<void>;
}

interface Measured {
  readonly name: string;
  readonly once: () => Promise<number> | number;
  readonly milliseconds: number[];
}

/** Time that a client waits for an edit. The answer comes when it is on disk (WAL, synchronous=FULL). */
export async function bench({ rounds, entry, against }: BenchOptions): Promise<void> {
  await withWorkspace(async (folder) => {
    await using server = await startServer({ entry });
    await using other = against === null ? null : await startServer({ program: against });
    const anchor = createStoreAnchor(folder);
    try {
      const edited = [await edits(server), ...(other ? [await edits(other, 'the other: ')] : [])];
      const measured: Measured[] = [
        { name: 'anchor: bare commit of one row', once: () => anchor.commitMs(), milliseconds: [] },
        ...edited.flatMap((one) => one.measured),
      ];
      for (let round = -1; round < (rounds ?? defaultRounds); round += 1) {
        for (const { once, milliseconds } of measured) {
          for (let edit = 0; edit < editsPerRound; edit += 1) {
            const duration = await once();
            if (round >= 0) milliseconds.push(duration);
          }
        }
        for (const { clear } of edited) await clear();
      }
      print(measured);
    } finally {
      anchor.close();
    }
  });
}

function print(measured: readonly Measured[]): void {
  const bare = measured[0]?.milliseconds ?? [];
  printTable(
    `Edit to disk: ${bare.length} requests each, one at a time`,
    ['', 'p50', 'p99', 'max', 'p50 ratio'],
    measured.map(({ name, milliseconds }) => [
      name,
      inMilliseconds(median(milliseconds)),
      inMilliseconds(percentile(milliseconds, 0.99)),
      inMilliseconds(Math.max(...milliseconds)),
      asRatio(median(milliseconds), median(bare)),
    ]),
  );
  printNote(`In a task of one job with ${shapesOnFrames.toLocaleString('en-US')} shapes on 20 frames.`);
}

async function prepare(client: TestClient): Promise<{ jobId: number; labelId: number }> {
  const task = await client.taskWithImages({ labels: [{ name: 'thing' }] }, await makeImages(20));
  const [label] = await client.labels(task.id);
  const [job] = await client.jobs(task.id);
  const [labelId, jobId] = [label?.id ?? 0, job?.id ?? 0];
  const shapes = makeShapes(shapesOnFrames, labelId).map((shape, index) => ({ ...shape, frame: index % 20 }));
  await client.changeAnnotations('jobs', jobId, 'create', { shapes });
  return { jobId, labelId };
}

async function edits(server: RunningServer, prefix = ''): Promise<Edited> {
  const client = await signIn(server);
  const { jobId, labelId } = await prepare(client);
  const drawn = await prepare(client);
  const probe = createHttpProbe(server.url, await tokenHeader(server));
  const [rectangle, polygon] = makeShapes(2, drawn.labelId);
  const batch = makeShapes(100, drawn.labelId);
  const [box, outline] = makeShapes(2, labelId);
  const created = await client.changeAnnotations('jobs', jobId, 'create', {
    shapes: [box, outline].filter((shape) => shape !== undefined),
  });
  const send = async (job: number, action: string, data: Partial<LabeledData> | object): Promise<number> => {
    const path = `/api/jobs/${job}/annotations/?action=${action}`;
    return requireGood(await probe.send('PATCH', path, JSON.stringify(data))).milliseconds;
  };
  const draw = (shapes: readonly unknown[]) => () => send(drawn.jobId, 'create', { shapes });
  const measured: Measured[] = [
    { name: 'a box is drawn', once: draw([rectangle]), milliseconds: [] },
    { name: 'a polygon of 20 points is drawn', once: draw([polygon]), milliseconds: [] },
    { name: 'two shapes are moved', once: () => send(jobId, 'update', { shapes: created.shapes }), milliseconds: [] },
    { name: '100 shapes at once', once: draw(batch), milliseconds: [] },
    { name: 'one request that reads (users/self)', once: () => read(probe), milliseconds: [] },
  ];
  const named = measured.map((one) => ({ ...one, name: prefix + one.name }));
  return { measured: named, clear: async () => void (await client.clearAnnotations('jobs', drawn.jobId)) };
}

const read = async (probe: HttpProbe) => requireGood(await probe.send('GET', '/api/users/self')).milliseconds;

export async function tokenHeader(server: RunningServer): Promise<Record<string, string>> {
  const client = await signIn(server);
  return { Authorization: client.authorization ?? '' };
}
