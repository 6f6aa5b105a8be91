import { describe, expect, test } from 'vitest';
import type { LabelWrite } from '../../../preload/contract/schema/labels.ts';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import { makeImages } from '../../support/images.ts';
import { usePeopleHarness } from '../people/people-harness.ts';

const harness = await usePeopleHarness();
const owner = harness.addUser('the-owner');

const attribute = (name: string) => ({
  name,
  mutable: true,
  input_type: 'text' as const,
  default_value: '',
  values: [],
});
const body = {
  name: 'body',
  type: 'skeleton' as const,
  svg: '<circle/>',
  sublabels: [
    { name: 'head', type: 'points' as const },
    { name: 'foot', type: 'points' as const },
  ],
};
const labels: LabelWrite[] = [
  { name: 'car', attributes: [attribute('maker'), attribute('plate')] },
  { name: 'scene', type: 'tag' },
  body,
  { name: 'unused' },
];
/** The same names in another order with others in between, so that ids cannot match by accident. */
const others: LabelWrite[] = [
  { name: 'first' },
  { ...body, sublabels: [...body.sublabels].reverse() },
  { name: 'scene', type: 'tag' },
  { name: 'car', attributes: [attribute('plate'), attribute('colour'), attribute('maker')] },
];
const labelsOf = async (query: { task_id: string } | { project_id: string }, caller = owner) =>
  (await caller.good('listLabels', { query: { page_size: 'all', ...query } })).results;

async function makeTask(): Promise<Task> {
  const task = await owner.rest.taskWithImages({ labels }, await makeImages(2, { width: 32, height: 24 }));
  const found = await labelsOf({ task_id: String(task.id) });
  const [car, scene, skeleton] = ['car', 'scene', 'body'].map((name) => found.find((label) => label.name === name)!);
  const [maker, plate] = car!.attributes.map(({ id }) => id);
  const attributes = [
    { spec_id: maker!, value: 'of the maker' },
    { spec_id: plate!, value: 'of the plate' },
  ];
  const box = { type: 'rectangle' as const, frame: 0, points: [1, 2, 3, 4] };
  const elements = skeleton!.sublabels.map(({ id }, index) => ({
    type: 'points' as const,
    frame: 0,
    label_id: id,
    points: [index, index],
  }));
  await owner.rest.replaceAnnotations('tasks', task.id, {
    tags: [{ frame: 1, label_id: scene!.id }],
    shapes: [
      { ...box, label_id: car!.id, attributes },
      { type: 'skeleton', frame: 0, label_id: skeleton!.id, points: [], elements },
    ],
    tracks: [{ frame: 0, label_id: car!.id, shapes: [{ ...box, attributes }] }],
  });
  return task;
}

/** Annotations with the names of labels and attributes instead of ids. */
async function named(task: Task) {
  const found = await labelsOf({ task_id: String(task.id) });
  const all = found.flatMap((label) => [label, ...label.sublabels]);
  const nameOf = (id: number) => all.find((label) => label.id === id)?.name;
  const values = (list: readonly { spec_id: number; value: string }[]) =>
    Object.fromEntries(
      list.map(({ spec_id, value }) => [
        all.flatMap((label) => label.attributes).find(({ id }) => id === spec_id)?.name ?? '?',
        value,
      ]),
    );
  const data = await owner.rest.annotations('tasks', task.id);
  return {
    tags: data.tags.map(({ label_id }) => nameOf(label_id)),
    shapes: data.shapes.map((shape) => [
      nameOf(shape.label_id),
      values(shape.attributes),
      Object.fromEntries(shape.elements.map((element) => [nameOf(element.label_id), element.points])),
    ]),
    tracks: data.tracks.map((track) => [nameOf(track.label_id), values(track.shapes[0]!.attributes)]),
  };
}

