import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { LabeledData, LabeledDataInput } from '../../preload/contract/schema/annotations.ts';
import { startPeopleHarness, type Caller, type PeopleHarness } from '../contract/people/people-harness.ts';
import { makeImages } from '../support/images.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

/** Exported copies beside the annotations: two data directories and other programs, with one repository. */
const folder = sharedFolder();
const address = join(folder, 'data.git');
const labels = [
  {
    name: 'boat',
    attributes: [{ name: 'flag', mutable: true, input_type: 'text' as const, default_value: '', values: [] }],
  },
  { name: 'gull' },
];

interface Place {
  readonly harness: PeopleHarness;
  readonly caller: Caller;
  readonly id: number;
}
interface CocoFile {
  annotations: {
    id: number;
    image_id: number;
    category_id: number;
    bbox: number[];
    segmentation: unknown[];
    attributes: object;
  }[];
  categories: { id: number; name: string }[];
}
async function makePlace(): Promise<Place> {
  const harness = await startPeopleHarness();
  const caller = harness.addUser('anna');
  const task = await caller.rest.taskWithImages(
    { name: 'harbour', labels },
    await makeImages(3, { width: 64, height: 48 }),
  );
  return { harness, caller, id: task.id };
}

const of = ({ id }: Place) => ({ params: { id } });
const bind = (place: Place, format?: string | null, within = 'harbour') =>
  place.caller.good('bindTaskGit', {
    ...of(place),
    body: { address, folder: within, ...(format === undefined ? {} : { format }) },
  });
const push = (place: Place, body = {}) => place.caller.good('pushTaskGit', { ...of(place), body });
const pull = (place: Place, body = {}) => place.caller.good('pullTaskGit', { ...of(place), body });
const read = (place: Place) => place.caller.good('getTaskAnnotations', of(place)) as Promise<LabeledData>;
const save = (place: Place, action: 'create' | 'update' | 'delete', body: LabeledDataInput) =>
  place.caller.good('changeTaskAnnotations', { ...of(place), query: { action }, body });
async function labelIds({ caller, id }: Place) {
  const { results } = await caller.good('listLabels', { query: { task_id: String(id) } });
  const boat = results.find(({ name }) => name === 'boat')!;
  return { boat: boat.id, gull: results.find(({ name }) => name === 'gull')!.id, flag: boat.attributes[0]!.id };
}
const box = (label_id: number, frame: number, x: number) => ({
  type: 'rectangle' as const,
  label_id,
  frame,
  points: [x, 2, x + 10, 20],
});
const placesOf = async (place: Place): Promise<string[]> =>
  (await read(place)).shapes.map(({ frame, points }) => `${frame}: ${points.join(' ')}`).toSorted();
const move = async (place: Place, frame: number, x: number): Promise<void> => {
  const shape = (await read(place)).shapes.find((one) => one.frame === frame)!;
  await save(place, 'update', { shapes: [{ ...shape, points: [x, 2, x + 10, 20] }] });
};

const git = (...args: string[]): string =>
  execFileSync('git', [`--git-dir=${address}`, ...args], { encoding: 'utf8' }).trim();
const filesAt = (within: string): string[] => {
  const listed = git('ls-tree', '-r', '--name-only', `main:${within}`);
  return listed === '' ? [] : listed.split('\n');
};

function editElsewhere(path: string, change: (text: string) => string): void {
  const clone = mkdtempSync(join(folder, 'elsewhere-'));
  const run = (...args: string[]) => execFileSync('git', ['-C', clone, ...args], { stdio: 'pipe' });
  execFileSync('git', ['clone', '--quiet', address, clone]);
  writeFileSync(join(clone, path), change(readFileSync(join(clone, path), 'utf8')));
  run('-c', 'user.name=Trainer', '-c', 'user.email=trainer@example.org', 'commit', '--quiet', '-am', 'Cleaned');
  run('push', '--quiet');
}
const cocoPath = 'harbour/export/annotations/instances_default.json';
const editCoco = (change: (file: CocoFile) => void): void =>
  editElsewhere(cocoPath, (text) => {
    const file = JSON.parse(text) as CocoFile;
    change(file);
    return JSON.stringify(file);
  });
