import { beforeAll, expect, it } from 'vitest';
import { signIn, type TestClient } from '../support/client.ts';
import { checkOut, connectServer, pushJob } from '../support/remote-pair.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { useServer } from '../support/use-server.ts';
import { makeImages, writeImages } from '../support/images.ts';
import { join } from 'node:path';
import { preparePython, type RunPython } from './python.ts';

/** The unmodified cvat-sdk is the witness of what a push has changed on the server. */
const folder = sharedFolder();
const [hereServer, thereServer] = await Promise.all([useServer(), useServer()]);
let here: TestClient;
let there: TestClient;
beforeAll(async () => {
  [here, there] = [await signIn(hereServer), await signIn(thereServer)];
  await writeImages(join(folder, 'images'), await makeImages(3, { width: 64, height: 48 }));
});

interface Witness {
  readonly task: number;
  readonly job: number;
  readonly shapes: readonly {
    readonly id: number;
    readonly label: string;
    readonly frame: number;
    readonly points: readonly number[];
  }[];
  readonly comments: readonly string[];
  readonly state: string;
}

const witness = (python: RunPython, step: 'create' | 'read', task = 0): Promise<Witness> =>
  python<Witness>('use_remote.py', [
    thereServer.url,
    thereServer.user,
    thereServer.password,
    join(folder, 'images'),
    folder,
    step,
    String(task),
  ]);

it.each([
  ['2.73', 'requirements.txt'],
  ['2.80', 'requirements-2.80.txt'],
] as const)(
  'cvat-sdk %s sees a pushed job: new objects, unchanged ids of others, comments and the state',
  async (_release, requirements) => {
    const python = await preparePython(requirements);
    const before = await witness(python, 'create');
    const server = await connectServer(here, there);
    const [link] = await checkOut(here, server, 'task', before.task);
    const job = link!.job_id!;
    const { shapes } = await here.annotations('jobs', job);
    expect(shapes.map(({ points }) => points)).toEqual(before.shapes.map(({ points }) => points));
    const [first] = shapes;
    const drawn = { ...first!, id: undefined, frame: 2, points: [7, 8, 30.5, 40.25] };
    await here.changeAnnotations('jobs', job, 'create', { shapes: [drawn] });
    await here.perform('createIssue', { body: { job, frame: 1, position: [3, 4], message: 'Check this.' } });
    await here.perform('updateJob', { params: { id: job }, body: { state: 'completed' } });
    await pushJob(here, link!.id);
    const after = await witness(python, 'read', before.task);
    expect(after).toMatchObject({ state: 'completed', comments: ['Check this.'] });
    expect(after.shapes.slice(0, before.shapes.length)).toEqual(before.shapes);
    expect(after.shapes.slice(before.shapes.length)).toMatchObject([
      { label: 'car', frame: 2, points: [7, 8, 30.5, 40.25] },
    ]);
  },
);
