import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LabeledData, LabeledDataInput } from '../../preload/contract/schema/annotations.ts';
import { startPeopleHarness, type Caller, type PeopleHarness } from '../contract/people/people-harness.ts';
import { makeImages } from '../support/images.ts';
import { startSshServer, type SshServer } from '../support/ssh-server.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

/** Projects of two data directories, connected by one repository behind a real sshd. */
const folder = sharedFolder();
const names = ['Pier North', 'pier: south'] as const;

interface Place {
  readonly harness: PeopleHarness;
  readonly caller: Caller;
  readonly project: number;
  readonly tasks: Map<string, number>;
}
let server: SshServer;
let here: Place;
let there: Place;

async function makePlace(order: readonly string[], labels = ['boat']): Promise<Place> {
  const harness = await startPeopleHarness();
  const caller = harness.addUser('anna');
  const body = { name: 'harbour', labels: labels.map((name) => ({ name })) };
  const project = (await caller.good('createProject', { body })).id;
  const place = { harness, caller, project, tasks: new Map<string, number>() };
  for (const name of order) await addTask(place, name);
  return place;
}

async function addTask({ caller, project, tasks }: Place, name: string, images = 3): Promise<void> {
  const pictures = await makeImages(images, { width: 64, height: 48 });
  tasks.set(name, (await caller.rest.taskWithImages({ name, project_id: project }, pictures)).id);
}

const of = ({ project }: Place) => ({ params: { id: project } });
const idOf = ({ tasks }: Place, name: string): number => tasks.get(name) ?? 0;
const bind = (place: Place) =>
  place.caller.good('bindProjectGit', { ...of(place), body: { address: server.address(), folder: 'team' } });
const push = (place: Place, body = {}) => place.caller.good('pushProjectGit', { ...of(place), body });
const pull = (place: Place, body = {}) => place.caller.good('pullProjectGit', { ...of(place), body });
const shapesOf = async (place: Place, name: string) =>
  ((await place.caller.good('getTaskAnnotations', { params: { id: idOf(place, name) } })) as LabeledData).shapes;
const xsOf = async (place: Place, name: string) =>
  (await shapesOf(place, name)).map(({ points }) => points[0] ?? 0).toSorted((a, b) => a - b);
const save = (place: Place, name: string, action: 'create' | 'update' | 'delete', body: LabeledDataInput) =>
  place.caller.good('changeTaskAnnotations', { params: { id: idOf(place, name) }, query: { action }, body });

async function draw(place: Place, name: string, x: number): Promise<void> {
  const { results } = await place.caller.good('listLabels', { query: { project_id: String(place.project) } });
  const shape = { type: 'rectangle' as const, label_id: results[0]!.id, frame: 1, points: [x, 2, x + 9, 20] };
  await save(place, name, 'create', { shapes: [shape] });
}
async function move(place: Place, name: string, x: number): Promise<void> {
  const [shape] = await shapesOf(place, name);
  await save(place, name, 'update', { shapes: [{ ...shape!, points: [x, 2, x + 9, 20] }] });
}
const git = (...args: string[]): string =>
  execFileSync('git', [`--git-dir=${server.repository}`, ...args], { encoding: 'utf8' }).trim();

beforeAll(async () => {
  server = await startSshServer(join(folder, 'ssh'));
  // In a different order, because ids differ between stores.
  [here, there] = [await makePlace(names), await makePlace(names.toReversed())];
  for (const place of [here, there]) {
    const key = await place.caller.good('createSshKey', { body: { name: 'a key' } });
    server.authorize(key.public_key);
    await bind(place);
    const body = { address: server.address(), fingerprint: server.fingerprint() };
    await place.caller.good('confirmGitHost', { body });
  }
});
afterAll(async () => {
  await server?.stop();
  await here?.harness.stop();
  await there?.harness.stop();
});

