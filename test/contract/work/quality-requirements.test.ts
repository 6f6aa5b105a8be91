import { describe, expect, test } from 'vitest';
import type { Page } from '../../../preload/contract/schema/common.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { Requirement, RequirementMatrix } from '../../../preload/contract/schema/quality-requirements.ts';
import type { QualityConflict, QualityReport, QualitySettings } from '../../../preload/contract/schema/quality.ts';
import type { Job } from '../../../preload/contract/schema/resources.ts';
import { choiceOf, pictures, useWork } from './work-harness.ts';

const work = await useWork();
const { owner } = work;
const path = '/api/quality/settings/requirements';

async function world() {
  const text = { name: 'plate', mutable: false, input_type: 'text' as const, default_value: '', values: [''] };
  const labels = [{ name: 'car', attributes: [choiceOf('color', ['red', 'blue']), text] }, { name: 'bus' }];
  const task = await owner.taskWithImages({ labels }, await pictures(2, 100, 100));
  const [own] = (await work.jobsOf(task.id)) as [Job];
  const json = { type: 'ground_truth', task_id: task.id, frame_selection_method: 'manual', frames: [0, 1] };
  const truth = await owner.good<Job>('POST', '/api/jobs', { json });
  await owner.good('PATCH', `/api/jobs/${truth.id}`, { json: { stage: 'acceptance', state: 'completed' } });
  const [car, bus] = (await work.labelsOf({ task_id: task.id })) as [Label, Label];
  const settings = await owner.good<Page<QualitySettings>>('GET', '/api/quality/settings', {
    query: { task_id: task.id },
  });
  return { task, own, truth, car, bus, settingsId: settings.results[0]!.id };
}
type World = Awaited<ReturnType<typeof world>>;

const box = (x: number, more: object = {}) => ({ type: 'rectangle', points: [x, 10, x + 10, 20], ...more });
async function put({ car }: World, job: Job, shapes: readonly object[]) {
  const json = { shapes: shapes.map((shape) => ({ frame: 0, label_id: car.id, attributes: [], ...shape })) };
  await owner.good('PUT', `/api/jobs/${job.id}/annotations`, { json });
}
async function report({ task }: World): Promise<QualityReport> {
  const started = await owner.good<{ rq_id: string }>('POST', '/api/quality/reports', { json: { task_id: task.id } });
  const { result_id: id } = await owner.finished(started.rq_id);
  return owner.good('GET', `/api/quality/reports/${id}`);
}
const settingsOf = ({ settingsId }: World) => owner.good<QualitySettings>('GET', `/api/quality/settings/${settingsId}`);
const create = ({ settingsId }: World, json: object) =>
  owner.good<Requirement>('POST', path, { json: { settings_id: settingsId, ...json } });
const change = (id: number, json: object) => owner.good<Requirement>('PATCH', `${path}/${id}`, { json });
const itemOf = ({ summary }: QualityReport, { id }: { id: number }) =>
  summary.requirements.items.find((item) => item.requirement_id === id);
const sentence = (answer: { status: number; body: unknown }, status: number, pattern: RegExp) => {
  expect(answer.status).toBe(status);
  expect(JSON.stringify(answer.body)).toMatch(pattern);
};

