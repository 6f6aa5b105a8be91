import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { labeledDataSchema, type LabeledDataInput } from '../../../preload/contract/schema/annotations.ts';
import { gitBindingWriteSchema, gitPushWriteSchema } from '../../../preload/contract/schema/git.ts';
import { addImagesSchema, dataRequestSchema, taskWriteSchema } from '../../../preload/contract/schema/resources.ts';
import { filesOf } from '../../../main/git-sync/annotation-files.ts';
import { createBindingRepository } from '../../../main/git-sync/binding-repository.ts';
import { createGitStore } from '../../../main/git-sync/git-store.ts';
import { createTaskObjects } from '../../../main/git-sync/task-objects.ts';
import { atOnce } from '../../../main/platform/portions.ts';
import { createLabelRepository } from '../../../main/work/tables/label-repository.ts';
import { createMediaRepository } from '../../../main/work/tables/media-repository.ts';
import { makeImages } from '../../support/images.ts';
import { below, createRandom, pick, type Random } from '../../support/random.ts';
import { useCoreHarness } from './core-harness.ts';

const work = { rows: 0 };
const harness = useCoreHarness({
  counter: { count: (rowsRead, rowsWritten) => void (work.rows += rowsRead + rowsWritten) },
});
const { core, admin, database, folder } = harness;
const data = (input: LabeledDataInput) => labeledDataSchema.parse(input);
const { signal } = new AbortController();
const frames = 10;

async function addImages(taskId: number, names: string, count: number): Promise<void> {
  const images = join(folder, names);
  mkdirSync(images, { recursive: true });
  for (const { name, bytes } of await makeImages(count, { width: 64, height: 48 }))
    writeFileSync(join(images, `${names}-${name}`), bytes);
  const { rq_id } =
    names === 'more'
      ? core.addedImages.start(admin, taskId, addImagesSchema.parse({ server_files: [images] }), [])
      : core.taskData.start(admin, taskId, dataRequestSchema.parse({ server_files: [images] }), []);
  expect(await harness.ended(rq_id)).toMatchObject({ status: 'finished' });
}

const attributes = [{ name: 'colour', mutable: true, input_type: 'text', default_value: 'red', values: [] }];
/** A bound task whose jobs share frames. */
async function createBoundTask(name: string, images = name) {
  const labels = [{ name: 'car', attributes }, { name: 'bus' }, { name: 'tram' }];
  const task = core.tasks.create(admin, taskWriteSchema.parse({ name, segment_size: 4, overlap: 1, labels }));
  await addImages(task.id, images, frames);
  const repository = join(folder, `${name}.git`);
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  const binding = gitBindingWriteSchema.parse({ address: repository, folder: 'team/task' });
  await core.git.tasks.bind(admin, task.id, binding);
  return { id: task.id, repository };
}
type BoundTask = Awaited<ReturnType<typeof createBoundTask>>;

const labelsOf = (id: number) =>
  core.labels.list(admin, { page: 1, pageSize: 'all', equals: { task_id: String(id) } }).results;
const push = ({ id }: BoundTask) => core.git.tasks.push(admin, id, gitPushWriteSchema.parse({}), signal);

async function pushedFiles({ repository }: BoundTask, commit: string): Promise<Record<string, string>> {
  return Object.fromEntries(await createGitStore(repository).read(commit, 'team/task', () => true));
}

/** Files of a complete write. */
function completeFiles({ id }: BoundTask): Record<string, string> {
  const objects = createTaskObjects({
    annotations: core.annotations,
    bindings: createBindingRepository(database),
    labels: createLabelRepository(database),
    media: createMediaRepository(database),
  });
  const task = core.tasks.get(admin, id);
  const row = { ...task, media_id: task.data ?? null } as unknown as Parameters<typeof objects.facts>[0];
  const { state } = atOnce(objects.read(admin, row));
  return Object.fromEntries(atOnce(filesOf(state, objects.facts(row))));
}

const box = (random: Random, frame: number, label_id: number) => {
  const [x, y] = [below(random, 40), below(random, 30)];
  return { type: 'rectangle' as const, frame, label_id, points: [x, y, x + 9.5, y + 7] };
};