describe('a task that is moved into a project', () => {
  test("keeps its annotations with the project's labels and attributes of the same names", async () => {
    const task = await makeTask();
    const before = await named(task);
    const project = await owner.good('createProject', { body: { name: 'p', labels: others } });
    const params = { id: task.id };
    const moved = await owner.good('updateTask', { params, body: { project_id: project.id } });
    expect(moved).toMatchObject({ project_id: project.id, project_name: 'p', size: 2 });
    expect(await labelsOf({ task_id: String(task.id) })).toEqual(await labelsOf({ project_id: String(project.id) }));
    const after = await named(task);
    // Cars of the project also have a colour, which is not set yet.
    const colourless = ([name, values, ...rest]: unknown[]) => {
      const { colour: _none, ...others } = values as Record<string, string>;
      return [name, others, ...rest];
    };
    expect({ ...after, shapes: after.shapes.map(colourless), tracks: after.tracks.map(colourless) }).toEqual(before);

    const next = await owner.good('createProject', { body: { name: 'next', labels: others } });
    await owner.good('updateTask', { params, body: { project_id: next.id } });
    expect((await named(task)).tags).toEqual(['scene']);
    expect(await labelsOf({ project_id: String(project.id) })).toHaveLength(others.length);
  });

  test('leaves it with copies of its labels, and keeps its annotations', async () => {
    const project = await owner.good('createProject', { body: { name: 'left', labels: others } });
    const task = await makeTask();
    const params = { id: task.id };
    await owner.good('updateTask', { params, body: { project_id: project.id } });
    const before = await named(task);
    expect(await owner.good('updateTask', { params, body: { project_id: null } })).toMatchObject({ project_id: null });
    expect(await named(task)).toEqual(before);
    const plain = (list: readonly { name: string; color: string; type: string; attributes: { name: string }[] }[]) =>
      list.map(({ name, color, type, attributes }) => [name, color, type, attributes.map((one) => one.name)]);
    const [own, shared] = [
      await labelsOf({ task_id: String(task.id) }),
      await labelsOf({ project_id: String(project.id) }),
    ];
    expect(plain(own)).toEqual(plain(shared));
    expect(own.map(({ id }) => id)).not.toEqual(shared.map(({ id }) => id));
    await owner.good('deleteProject', { params: { id: project.id } });
    expect(await named(task)).toEqual(before);
  });

  test('is refused if a label in use has no counterpart', async () => {
    const task = await makeTask();
    const before = await named(task);
    const params = { id: task.id };
    for (const [lacking, what] of [
      [others.filter(({ name }) => name !== 'scene'), /scene/],
      [others.map((label) => (label.name === 'car' ? { name: 'car' } : label)), /maker/],
      [others.map((label) => (label.name === 'scene' ? { name: 'scene', type: 'mask' as const } : label)), /scene/],
    ] as const) {
      const { id } = await owner.good('createProject', { body: { name: 'lacking', labels: [...lacking] } });
      const refused = await owner.refused(400, 'updateTask', { params, body: { name: 'renamed', project_id: id } });
      expect(refused).toEqual({ project_id: [expect.stringMatching(what)] });
    }
    expect(await named(task)).toEqual(before);
    expect(await owner.good('getTask', { params })).toMatchObject({ name: task.name, project_id: null });
  });

  test('needs the permission to create tasks, and moves into the organization of the project', async () => {
    const stranger = harness.addUser('the-stranger');
    const foreign = await stranger.good('createProject', { body: { name: 'foreign', labels: others } });
    const task = await makeTask();
    const params = { id: task.id };
    await owner.refused(403, 'updateTask', { params, body: { project_id: foreign.id } });
    await stranger.refused(403, 'updateTask', { params, body: { project_id: foreign.id } });
    await owner.refused(400, 'updateTask', { params, body: { project_id: 987_654 } });
    const { id: organizationId } = await owner.good('createOrganization', { body: { slug: 'team' } });
    const query = { org: 'team' };
    const project = await owner.good('createProject', {
      headers: { 'X-Organization': query.org },
      body: { name: 'of the team', labels: others },
    });
    const moved = await owner.good('updateTask', { params, body: { project_id: project.id } });
    expect(moved).toMatchObject({ organization_id: organizationId, project_id: project.id });
  });
});