const coco = (): CocoFile => JSON.parse(git('cat-file', '-p', `main:${cocoPath}`)) as CocoFile;

execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', address]);
const [here, there] = [await makePlace(), await makePlace()];
afterAll(async () => {
  for (const { harness } of [here, there]) await harness.stop();
});

describe('a copy in a format', () => {
  it('with an unknown format is refused', async () => {
    const body = { address, folder: 'harbour', format: 'No such format' };
    expect(await here.caller.refused(400, 'bindTaskGit', { ...of(here), body })).toHaveProperty('format');
  });

  it('is pushed with its annotations, after dropped data was accepted', async () => {
    const { boat, flag } = await labelIds(here);
    await bind(here, 'coco 1.0');
    await save(here, 'create', {
      tags: [{ frame: 0, label_id: boat }],
      shapes: [
        { ...box(boat, 0, 3), group: 7, attributes: [{ spec_id: flag, value: 'red' }] },
        box(boat, 1, 20),
        { ...box(boat, 2, 30), type: 'polygon', points: [30, 2, 40, 2, 40, 20, 30, 22] },
      ],
    });
    expect(await here.caller.good('getTaskGit', of(here))).toMatchObject({
      binding: { format: 'COCO 1.0' },
      is_copy_outdated: true,
      to_push: { added: 4 },
    });
    const requested = await push(here);
    expect(requested).toMatchObject({
      commit: null,
      needs_acceptance: true,
      losses: [
        { type: 'tag', label: 'boat', count: 1 },
        { type: 'rectangle', rule: expect.stringContaining('no group') },
      ],
    });
    expect(git('for-each-ref')).toBe('');

    expect(await push(here, { accept_losses: true })).toMatchObject({ changed: { added: 4 }, needs_acceptance: false });
    expect(filesAt('harbour/export')).toEqual(['annotations/instances_default.json']);
    expect(coco().annotations.map(({ bbox }) => bbox)).toEqual([
      [3, 2, 10, 18],
      [20, 2, 10, 18],
      [30, 2, 10, 20],
    ]);
    expect((await here.caller.good('getTaskGit', of(here))).is_copy_outdated).toBe(false);
    expect(await push(here)).toMatchObject({
      commit: null,
      needs_acceptance: false,
      losses: [{ type: 'tag' }, { type: 'rectangle' }],
    });
  });

  it('changes only with the annotations, and does not ask again about known losses', async () => {
    await move(here, 1, 25);
    await push(here);
    expect(git('show', '--format=', '--name-only', 'main').split('\n')).toEqual([
      cocoPath,
      'harbour/frames/000001.json',
      'harbour/limner-export.json',
    ]);
  });

  it('is used by the users who pull, and pushed by them', async () => {
    await bind(there);
    expect(await pull(there)).toMatchObject({ changed: { added: 4 }, copies: [], binding: { format: 'COCO 1.0' } });
    await move(there, 0, 5);
    await push(there);
    expect(coco().annotations[0]?.bbox).toEqual([5, 2, 10, 18]);
    expect(await pull(here)).toMatchObject({ changed: { changed: 1 } });
    expect(await placesOf(here)).toEqual(await placesOf(there));
  });
});

