import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { LabeledData, LabeledDataInput } from '../../preload/contract/schema/annotations.ts';
import type { Task } from '../../preload/contract/schema/resources.ts';
import { startPeopleHarness, type Caller, type PeopleHarness } from '../contract/people/people-harness.ts';
import { makeImages } from '../support/images.ts';
import { startSshServer } from '../support/ssh-server.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

/** Two data directories, connected by one repository behind a real sshd. */
const folder = sharedFolder();
const labels = [
  {
    name: 'car',
    attributes: [{ name: 'colour', mutable: true, input_type: 'text' as const, default_value: '', values: [] }],
  },
  { name: 'person', type: 'skeleton' as const, svg: '', sublabels: [{ name: 'head' }, { name: 'foot' }] },
];

interface Place {
  readonly harness: PeopleHarness;
  readonly caller: Caller;
  readonly task: Task;
}
async function makePlace(): Promise<Place> {
  const harness = await startPeopleHarness();
  const caller = harness.addUser('anna');
  const images = await makeImages(4, { width: 64, height: 48 });
  const task = await caller.rest.taskWithImages({ name: 'harbour', labels }, images);
  return { harness, caller, task };
}

const params = ({ task }: Place) => ({ params: { id: task.id } });
const bind = (place: Place, address = server.address()) =>
  place.caller.good('bindTaskGit', { ...params(place), body: { address, folder: 'team/harbour' } });
const push = (place: Place, body = {}) => place.caller.good('pushTaskGit', { ...params(place), body });
const pull = (place: Place, body = {}) => place.caller.good('pullTaskGit', { ...params(place), body });
const read = ({ caller, task }: Place): Promise<LabeledData> =>
  caller.good('getTaskAnnotations', { params: { id: task.id } }) as Promise<LabeledData>;
const save = ({ caller, task }: Place, action: 'create' | 'update' | 'delete', body: LabeledDataInput) =>
  caller.good('changeTaskAnnotations', { params: { id: task.id }, query: { action }, body });

async function makeKey({ caller }: Place, body: { name: string; passphrase?: string } = { name: 'a key' }) {
  const key = await caller.good('createSshKey', { body });
  server.authorize(key.public_key);
  return key;
}
const confirm = ({ caller }: Place, address = server.address()) =>
  caller.good('confirmGitHost', { body: { address, fingerprint: server.fingerprint() } });

async function idsOf({ caller, task }: Place) {
  const { results } = await caller.good('listLabels', { query: { task_id: String(task.id) } });
  const car = results.find(({ name }) => name === 'car')!;
  const person = results.find(({ name }) => name === 'person')!;
  const part = (name: string) =>
    (person.sublabels as { id: number; name: string }[]).find((one) => one.name === name)!.id;
  return { car: car.id, colour: car.attributes[0]!.id, person: person.id, head: part('head'), foot: part('foot') };
}

async function contentOf(place: Place): Promise<string[]> {
  const ids = await idsOf(place);
  const { colour, ...labelIds } = ids;
  const names = new Map(Object.entries(labelIds).map(([name, id]) => [id, name]));
  const text = (item: object) =>
    JSON.stringify(item, (key, value: unknown) => {
      if (key === 'id') return undefined;
      if (key === 'spec_id') return value === colour ? 'colour' : value;
      return key === 'label_id' ? names.get(value as number) : value;
    });
  const { tags, shapes, tracks } = await read(place);
  return [...tags, ...shapes, ...tracks].map(text).toSorted();
}

const box = (label_id: number, frame: number, x: number) => ({
  type: 'rectangle' as const,
  label_id,
  frame,
  points: [x, 2.5, x + 10.25, 20],
});
const shapeAt = async (place: Place, frame: number) => (await read(place)).shapes.find((one) => one.frame === frame)!;
const move = async (place: Place, frame: number, x: number) => {
  const shape = await shapeAt(place, frame);
  await save(place, 'update', { shapes: [{ ...shape, points: [x, 2.5, x + 10.25, 20] }] });
};
const xAt = async (place: Place, frame: number) =>
  (await read(place)).shapes.filter((one) => one.frame === frame).map(({ points }) => points[0]);
const git = (...args: string[]): string =>
  execFileSync('git', [`--git-dir=${server.repository}`, ...args], { encoding: 'utf8' });

const server = await startSshServer(join(folder, 'ssh'));
const [here, there] = [await makePlace(), await makePlace()];
afterAll(async () => {
  await server.stop();
  for (const { harness } of [here, there]) await harness.stop();
});