describe('a project in a repository', () => {
  it('is pushed as one commit, each task in a folder, and pulled by the names and images of the tasks', async () => {
    for (const [index, name] of names.entries()) await draw(here, name, 3 + index);
    expect((await here.caller.good('getProjectGit', of(here))).to_push).toEqual({ added: 2, changed: 0, removed: 0 });
    expect(await push(here, { message: 'Two boats' })).toMatchObject({ changed: { added: 2 }, skipped: [] });
    expect(git('log', '--format=%an %s', 'main')).toBe('anna Two boats');
    expect(git('ls-tree', '-r', '--name-only', 'main').split('\n')).toEqual([
      'team/Pier-North/frames/000001.json',
      'team/Pier-North/limner.json',
      'team/pier-south/frames/000001.json',
      'team/pier-south/limner.json',
    ]);
    expect(await there.caller.refused(409, 'pushProjectGit', { ...of(there), body: {} })).toMatchObject({
      detail: expect.stringMatching(/changes that were not pulled yet. Nothing was sent. Pull/),
    });
    expect(await pull(there)).toMatchObject({ changed: { added: 2 }, conflict_count: 0, skipped: [] });
    for (const [index, name] of names.entries()) expect(await xsOf(there, name)).toEqual([3 + index]);
    expect(await pull(there)).toMatchObject({ changed: { added: 0, changed: 0, removed: 0 } });
    expect(await push(there)).toMatchObject({ commit: null });
  });

  it('asks about an object that both sides changed, and changes no task before', async () => {
    const [north, south] = names;
    await move(there, north, 30);
    await draw(there, south, 50);
    await push(there);
    await move(here, north, 31);
    const before = await xsOf(here, south);
    const stopped = await pull(here);
    expect(stopped).toMatchObject({
      conflict_count: 1,
      changed: { added: 0, changed: 0, removed: 0 },
      conflicts: [{ task_id: idOf(here, north), task_name: north, frame: 1, label: 'boat' }],
    });
    expect([await xsOf(here, north), await xsOf(here, south)]).toEqual([[31], before]);
    const decisions = stopped.conflicts.map(({ uid, version }) => ({ uid, version, decision: 'both' as const }));
    expect((await pull(here, { decisions })).conflict_count).toBe(0);
    expect(await xsOf(here, north)).toEqual([30, 31]);
    await push(here);
    await pull(there);
    for (const name of names) expect(await xsOf(there, name)).toEqual(await xsOf(here, name));
  });

  it('is restored to a past commit, in all tasks', async () => {
    const { results } = await here.caller.good('getProjectGitHistory', of(here));
    const first = results.at(-1)!;
    expect(first).toMatchObject({ author: 'anna', message: 'Two boats' });
    expect(await here.caller.good('restoreProjectGit', { ...of(here), body: { commit: first.commit } })).toMatchObject({
      skipped: [],
    });
    for (const [index, name] of names.entries()) expect(await xsOf(here, name)).toEqual([3 + index]);
    await push(here);
    await pull(there);
    for (const [index, name] of names.entries()) expect(await xsOf(there, name)).toEqual([3 + index]);
  });

  it('names skipped tasks: missing ones, those with other images, and separately bound ones', async () => {
    await addTask(here, 'quay');
    await draw(here, 'quay', 7);
    await addTask(there, 'quay', 2);
    await addTask(there, 'own');
    const own = { params: { id: idOf(there, 'own') }, body: { address: server.address(), folder: 'own' } };
    await there.caller.good('bindTaskGit', own);
    await push(here);
    expect((await pull(there)).skipped).toEqual([
      { task_id: idOf(there, 'own'), name: 'own', reason: 'It is bound to its own repository.' },
      { task_id: null, name: 'quay', reason: expect.stringContaining('Create it, then pull again') as unknown },
    ]);
    expect(await xsOf(there, 'quay')).toEqual([]);
    // A task with the same name and other images gets a separate folder.
    await push(there);
    expect(git('ls-tree', '--name-only', 'main:team').split('\n')).toEqual([
      'Pier-North',
      'pier-south',
      'quay-2',
      'quay',
    ]);
    await addTask(there, 'quay again');
    await there.caller.good('updateTask', { params: { id: idOf(there, 'quay again') }, body: { name: 'quay' } });
    expect((await pull(there)).skipped).toHaveLength(1);
    expect(await xsOf(there, 'quay again')).toEqual([7]);
  });

  it('keeps the bindings of its tasks: they are pulled alone, too, but not unbound alone', async () => {
    const [north] = names;
    await draw(here, north, 20);
    await push(here);
    const task = { params: { id: idOf(there, north) } };
    expect(await there.caller.good('pullTaskGit', { ...task, body: {} })).toMatchObject({ changed: { added: 1 } });
    expect(await pull(there)).toMatchObject({ changed: { added: 0, changed: 0, removed: 0 } });
    expect((await there.caller.good('getTaskGit', task)).binding).toMatchObject({
      project_id: there.project,
      folder: 'team/Pier-North',
    });
    expect(await there.caller.refused(409, 'unbindTaskGit', task)).toMatchObject({
      detail: expect.stringMatching(/uses the repository of its project. Nothing was changed/),
    });
    await there.caller.good('unbindProjectGit', of(there));
    expect((await there.caller.good('getTaskGit', task)).binding).toBeNull();
    expect(await xsOf(there, north)).toEqual([3, 20]);
    await bind(there);
    expect(await pull(there)).toMatchObject({ changed: { added: 0, changed: 0, removed: 0 }, conflict_count: 0 });
    expect((await push(there)).commit).toBeNull();
  });

  it('with labels that are missing here is refused before anything is changed', async () => {
    const other = await makePlace(names, ['car']);
    try {
      server.authorize((await other.caller.good('createSshKey', { body: { name: 'a key' } })).public_key);
      const body = { address: server.address(), fingerprint: server.fingerprint() };
      await other.caller.good('confirmGitHost', { body });
      await bind(other);
      expect(await other.caller.refused(409, 'pullProjectGit', { ...of(other), body: {} })).toMatchObject({
        detail: expect.stringMatching(/labels that this task lacks: label "boat".*Nothing was changed/),
      });
      for (const name of names) expect(await shapesOf(other, name)).toEqual([]);
    } finally {
      await other.harness.stop();
    }
  });

  it('refuses a server with a changed host key', async () => {
    const before = await xsOf(there, names[0]);
    await server.renew();
    expect(await there.caller.refused(409, 'pullProjectGit', { ...of(there), body: {} })).toMatchObject({
      detail: expect.stringMatching(/another host key than the confirmed one. Nothing was sent/),
    });
    expect(await xsOf(there, names[0])).toEqual(before);
  });
});