describe('a copy that another program has changed', () => {
  it('asks, and is imported object by object: data that the format lacks stays', async () => {
    editCoco((file) => {
      const [first, second] = file.annotations;
      first!.bbox = [8, 2, 10, 18];
      file.annotations = file.annotations.filter((one) => one !== second);
      const gull = file.categories.find(({ name }) => name === 'gull')!;
      file.annotations.push({ ...first!, id: 99, category_id: gull.id, bbox: [40, 30, 5, 5], attributes: {} });
    });
    const before = await placesOf(here);
    await here.caller.refused(409, 'pushTaskGit', { ...of(here), body: {} });
    const requested = await pull(here);
    expect(requested).toMatchObject({
      changed: { added: 0, changed: 0, removed: 0 },
      copies: [{ format: 'COCO 1.0', changed: { added: 1, changed: 1, removed: 1 }, unmatched: 0, reason: null }],
    });
    expect(await placesOf(here)).toEqual(before);

    expect(await pull(here, { copy: 'take' })).toMatchObject({
      changed: { added: 1, changed: 1, removed: 1 },
      copies: [],
    });
    const { shapes } = await read(here);
    expect(shapes.find(({ points }) => points[0] === 8)).toMatchObject({ group: 7, attributes: [{ value: 'red' }] });
    expect(shapes.find(({ points }) => points[0] === 40)?.label_id).toBe((await labelIds(here)).gull);
    expect(shapes.some(({ frame }) => frame === 1)).toBe(false);
    await push(here);
    expect(await pull(here)).toMatchObject({ changed: { added: 0, changed: 0, removed: 0 }, copies: [] });
    await pull(there);
    expect(await placesOf(there)).toEqual(await placesOf(here));
  });

  it('is a conflict if the same object was changed here, and is resolved like others', async () => {
    editCoco((file) => void (file.annotations[0]!.bbox = [12, 2, 10, 18]));
    await move(here, 0, 6);
    expect((await pull(here)).copies).toMatchObject([{ changed: { changed: 1 } }]);
    const stopped = await pull(here, { copy: 'take' });
    expect(stopped).toMatchObject({ conflict_count: 1, conflicts: [{ frame: 0, label: 'boat' }] });
    const decisions = stopped.conflicts.map(({ uid, version }) => ({ uid, version, decision: 'theirs' as const }));
    await pull(here, { copy: 'take', decisions });
    expect((await placesOf(here)).some((place) => place.startsWith('0: 12 '))).toBe(true);
    await push(here);
  });

  it('that is ignored is rewritten by the next push', async () => {
    const before = coco();
    editCoco((file) => void file.annotations.pop());
    const places = await placesOf(here);
    expect((await pull(here)).copies).toHaveLength(1);
    await pull(here, { copy: 'leave' });
    expect(await placesOf(here)).toEqual(places);
    expect((await here.caller.good('getTaskGit', of(here))).is_copy_outdated).toBe(true);
    expect(await push(here)).toMatchObject({ changed: { added: 0, changed: 0, removed: 0 } });
    expect(coco()).toEqual(before);
    expect(git('log', '-1', '--format=%s', 'main')).toBe('Annotations: copy in COCO 1.0');
  });

  it('is not imported if a part of it is unreadable', async () => {
    editCoco((file) => void (file.annotations[0]!.category_id = 500));
    const [copy] = (await pull(here)).copies;
    expect(copy).toMatchObject({
      changed: { removed: 0 },
      reason: expect.stringMatching(/^Some of it cannot be read/),
    });
    const refusal = await here.caller.refused(409, 'pullTaskGit', { ...of(here), body: { copy: 'take' } });
    expect(refusal).toMatchObject({
      detail: expect.stringMatching(/Cannot apply the changes of another program.*Nothing was changed/),
    });
    await pull(here, { copy: 'leave' });
    await push(here);
  });
});