/** Edits of users, each with the annotations of the task before it. */
const edits: Readonly<Record<string, (task: BoundTask, random: Random) => unknown>> = {
  'create shapes': ({ id }, random) => {
    const shapes = Array.from({ length: 4 }, () => box(random, below(random, frames), pick(random, labelsOf(id)).id));
    return core.annotations.changeTask(admin, id, 'create', data({ shapes }));
  },
  'create a tag': ({ id }, random) => {
    const tags = [{ frame: below(random, frames), label_id: pick(random, labelsOf(id)).id }];
    return core.annotations.changeTask(admin, id, 'create', data({ tags }));
  },
  'create a track': ({ id }, random) => {
    const frame = below(random, frames - 1);
    const { label_id, ...first } = box(random, frame, labelsOf(id)[0]!.id);
    const shapes = [first, { ...first, frame: frame + 1, outside: random() < 0.5 }];
    return core.annotations.changeTask(admin, id, 'create', data({ tracks: [{ frame, label_id, shapes }] }));
  },
  'move a shape': ({ id }, random) => {
    const { shapes } = core.annotations.readTask(admin, id);
    if (shapes.length === 0) return;
    const shape = pick(random, shapes);
    const { points } = box(random, shape.frame, shape.label_id);
    core.annotations.changeTask(admin, id, 'update', data({ shapes: [{ ...shape, points }] }));
  },
  'move a shape to another frame': ({ id }) => {
    const { shapes } = core.annotations.readTask(admin, id);
    if (shapes.length === 0) return;
    // Frame 2 belongs to the first job only.
    const found = shapes.find(({ frame }) => frame < 2);
    if (found)
      core.annotations.changeTask(admin, id, 'update', data({ shapes: [{ ...found, frame: 1 - found.frame }] }));
  },
  'delete shapes': ({ id }, random) => {
    const { shapes } = core.annotations.readTask(admin, id);
    core.annotations.changeTask(admin, id, 'delete', data({ shapes: shapes.filter(() => random() < 0.3) }));
  },
  'delete tracks': ({ id }, random) => {
    const { tracks } = core.annotations.readTask(admin, id);
    core.annotations.changeTask(admin, id, 'delete', data({ tracks: tracks.filter(() => random() < 0.3) }));
  },
  'undo the last change': ({ id }) => {
    const [last] = core.annotationChanges.list(admin, 'task', id);
    if (last) core.annotationChanges.undo(admin, last.id);
  },
  'replace a job': ({ id }, random) => {
    const [job] = core.jobs.list(admin, {
      page: 1,
      pageSize: 'all',
      sort: 'id',
      equals: { task_id: String(id) },
    }).results;
    const shapes = Array.from({ length: 3 }, () => box(random, below(random, 4), labelsOf(id)[0]!.id));
    return core.annotations.replaceJob(admin, job!.id, data({ shapes }));
  },
  'rename a label': ({ id }, random) => {
    const label = labelsOf(id).at(-1)!;
    return core.labels.update(admin, label.id, { name: `tram ${below(random, 1e6)}` });
  },
};

test.each([1, 2])(
  'after each push of random edits, the files are those of a complete write (seed %i)',
  async (seed) => {
    const random = createRandom(seed);
    const task = await createBoundTask(`streets-${seed}`);
    for (const name of ['create shapes', 'create a tag', 'create a track']) edits[name]!(task, random);
    const first = await push(task);
    expect(await pushedFiles(task, first.commit!)).toEqual(completeFiles(task));
    const { shapes, tags, tracks } = core.annotations.readTask(admin, task.id);
    expect(first.changed).toEqual({ added: shapes.length + tags.length + tracks.length, changed: 0, removed: 0 });
    for (let step = 0; step < 25; step += 1) {
      const names = Array.from({ length: 1 + below(random, 2) }, () => pick(random, Object.keys(edits)));
      for (const name of names) edits[name]!(task, random);
      const { commit } = await push(task);
      if (commit === null) continue;
      const found = await pushedFiles(task, commit);
      expect(found, `${step}: ${names.join(', ')}`).toEqual(completeFiles(task));
      expect((await core.git.tasks.get(admin, task.id)).to_push).toEqual({ added: 0, changed: 0, removed: 0 });
    }
  },
);

test('added images are pushed with the annotations', async () => {
  const random = createRandom(1);
  const task = await createBoundTask('grown');
  edits['create shapes']!(task, random);
  await push(task);
  await addImages(task.id, 'more', 2);
  edits['create shapes']!(task, random);
  const { commit } = await push(task);
  expect(await pushedFiles(task, commit!)).toEqual(completeFiles(task));
});