describe('requirements of quality settings', () => {
  test('have one base requirement, which is the same as the settings', async () => {
    const here = await world();
    const [base] = (await settingsOf(here)).requirements;
    expect(base).toMatchObject({ is_base: true, iou_threshold: 0.4, point_size: 0.09, metric: 'accuracy' });
    await owner.good('PATCH', `/api/quality/settings/${here.settingsId}`, { json: { oks_sigma: 0.2 } });
    expect(await owner.good('GET', `${path}/${base!.id}`)).toMatchObject({ point_size: 0.2 });
    await change(base!.id, { match_groups: false, attribute_comparison: { default: { enabled: false } } });
    expect(await settingsOf(here)).toMatchObject({ compare_groups: false, compare_attributes: false, oks_sigma: 0.2 });
    sentence(await owner.call('DELETE', `${path}/${base!.id}`), 400, /base requirement/);
    sentence(await owner.call('PATCH', `${path}/${base!.id}`, { json: { iou_threshold: null } }), 400, /inherits/);
  });

  test('keep the date of the base requirement when others are added or changed', async () => {
    const here = await world();
    const [base] = (await settingsOf(here)).requirements;
    const cars = await create(here, { name: 'cars' });
    await change(cars.id, { iou_threshold: 0.6 });
    expect((await settingsOf(here)).requirements[0]).toMatchObject({ is_base: true, updated_date: base!.updated_date });
  });

  test('inherit what is null from their parents', async () => {
    const here = await world();
    const cars = await create(here, { name: 'cars', iou_threshold: 0.6, filter: '{"==":[{"var":"label"},"car"]}' });
    const red = await create(here, {
      name: 'large cars',
      parent_requirement: cars.id,
      metric: 'mean_dice',
      filter: '{">":[{"var":"width"},5]}',
    });
    expect(red).toMatchObject({ iou_threshold: null, effective: { iou_threshold: 0.6, metric: 'mean_dice' } });
    expect(JSON.parse(String(red.effective['filter']))).toEqual({
      and: [{ '==': [{ var: 'label' }, 'car'] }, { '>': [{ var: 'width' }, 5] }],
    });
    await change(cars.id, { iou_threshold: null, point_size: 0.3 });
    expect(await owner.good('GET', `${path}/${red.id}`)).toMatchObject({
      effective: { iou_threshold: 0.4, point_size: 0.3 },
    });
    await owner.good('DELETE', `${path}/${cars.id}`);
    expect(await owner.call('GET', `${path}/${red.id}`)).toMatchObject({ status: 404 });
  });

  test('are created as a hierarchy, and refused together', async () => {
    const here = await world();
    const tree = (names: readonly string[]): object[] =>
      names.map((name) => ({ name, children: [{ name: `${name} below`, enabled: false }] }));
    const bulk = (requirements: object[]) =>
      owner.call('POST', `${path}/bulk`, { json: { settings_id: here.settingsId, requirements } });
    sentence(await bulk(tree(['one', 'one'])), 400, /already have a requirement/);
    expect((await settingsOf(here)).requirements).toHaveLength(1);
    const made = (await bulk(tree(['one', 'two']))).body as Requirement[];
    expect(made.map(({ name }) => name)).toEqual(['one', 'one below', 'two', 'two below']);
    expect(made[1]?.parent_requirement).toBe(made[0]?.id);
  });

  test('refuse what they cannot use', async () => {
    const here = await world();
    const other = await world();
    const elsewhere = await create(other, { name: 'elsewhere' });
    const mine = await create(here, { name: 'mine' });
    const below = await create(here, { name: 'below', parent_requirement: mine.id });
    const wrong: [object, RegExp][] = [
      [{ filter: 'no JSON' }, /filter/],
      [{ filter: '{"==":[{"var":"no such field"},1]}' }, /no such field/],
      [{ attribute_comparison: { rules: [{ spec_id: 987_654, enabled: true }] } }, /987654/],
      [{ parent_requirement: elsewhere.id }, /No requirement/],
      [{ parent_requirement: below.id }, /below itself/],
      [{ settings_id: other.settingsId }, /other settings/],
      [{ name: 'below' }, /already have/],
      [{ iou_threshold: 2 }, /iou_threshold/],
    ];
    for (const [json, pattern] of wrong)
      sentence(await owner.call('PATCH', `${path}/${mine.id}`, { json }), 400, pattern);
    expect(await owner.good('GET', `${path}/${mine.id}`)).toEqual(mine);
  });
});