describe('an unconfirmed server', () => {
  it('receives nothing', async () => {
    await makeKey(here);
    await bind(here);
    expect(await here.caller.refused(409, 'pullTaskGit', { ...params(here), body: {} })).toMatchObject({
      detail: expect.stringMatching(/host key of 127.0.0.1 is not confirmed yet. Nothing was sent/),
    });
    const found = await here.caller.good('getGitHost', { query: { address: server.address() } });
    expect(found).toMatchObject({ state: 'unknown', confirmed: [], offered: [{ fingerprint: server.fingerprint() }] });
    const body = { address: server.address(), fingerprint: 'SHA256:another' };
    await here.caller.refused(400, 'confirmGitHost', { body });
    expect((await confirm(here)).state).toBe('confirmed');
  });
});

describe('SSH keys', () => {
  it('are sealed, and readable by their owner only', () => {
    const keys = join(here.harness.folder, 'keys', 'ssh');
    const [name = ''] = readdirSync(keys).filter((one) => one.endsWith('.key'));
    expect(statSync(join(keys, name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(keys, name), 'utf8')).not.toContain('PRIVATE KEY');
  });

  it('of ssh-keygen are imported, and a wrong passphrase is reported', async () => {
    const file = join(folder, 'made-elsewhere');
    execFileSync('ssh-keygen', ['-q', '-t', 'ecdsa', '-N', 'right one', '-C', 'a comment', '-f', file]);
    const private_key = readFileSync(file, 'utf8');
    const importing = (passphrase?: string) => ({
      body: { name: 'elsewhere', private_key, ...(passphrase === undefined ? {} : { passphrase }) },
    });
    expect(await there.caller.refused(400, 'createSshKey', importing())).toHaveProperty('passphrase');
    expect(await there.caller.refused(400, 'createSshKey', importing('wrong one'))).toHaveProperty('passphrase');
    const key = await there.caller.good('createSshKey', importing('right one'));
    expect(`${key.public_key}\n`).toBe(readFileSync(`${file}.pub`, 'utf8'));
    expect(key).toMatchObject({ type: 'ecdsa-sha2-nistp256', has_passphrase: true });
    await here.caller.refused(404, 'deleteSshKey', { params: { id: 999 } });
    await there.caller.good('deleteSshKey', { params: { id: key.id } });
    expect(existsSync(join(there.harness.folder, 'keys', 'ssh', `${key.id}.key`))).toBe(false);
  });
});

describe('annotations', () => {
  it('are transferred between data directories by push and pull', async () => {
    const { car, colour, person, head, foot } = await idsOf(here);
    const red = [{ spec_id: colour, value: 'red; "or" so' }];
    const point = (label_id: number, x: number) => ({
      type: 'points' as const,
      label_id,
      frame: 1,
      points: [x, 4.125],
    });
    const keyframe = (frame: number, value: string) => ({
      ...box(car, frame, frame),
      label_id: undefined,
      attributes: [{ spec_id: colour, value }],
    });
    await save(here, 'create', {
      tags: [{ frame: 0, label_id: car, attributes: red }],
      shapes: [
        { ...box(car, 0, 0.1 + 0.2), attributes: red, group: 3, occluded: true, z_order: 2, rotation: 12.5 },
        { type: 'mask', label_id: car, frame: 2, points: [0, 4, 10, 10, 13, 10] },
        { ...box(car, 3, 5), source: 'auto', score: 0.75 },
        { type: 'skeleton', label_id: person, frame: 1, elements: [point(head, 3), point(foot, 9)] },
      ],
      tracks: [{ frame: 0, label_id: car, shapes: [keyframe(0, 'red'), { ...keyframe(2, 'blue'), outside: true }] }],
    });
    expect(await push(here, { message: 'First annotations' })).toMatchObject({ changed: { added: 6 } });
    await makeKey(there);
    await confirm(there);
    await bind(there);
    expect(await pull(there)).toMatchObject({ changed: { added: 6, changed: 0, removed: 0 }, conflict_count: 0 });
    expect(await contentOf(there)).toEqual(await contentOf(here));
    expect(await pull(there)).toMatchObject({ changed: { added: 0, changed: 0, removed: 0 } });
    expect(await push(there)).toMatchObject({ commit: null });
  });

  it('are stored in the repository as files with readable diffs', async () => {
    expect(git('log', '--format=%an %s', 'main')).toBe('anna First annotations\n');
    await move(here, 3, 6);
    await push(here);
    expect(git('show', '--format=', '--name-only', 'main').trim()).toBe('team/harbour/frames/000003.json');
    expect(git('show', '--format=', '--numstat', 'main').trim()).toMatch(/^1\t1\t/);
    expect(git('cat-file', '-p', 'main:team/harbour/frames/000003.json')).toContain('"points":[6,2.5,16.25,20]');
    await pull(there);
    expect(await xAt(there, 3)).toEqual([6]);
  });

  it('that were changed on both sides are merged if they are different objects', async () => {
    await move(here, 0, 20);
    await save(there, 'create', { shapes: [box((await idsOf(there)).car, 2, 30)] });
    await push(there);
    expect(await here.caller.refused(409, 'pushTaskGit', { ...params(here), body: {} })).toMatchObject({
      detail: expect.stringMatching(/changes that were not pulled yet. Nothing was sent. Pull/),
    });
    expect(await pull(here)).toMatchObject({ changed: { added: 1, changed: 0, removed: 0 } });
    expect((await here.caller.good('getTaskGit', params(here))).to_push).toEqual({ added: 0, changed: 1, removed: 0 });
    await push(here);
    await pull(there);
    expect(await contentOf(there)).toEqual(await contentOf(here));
  });

  it('that changed after the question are asked about again, on both sides', async () => {
    await move(here, 3, 1);
    await push(here);
    await pull(there);
    await move(there, 3, 40);
    await push(there);
    await move(here, 3, 41);
    const mine = ({ conflicts }: Awaited<ReturnType<typeof pull>>) => ({
      decisions: conflicts.map(({ uid, version }) => ({ uid, version, decision: 'mine' as const })),
    });
    const first = await pull(here);
    await move(there, 3, 50);
    await push(there);
    const second = await pull(here, mine(first));
    expect(second.conflicts).toMatchObject([
      { uid: first.conflicts[0]!.uid, theirs: { points: [50, 2.5, 60.25, 20] } },
    ]);
    await move(here, 3, 42);
    const third = await pull(here, mine(second));
    expect(third.conflicts).toMatchObject([{ mine: { points: [42, 2.5, 52.25, 20] } }]);
    expect(await xAt(here, 3)).toEqual([42]);
    expect(await pull(here, mine(third))).toMatchObject({ conflict_count: 0 });
    expect(await xAt(here, 3)).toEqual([42]);
    await push(here);
    await pull(there);
    expect(await contentOf(there)).toEqual(await contentOf(here));
  });

  it('that both sides changed are resolved by a user, one by one', async () => {
    for (const [decision, expected] of [
      ['mine', [41]],
      ['theirs', [40]],
      ['both', [40, 41]],
    ] as const) {
      await move(here, 3, 1);
      await push(here);
      await pull(there);
      await move(there, 3, 40);
      await push(there);
      await move(here, 3, 41);
      const stopped = await pull(here);
      expect(stopped).toMatchObject({
        conflict_count: 1,
        changed: { added: 0, changed: 0, removed: 0 },
        conflicts: [
          {
            kind: 'shape',
            frame: 3,
            label: 'car',
            base: { points: [1, 2.5, 11.25, 20] },
            mine: { points: [41, 2.5, 51.25, 20] },
            theirs: { points: [40, 2.5, 50.25, 20] },
          },
        ],
      });
      expect(await xAt(here, 3)).toEqual([41]);
      const decisions = stopped.conflicts.map(({ uid, version }) => ({ uid, version, decision }));
      expect((await pull(here, { decisions })).conflict_count).toBe(0);
      expect((await xAt(here, 3)).toSorted()).toEqual(expected);
      await push(here);
      await pull(there);
      expect(await contentOf(there)).toEqual(await contentOf(here));
    }
  });

  it('are restored to a past commit, which is a change like others', async () => {
    const { results } = await here.caller.good('getTaskGitHistory', params(here));
    expect(results.at(-1)).toMatchObject({ author: 'anna', message: 'First annotations' });
    const changed = (
      await here.caller.good('restoreTaskGit', { ...params(here), body: { commit: results.at(-1)!.commit } })
    ).changed;
    expect(changed).toEqual({ added: 0, changed: 2, removed: 2 });
    expect(await xAt(here, 3)).toEqual([5]);
    await push(here, { message: 'As at first' });
    await pull(there);
    expect(await contentOf(there)).toEqual(await contentOf(here));
    const nowhere = { ...params(here), body: { commit: '0'.repeat(40) } };
    await here.caller.refused(404, 'restoreTaskGit', nowhere);
  });

  it('of other images, or with labels that are missing here, are refused', async () => {
    const images = await makeImages(3, { width: 64, height: 48 });
    const fewer = { ...there, task: await there.caller.rest.taskWithImages({ labels }, images) };
    await bind(fewer);
    expect(await there.caller.refused(409, 'pullTaskGit', { ...params(fewer), body: {} })).toMatchObject({
      detail: expect.stringMatching(/to other images: it has 4 frames, but this task has 3. Nothing was changed/),
    });
    const bare = {
      ...there,
      task: await there.caller.rest.taskWithImages(
        { labels: [{ name: 'boat' }] },
        await makeImages(4, { width: 64, height: 48 }),
      ),
    };
    await bind(bare);
    expect(await there.caller.refused(409, 'pullTaskGit', { ...params(bare), body: {} })).toMatchObject({
      detail: expect.stringMatching(/labels that this task lacks: label "car".*Nothing was changed/),
    });
    expect((await read(bare)).shapes).toEqual([]);
  });
});

describe('a connection', () => {
  it('that ends too early changes nothing', async () => {
    const before = await contentOf(there);
    const cut = await server.cutAfter(3000);
    const address = server.address(cut.port);
    // The same key at another port: hosts are known by name and port.
    const other = {
      ...there,
      task: await there.caller.rest.taskWithImages({ labels }, await makeImages(4, { width: 64, height: 48 })),
    };
    await there.caller.good('confirmGitHost', { body: { address, fingerprint: server.fingerprint() } });
    await bind(other, address);
    expect(await there.caller.refused(503, 'pullTaskGit', { ...params(other), body: {} })).toMatchObject({
      detail: expect.stringMatching(/connection to 127.0.0.1 failed or ended too early. Nothing was changed/),
    });
    expect((await read(other)).shapes).toEqual([]);
    expect(await contentOf(there)).toEqual(before);
    cut.close();
    await bind(other);
    expect((await pull(other)).conflict_count).toBe(0);
    expect(await contentOf(other)).toEqual(before);
  });

  it('with a locked key needs its passphrase, and the right one', async () => {
    const locked = await makeKey(here, { name: 'locked', passphrase: 'open it' });
    const several = await here.caller.refused(400, 'pullTaskGit', { ...params(here), body: {} });
    expect(several).toMatchObject({ key_id: [expect.stringContaining('several SSH keys')] });
    for (const passphrase of [undefined, 'wrong'])
      expect(
        await here.caller.refused(400, 'pullTaskGit', { ...params(here), body: { key_id: locked.id, passphrase } }),
      ).toHaveProperty('passphrase');
    await pull(here, { key_id: locked.id, passphrase: 'open it' });
  });

  it.each(['ecdsa', 'rsa'])('works with a key of the kind %s, too', async (type) => {
    const file = join(folder, `of-${type}`);
    execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-f', file]);
    const body = { name: type, private_key: readFileSync(file, 'utf8') };
    const key = await here.caller.good('createSshKey', { body });
    server.authorize(key.public_key);
    await pull(here, { key_id: key.id });
    await here.caller.good('deleteSshKey', { params: { id: key.id } });
  });

  it('with an unknown key is refused by the server', async () => {
    const { id } = await here.caller.good('createSshKey', { body: { name: 'unknown there' } });
    expect(await here.caller.refused(403, 'pushTaskGit', { ...params(here), body: { key_id: id } })).toMatchObject({
      detail: expect.stringContaining('does not accept this SSH key'),
    });
    await here.caller.good('deleteSshKey', { params: { id } });
  });

  it('to a server with another host key than the confirmed one is refused', async () => {
    await server.renew();
    expect(await there.caller.refused(409, 'pullTaskGit', { ...params(there), body: {} })).toMatchObject({
      detail: expect.stringMatching(/another host key than the confirmed one. Nothing was sent/),
    });
    expect(await there.caller.good('getGitHost', { query: { address: server.address() } })).toMatchObject({
      state: 'changed',
    });
    const body = { address: server.address(), fingerprint: server.fingerprint() };
    await there.caller.refused(403, 'confirmGitHost', { body });
    await there.harness.admin.good('confirmGitHost', { body });
    await pull(there);
  });
});