test('a push of one edit reads the objects of the edited frame only', async () => {
  const rowsOfPush = async (perFrame: number): Promise<number> => {
    const task = await createBoundTask(`crowded-${perFrame}`);
    const [label] = labelsOf(task.id);
    const create = (count: number, frame: (at: number) => number) => {
      const shapes = Array.from({ length: count }, (_, at) => box(createRandom(at), frame(at), label!.id));
      core.annotations.changeTask(admin, task.id, 'create', data({ shapes }));
    };
    // Frame 9 is in one job.
    create(perFrame * (frames - 1), (at) => at % (frames - 1));
    await push(task);
    create(1, () => frames - 1);
    work.rows = 0;
    expect(await push(task)).toMatchObject({ changed: { added: 1, changed: 0, removed: 0 } });
    return work.rows;
  };
  const few = await rowsOfPush(10);
  expect(await rowsOfPush(40)).toBe(few);
});

test('a task without annotations is pushed to an empty repository only', async () => {
  const task = await createBoundTask('blank');
  const { commit, changed } = await push(task);
  expect(changed).toEqual({ added: 0, changed: 0, removed: 0 });
  expect(await pushedFiles(task, commit!)).toEqual(completeFiles(task));
  const other = await createBoundTask('blank-too');
  await core.git.tasks.bind(
    admin,
    other.id,
    gitBindingWriteSchema.parse({ address: task.repository, folder: 'team/other' }),
  );
  expect((await push(other)).commit).toBeNull();
});

test('a first push that is cancelled keeps the uids that it has sent', async () => {
  const task = await createBoundTask('cancelled');
  edits['create shapes']!(task, createRandom(1));
  edits['create shapes']!(task, createRandom(2));
  const controller = new AbortController();
  const pushing = core.git.tasks.push(admin, task.id, gitPushWriteSchema.parse({}), controller.signal);
  const named = () => database.query('SELECT count(*) FROM git_object WHERE task_id = +?').pluck().get(task.id);
  while (named() === 0) await nextTurn();
  controller.abort();
  await expect(pushing).rejects.toThrow();
  const base = database.query('SELECT base FROM git_binding WHERE task_id = +?').pluck().get(task.id);
  expect(base).toBeNull();
  const uids = () => database.query('SELECT object_id, uid FROM git_object WHERE task_id = +?').all(task.id);
  const before = uids();
  const { commit } = await push(task);
  expect(await pushedFiles(task, commit!)).toEqual(completeFiles(task));
  expect(uids()).toEqual(expect.arrayContaining(before));
});

test('a push continues after one whose arrival was not noted', async () => {
  const task = await createBoundTask('unnoted');
  const [car] = labelsOf(task.id);
  const shape = { type: 'rectangle' as const, label_id: car!.id, frame: 1, points: [1, 2, 30, 40] };
  core.annotations.changeTask(admin, task.id, 'create', data({ shapes: [shape] }));
  await push(task);
  // The state after a kill between the push and its note.
  database.query('UPDATE git_binding SET base = NULL WHERE task_id = +?').run(task.id);
  core.annotations.changeTask(admin, task.id, 'create', data({ shapes: [{ ...shape, frame: 2 }] }));
  expect(await push(task)).toMatchObject({ changed: { added: 1, changed: 0, removed: 0 } });
  expect(await push(task)).toMatchObject({ commit: null, changed: { added: 0, changed: 0, removed: 0 } });
});

test('a task that is bound to another folder with annotations has to be pulled first', async () => {
  const [other, task] = [await createBoundTask('other-folder', 'moved'), await createBoundTask('moved')];
  const bind = (id: number, to: string) =>
    core.git.tasks.bind(admin, id, gitBindingWriteSchema.parse({ address: task.repository, folder: to }));
  await bind(other.id, 'team/other');
  for (const { id } of [other, task]) {
    const shape = { type: 'rectangle' as const, label_id: labelsOf(id)[0]!.id, frame: 1, points: [1, 2, 30, 40] };
    core.annotations.changeTask(admin, id, 'create', data({ shapes: [shape] }));
  }
  await push(other);
  await push(task);
  await bind(task.id, 'team/other');
  await expect(push(task)).rejects.toThrow('changes that were not pulled yet');
});