describe('another format, or none', () => {
  it('replaces the previous one with the next push', async () => {
    await bind(here, 'CVAT for images 1.1');
    expect((await here.caller.good('getTaskGit', of(here))).is_copy_outdated).toBe(true);
    await push(here, { accept_losses: true });
    expect(filesAt('harbour/export')).toEqual(['annotations.xml']);
    const xml = 'harbour/export/annotations.xml';
    editElsewhere(xml, (text) => text.replace('xtl="12.00"', 'xtl="13.00"').replace('xtl="12"', 'xtl="13"'));
    expect((await pull(here)).copies).toMatchObject([{ changed: { added: 0, changed: 1, removed: 0 }, reason: null }]);
    await pull(here, { copy: 'take' });
    await push(here);

    await bind(here, null);
    await push(here);
    expect(git('ls-tree', '--name-only', 'main:harbour').split('\n')).toEqual(['frames', 'limner.json']);
    expect(await pull(there)).toMatchObject({ binding: { format: null } });
  });

  it('is not written where a user keeps other files', async () => {
    const clone = mkdtempSync(join(folder, 'elsewhere-'));
    execFileSync('git', ['clone', '--quiet', address, clone]);
    execFileSync('mkdir', ['-p', join(clone, 'quay', 'export')]);
    writeFileSync(join(clone, 'quay', 'export', 'mine.txt'), 'mine');
    const run = (...args: string[]) => execFileSync('git', ['-C', clone, ...args], { stdio: 'pipe' });
    run('add', '.');
    run('-c', 'user.name=Else', '-c', 'user.email=else@example.org', 'commit', '--quiet', '-m', 'Mine');
    run('push', '--quiet');
    await bind(there, 'COCO 1.0', 'quay');
    expect(
      await there.caller.refused(409, 'pushTaskGit', { ...of(there), body: { accept_losses: true } }),
    ).toMatchObject({
      detail: expect.stringMatching(/quay\/export of the repository has files that Limner did not write/),
    });
    expect(filesAt('quay')).toEqual(['export/mine.txt']);
  });
});

describe('a project', () => {
  it('has a copy in the folder of each task, and imports changes there', async () => {
    const { caller } = here;
    const project = (await caller.good('createProject', { body: { name: 'coast', labels } })).id;
    const tasks: number[] = [];
    for (const name of ['pier', 'quay']) {
      const images = await makeImages(1, { width: 64, height: 48 });
      tasks.push((await caller.rest.taskWithImages({ name, project_id: project }, images)).id);
    }
    const { results } = await caller.good('listLabels', { query: { project_id: String(project) } });
    const boat = results.find(({ name }) => name === 'boat')!.id;
    for (const id of tasks)
      await caller.good('changeTaskAnnotations', {
        params: { id },
        query: { action: 'create' },
        body: { shapes: [box(boat, 0, 3)] },
      });
    const params = { params: { id: project } };
    await caller.good('bindProjectGit', { ...params, body: { address, folder: 'coast', format: 'YOLO 1.1' } });
    await caller.good('pushProjectGit', { ...params, body: { accept_losses: true } });
    expect(filesAt('coast').filter((path) => path.endsWith('.txt') && path.includes('obj_train_data'))).toHaveLength(2);
    const [text = ''] = filesAt('coast').filter(
      (path) => path.startsWith('quay/') && /obj_.*_data\/.*\.txt$/.test(path),
    );
    editElsewhere(`coast/${text}`, (line) => line.replace(/^0 \S+/, '0 0.300000'));
    const requested = await caller.good('pullProjectGit', { ...params, body: {} });
    expect(requested.copies).toMatchObject([{ task_name: 'quay', format: 'YOLO 1.1', changed: { changed: 1 } }]);
    expect(await caller.good('pullProjectGit', { ...params, body: { copy: 'take' } })).toMatchObject({
      changed: { added: 0, changed: 1, removed: 0 },
    });
    expect(await caller.good('pushProjectGit', { ...params, body: { accept_losses: true } })).toMatchObject({
      changed: { changed: 1 },
      needs_acceptance: false,
    });
    expect(await caller.good('getProjectGit', params)).toMatchObject({
      is_copy_outdated: false,
      to_push: { changed: 0 },
    });
    expect(existsSync(join(here.harness.folder, 'data', 'git-copies'))).toBe(true);
  });
});
