import { expect, test } from 'vitest';
import type { Label, LabelWrite } from '../../../preload/contract/schema/labels.ts';
import { useWork } from './work-harness.ts';

const work = await useWork();

const text = (name: string, id?: number) => ({
  name,
  input_type: 'text' as const,
  ...(id === undefined ? {} : { id }),
});

async function projectWith(labels: readonly object[]): Promise<{ id: number; labels: Label[] }> {
  const project = await work.owner.createProject('with labels', labels as LabelWrite[]);
  return { id: project.id, labels: await work.labelsOf({ project_id: project.id }) };
}

const patchLabel = (label: Label | undefined, json: object) =>
  work.owner.call('PATCH', `/api/labels/${label?.id}`, { json });
const patchProject = (id: number, labels: readonly object[]) =>
  work.owner.call('PATCH', `/api/projects/${id}`, { json: { labels } });
const names = (items: readonly { name: string }[] | undefined) => items?.map(({ name }) => name);
const byId = (labels: readonly Label[]) => Object.fromEntries(labels.map(({ id, name }) => [id, name]));

test('refuses a label name that another label has', async () => {
  const { id, labels } = await projectWith([{ name: 'car' }, { name: 'bus' }]);
  const { status, body } = await patchLabel(labels[0], { name: 'bus' });
  expect({ status, body }).toEqual({ status: 400, body: ['All label names must be unique; "bus" already exists.'] });
  expect(byId(await work.labelsOf({ project_id: id }))).toEqual(byId(labels));
});

test('accepts two labels that swap names, and a new one that takes a released name', async () => {
  const { id, labels } = await projectWith([{ name: 'car' }, { name: 'bus' }, { name: 'van' }]);
  const [car, bus, van] = labels.map((label) => label.id);
  const { status } = await patchProject(id, [
    { id: car, name: 'bus' },
    { id: bus, name: 'car' },
    { id: van, deleted: true },
    { name: 'van' },
  ]);
  expect(status).toBe(200);
  const after = await work.labelsOf({ project_id: id });
  expect(byId(after)).toMatchObject({ [car ?? 0]: 'bus', [bus ?? 0]: 'car' });
  expect(after.find(({ name }) => name === 'van')?.id).not.toBe(van);
});

test('identifies an attribute by its id first: refuses an existing name, and lets two swap', async () => {
  const { labels } = await projectWith([{ name: 'car', attributes: [text('make'), text('plate')] }]);
  const [make, plate] = labels[0]?.attributes ?? [];
  const refused = await patchLabel(labels[0], { attributes: [text('plate', make?.id)] });
  expect(refused.body).toEqual(['All attribute names must be unique; "plate" already exists.']);
  const twice = await patchLabel(labels[0], { attributes: [text('a', make?.id), text('b', make?.id)] });
  expect(twice.status).toBe(400);
  const swapped = await patchLabel(labels[0], { attributes: [text('plate', make?.id), text('make', plate?.id)] });
  expect(swapped.body).toMatchObject({
    attributes: [
      { id: make?.id, name: 'plate' },
      { id: plate?.id, name: 'make' },
    ],
  });
});

test('changes the points of a skeleton with it, but adds and removes none', async () => {
  const { labels } = await projectWith([
    { name: 'figure', type: 'skeleton', sublabels: [{ name: 'head' }, { name: 'foot' }] },
  ]);
  const [head, foot] = labels[0]?.sublabels ?? [];
  const changed = await patchLabel(labels[0], {
    sublabels: [{ id: head?.id, name: 'top', attributes: [text('seen')] }],
  });
  const { sublabels } = changed.body as Label;
  expect(names(sublabels)).toEqual(['top', 'foot']);
  expect(names(sublabels[0]?.attributes)).toEqual(['seen']);
  for (const sublabel of [{ name: 'hand' }, { id: foot?.id, deleted: true }]) {
    const { status, body } = await patchLabel(labels[0], { sublabels: [sublabel] });
    expect({ status, text: JSON.stringify(body) }).toEqual({
      status: 400,
      text: expect.stringContaining('The points of the skeleton \\"figure\\" are fixed') as string,
    });
  }
});

test('validates attributes of a point like those of a label', async () => {
  const [number, list] = [
    { input_type: 'number', values: ['5', '1', '1'] },
    { input_type: 'select', values: [] },
  ];
  for (const attributes of [[{ name: 'age', ...number }], [{ name: 'side', ...list }], [text('seen'), text('seen')]]) {
    const labels = [{ name: 'figure', type: 'skeleton', sublabels: [{ name: 'head', attributes }] }];
    const { status } = await work.owner.call('POST', '/api/projects', { json: { name: 'figures', labels } });
    expect(status).toBe(400);
  }
});

test("refuses invalid label changes in CVAT's words, and changes nothing", async () => {
  const { id, labels } = await projectWith([{ name: 'car', attributes: [text('plate')] }, { name: 'bus' }]);
  const [car] = labels;
  expect(await patchLabel(car, { deleted: true })).toMatchObject({
    status: 400,
    body: {
      non_field_errors: [
        'Labels cannot be deleted by updating in this endpoint. Please use the DELETE method instead.',
      ],
    },
  });
  expect(await patchProject(id, [{ name: 'car', deleted: true }])).toMatchObject({
    status: 400,
    body: { labels: ['Deleted label must have an ID'] },
  });
  expect(await patchLabel(car, { attributes: [text('color'), text('color')] })).toMatchObject({
    status: 400,
    body: ["Duplicate attribute with name 'color' exists"],
  });
  expect(await work.labelsOf({ project_id: id })).toEqual(labels);
});