describe('requirements in reports', () => {
  test('compare only objects of their type that pass their filters', async () => {
    const here = await world();
    await put(here, here.truth, [box(10), box(40, { label_id: here.bus.id }), { type: 'points', points: [5, 5] }]);
    await put(here, here.own, [box(10), box(70, { label_id: here.bus.id }), { type: 'points', points: [5, 5] }]);
    const cars = await create(here, {
      name: 'cars',
      filter: '{"==":[{"var":"label"},"car"]}',
      annotation_type: 'rectangle',
    });
    const masks = await create(here, { name: 'masks', annotation_type: 'mask' });
    const small = await create(here, {
      name: 'small',
      filter: '{"<":[{"var":"width"},1]}',
      annotation_type: 'rectangle',
    });
    const off = await create(here, { name: 'off', enabled: false });
    const made = await report(here);
    expect(made.summary.requirements).toMatchObject({ total: 5, enabled: 4, completed: 3, not_computed: 2 });
    expect(made.summary.jobs).toMatchObject({ completed: 0 });
    expect(itemOf(made, cars)).toMatchObject({ score: 1, calculation: { status: 'computed', reason: null } });
    expect(itemOf(made, masks)).toMatchObject({ score: null, calculation: { reason: 'no_annotations' } });
    expect(itemOf(made, small)).toMatchObject({ score: null, calculation: { reason: 'filter_no_matches' } });
    expect(itemOf(made, off)).toBeUndefined();
    expect(made.summary.requirements.items[0]).toMatchObject({
      score: 0.5,
      threshold: 0.7,
      score_components: { valid_count: 2, missing_count: 1, extra_count: 1 },
    });
  });

  test('compare attributes by rules, exactly or by similarity', async () => {
    const here = await world();
    const [color, plate] = here.car.attributes.map(({ id }) => id) as [number, number];
    const values = (red: string, text: string) => [
      { spec_id: color, value: red },
      { spec_id: plate, value: text },
    ];
    await put(here, here.truth, [box(10, { attributes: values('red', 'AB-1234') })]);
    await put(here, here.own, [box(10, { attributes: values('blue', 'AB-1235') })]);
    const rule = (spec_id: number, more: object) => ({ spec_id, enabled: true, ...more });
    const similar = { comparator: 'levenshtein', threshold: 0.8 };
    const plates = await create(here, {
      name: 'plates',
      attribute_comparison: { default: { enabled: false }, rules: [rule(plate, similar)] },
    });
    const exact = await create(here, {
      name: 'exact plates',
      parent_requirement: plates.id,
      attribute_comparison: { rules: [rule(plate, { comparator: 'exact' })] },
    });
    const made = await report(here);
    expect(itemOf(made, plates)).toMatchObject({ score: 1 });
    // Objects with different attributes do not match.
    expect(itemOf(made, exact)).toMatchObject({ score: 0, score_components: { missing_count: 1, extra_count: 1 } });
    const conflicts = await owner.good<Page<QualityConflict>>('GET', '/api/quality/conflicts', {
      query: { report_id: made.id, by_requirements: 'true' },
    });
    expect(conflicts.results).toMatchObject([{ type: 'mismatching_attributes', attribute_names: ['color', 'plate'] }]);
    expect(made.summary).toMatchObject({ accuracy: 1, requirement_conflicts: { error_count: 1 } });
  });

  test('have confusion matrices, as JSON, CSV and a ZIP', async () => {
    const here = await world();
    await put(here, here.truth, [box(10), box(40)]);
    await put(here, here.own, [box(10, { label_id: here.bus.id }), box(40)]);
    const cars = await create(here, { name: 'Jaccard', metric: 'label_jaccard_index', required_score: 0.4 });
    const made = await report(here);
    const at = `/api/quality/reports/${made.id}/confusion`;
    const matrix = await owner.good<RequirementMatrix>('GET', `${at}/matrix`, { query: { requirement: cars.id } });
    expect(matrix).toMatchObject({
      labels: ['car', 'bus', 'unmatched'],
      rows: [
        [1, 0, 0],
        [1, 0, 0],
        [0, 0, 0],
      ],
      axes: { rows: 'ds', cols: 'gt' },
      target_metric_summary: {
        metric: 'jaccard_index',
        aggregation: 'label',
        values: { micro: 1 / 3, mean: 0.25, label: 0 },
        worst_labels: ['bus'],
      },
    });
    expect(itemOf(made, cars)).toMatchObject({ metric: 'label_jaccard_index', score: 0 });
    const csv = await owner.call('GET', `${at}/matrix`, { query: { requirement: cars.id, format: 'csv' } });
    expect(csv.status).toBe(200);
    const file = await owner.call('GET', at);
    expect(file.status).toBe(200);
    expect(await owner.call('GET', `${at}/matrix`, { query: { requirement: 987_654 } })).toMatchObject({ status: 404 });
  });

  test("use the project's requirements for tasks that inherit, and sum them up", async () => {
    const project = await owner.good<{ id: number }>('POST', '/api/projects', {
      json: { name: 'with requirements', labels: [{ name: 'car' }] },
    });
    const settings = await owner.good<Page<QualitySettings>>('GET', '/api/quality/settings', {
      query: { project_id: project.id, parent_type: 'project' },
    });
    const settingsId = settings.results[0]!.id;
    const strict = await owner.good<Requirement>('POST', path, {
      json: { settings_id: settingsId, name: 'strict', iou_threshold: 0.9, annotation_type: 'tag' },
    });
    const task = await owner.taskWithImages({ project_id: project.id }, await pictures(1, 100, 100));
    const [own] = (await work.jobsOf(task.id)) as [Job];
    const [car] = (await work.labelsOf({ project_id: project.id })) as [Label];
    const json = { type: 'ground_truth', task_id: task.id, frame_selection_method: 'manual', frames: [0] };
    const truth = await owner.good<Job>('POST', '/api/jobs', { json });
    await owner.good('PATCH', `/api/jobs/${truth.id}`, { json: { stage: 'acceptance', state: 'completed' } });
    for (const { id } of [own, truth])
      await owner.good('PUT', `/api/jobs/${id}/annotations`, {
        json: { tags: [{ frame: 0, label_id: car.id, attributes: [] }] },
      });
    const started = await owner.good<{ rq_id: string }>('POST', '/api/quality/reports', {
      json: { project_id: project.id },
    });
    const { result_id: id } = await owner.finished(started.rq_id);
    const made = await owner.good<QualityReport>('GET', `/api/quality/reports/${id}`);
    expect(itemOf(made, strict)).toMatchObject({ score: 1, score_components: { valid_count: 1 } });
    expect(made.summary.tasks).toMatchObject({ included: 1, completed: 1 });
    expect(made.summary.jobs).toMatchObject({ included: 1, completed: 1 });
  });
});
