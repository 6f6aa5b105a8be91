import { describe, expect, test } from 'vitest';
import type { Page } from '../../../preload/contract/schema/common.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { QualityConflict, QualityReport, QualityReportData } from '../../../preload/contract/schema/quality.ts';
import type { Job, Task } from '../../../preload/contract/schema/resources.ts';
import { choiceOf, pictures, useWork } from './work-harness.ts';

const work = await useWork();

const color = choiceOf('color', ['red', 'blue']);
const labels = [{ name: 'car', attributes: [color] }, { name: 'bus' }];
const task = await work.owner.taskWithImages({ labels, segment_size: 2 }, await pictures(4, 100, 100));
const own = (await work.jobsOf(task.id))[0] as Job;
const json = { type: 'ground_truth', task_id: task.id, frame_selection_method: 'manual', frames: [0, 1] };
const truth = await work.owner.good<Job>('POST', '/api/jobs', { json });
const finish = (id: number) =>
  work.owner.good('PATCH', `/api/jobs/${id}`, { json: { stage: 'acceptance', state: 'completed' } });
await finish(truth.id);
const [car, bus] = (await work.labelsOf({ task_id: task.id })) as [Label, Label];

type Drawn = { readonly type: string; readonly points: readonly number[]; readonly [more: string]: unknown };
const box = (x: number, more: object = {}): Drawn => ({ type: 'rectangle', points: [x, 10, x + 10, 20], ...more });
async function put(job: Job, shapes: readonly Drawn[], tags: readonly object[] = []): Promise<void> {
  const json = {
    shapes: shapes.map((shape) => ({ frame: 0, label_id: car.id, attributes: [], ...shape })),
    tags: tags.map((tag) => ({ frame: 0, attributes: [], ...tag })),
  };
  await work.owner.good('PUT', `/api/jobs/${job.id}/annotations`, { json });
}
async function report(): Promise<QualityReport> {
  const started = await work.owner.good<{ rq_id: string }>('POST', '/api/quality/reports', {
    json: { task_id: task.id },
  });
  const ended = await work.owner.finished(started.rq_id);
  return work.owner.good('GET', `/api/quality/reports/${ended.result_id}`);
}
const conflictsOf = async ({ id }: QualityReport) =>
  (
    await work.owner.good<Page<QualityConflict>>('GET', '/api/quality/conflicts', {
      query: { report_id: id, page_size: 'all' },
    })
  ).results;
const kinds = async (made: QualityReport) => (await conflictsOf(made)).map(({ type }) => type).sort();
async function choose(json: object) {
  const page = await work.owner.good<Page<{ id: number }>>('GET', '/api/quality/settings', {
    query: { task_id: task.id },
  });
  return work.owner.call('PATCH', `/api/quality/settings/${page.results[0]?.id}`, { json });
}

const lists: readonly (readonly [what: string, truths: () => Drawn[], drawn: () => Drawn[], expected: string[]])[] = [
  ['the same', () => [box(10)], () => [box(10)], []],
  ['missing and extra', () => [box(10)], () => [box(60)], ['extra_annotation', 'missing_annotation']],
  ['another label', () => [box(10)], () => [box(10, { label_id: bus.id })], ['mismatching_label']],
  ['loosely', () => [box(10)], () => [box(13)], ['low_overlap']],
  [
    'another value',
    () => [box(10)],
    () => [box(10, { attributes: [{ spec_id: car.attributes[0]?.id, value: 'blue' }] })],
    ['mismatching_attributes'],
  ],
  [
    'the other way round',
    () => [{ type: 'polyline', points: [10, 10, 90, 10, 90, 60] }],
    () => [{ type: 'polyline', points: [90, 60, 90, 10, 10, 10] }],
    ['mismatching_direction'],
  ],
  [
    'a polygon for a mask',
    () => [{ type: 'mask', points: [0, 400, 10, 10, 29, 29] }],
    () => [{ type: 'polygon', points: [10, 10, 30, 10, 30, 30, 10, 30] }],
    [],
  ],
  [
    'one under another',
    () => [],
    () => [
      { type: 'polygon', points: [10, 10, 30, 10, 30, 30, 10, 30] },
      { type: 'polygon', points: [5, 5, 40, 5, 40, 40, 5, 40], z_order: 1 },
    ],
    ['covered_annotation', 'extra_annotation', 'extra_annotation'],
  ],
  [
    'grouped in another way',
    () => [box(10, { group: 1 }), box(40, { group: 1 }), box(70)],
    () => [box(10, { group: 1 }), box(40), box(70, { group: 1 })],
    ['mismatching_groups', 'mismatching_groups'],
  ],
  [
    'a single point nearby, measured by the image',
    () => [{ type: 'points', points: [40, 40] }],
    () => [{ type: 'points', points: [43, 44] }],
    [],
  ],
  [
    'a single point straight beside its truth',
    () => [{ type: 'points', points: [40, 40] }],
    () => [{ type: 'points', points: [41, 40] }],
    [],
  ],
  [
    'a point in a group, measured by the box of the group',
    () => [box(10, { group: 1 }), { type: 'points', points: [12, 12], group: 1 }],
    () => [box(10, { group: 1 }), { type: 'points', points: [13.6, 12], group: 1 }],
    ['low_overlap'],
  ],
  [
    'polygons of one group that are one object of the truth',
    () => [{ type: 'polygon', points: [10, 10, 50, 10, 50, 30, 10, 30] }],
    () => [
      { type: 'polygon', points: [10, 10, 30, 10, 30, 30, 10, 30], group: 2 },
      { type: 'polygon', points: [30, 10, 50, 10, 50, 30, 30, 30], group: 2 },
    ],
    ['mismatching_groups', 'mismatching_groups'],
  ],
  [
    'a polygon under a later rectangle',
    () => [],
    () => [
      { type: 'polygon', points: [12, 12, 18, 12, 18, 18, 12, 18] },
      { type: 'rectangle', points: [5, 5, 40, 40] },
    ],
    ['covered_annotation', 'extra_annotation', 'extra_annotation'],
  ],
  [
    'another value and another label, loosely',
    () => [box(10)],
    () => [box(13, { label_id: bus.id })],
    ['low_overlap', 'mismatching_label'],
  ],
  [
    'an ellipse for a polygon',
    () => [{ type: 'polygon', points: [10, 10, 30, 10, 30, 30, 10, 30] }],
    () => [{ type: 'ellipse', points: [20, 20, 30, 10] }],
    ['extra_annotation', 'missing_annotation'],
  ],
  [
    'points nearby',
    () => [{ type: 'points', points: [10, 10, 50, 50] }],
    () => [{ type: 'points', points: [51, 50, 10, 11] }],
    [],
  ],
];

describe('a task beside its ground truth', () => {
  test.each(lists)('%s', async (_, truths, drawn, expected) => {
    await put(truth, truths());
    await put(own, drawn());
    expect(await kinds(await report())).toEqual(expected);
  });

  test('counts objects, and the agreement by job and by task', async () => {
    await put(truth, [box(10), box(40)], [{ label_id: bus.id }]);
    await put(own, [box(10), box(70)], [{ label_id: bus.id }]);
    const made = await report();
    expect(made).toMatchObject({
      target: 'task',
      job_id: null,
      summary: {
        total_frames: 4,
        validation_frames: 2,
        frame_count: 2,
        frame_share: 0.5,
        valid_count: 2,
        ds_count: 3,
        gt_count: 3,
        total_count: 4,
        accuracy: 0.5,
        error_count: 2,
        warning_count: 0,
        conflicts_by_type: { missing_annotation: 1, extra_annotation: 1 },
        jobs: { total: 2, excluded: 0, not_checkable: 1, included: 2 },
      },
    });
    const children = await work.owner.good<Page<QualityReport>>('GET', '/api/quality/reports', {
      query: { parent_id: made.id },
    });
    expect(children.results).toMatchObject([
      { target: 'job', job_id: expect.any(Number), summary: { frame_count: 0, accuracy: 0 } },
      { target: 'job', job_id: own.id, summary: { accuracy: 0.5 } },
    ]);
    expect(made.summary).not.toHaveProperty('tasks');
    expect(children.results[1]?.summary).not.toHaveProperty('jobs');
    const conflicts = await conflictsOf(made);
    expect(conflicts.find(({ type }) => type === 'missing_annotation')?.annotation_ids).toMatchObject([
      { job_id: truth.id, type: 'shape', shape_type: 'rectangle' },
    ]);
    const data = await work.owner.good<QualityReportData>('GET', `/api/quality/reports/${made.id}/data`);
    expect(Object.keys(data.frame_results ?? {})).toEqual(['0', '1']);
    expect(data).toMatchObject({
      id: made.id,
      task_id: task.id,
      assignee: null,
      parameters: { iou_threshold: 0.4, inherited: false, included_annotation_types: expect.arrayContaining(['bbox']) },
      comparison_summary: {
        frames: [0, 1],
        mean_conflict_count: 1,
        annotations: {
          valid_count: 2,
          missing_count: 1,
          extra_count: 1,
          accuracy: 0.5,
          confusion_matrix: {
            labels: ['car', 'bus', 'unmatched'],
            rows: [
              [1, 0, 1],
              [0, 1, 0],
              [1, 0, 0],
            ],
            precision: [0.5, 1, 0],
            recall: [0.5, 1, 0],
            jaccard_index: [1 / 3, 1, 0],
          },
        },
        annotation_components: { shape: { valid_count: 1, total_count: 3 }, label: { valid_count: 2, total_count: 2 } },
        jobs: { all: [own.id, expect.any(Number)], total_count: 2, not_checkable_count: 1, included_count: 2 },
        tasks: null,
      },
    });
    const table = await work.owner.call('GET', `/api/quality/reports/${made.id}/data`, { query: { format: 'csv' } });
    expect(table.headers.get('Content-Type')).toMatch('text/csv');
    expect(String(table.body).split('\r\n')).toEqual([
      'label,car,bus,unmatched,precision',
      'car,1,0,1,0.5',
      'bus,0,1,0,1.0',
      'unmatched,1,0,0,0.0',
      'recall,0.5,1.0,0.0',
      'dice coefficient,0.5,1.0,nan',
      'jaccard index,0.3333333333333333,1.0,nan',
      '',
      'avg. accuracy (micro),0.5',
      'avg. dice coefficient (macro),0.75',
      '',
    ]);
  });

  test('uses its settings, and refuses invalid job filters', async () => {
    await put(truth, [box(10)]);
    await put(own, [box(13)]);
    expect(await choose({ low_overlap_threshold: 0.5 })).toMatchObject({
      status: 200,
      body: { low_overlap_threshold: 0.5 },
    });
    expect(await kinds(await report())).toEqual([]);
    expect((await choose({ iou_threshold: 0.9 })).status).toBe(200);
    expect(await kinds(await report())).toEqual(['extra_annotation', 'missing_annotation']);
    await choose({ iou_threshold: 0.4, empty_is_annotated: true });
    expect((await report()).summary).toMatchObject({ valid_count: 2, total_count: 2 });
    for (const json of [{ job_filter: 'new' }, { job_filter: '{"==":[{"var":"colour"},1]}' }]) {
      expect(await choose(json)).toMatchObject({ status: 400, body: { job_filter: [expect.any(String)] } });
    }
    expect(await choose({ max_validations_per_job: 3 })).toMatchObject({ body: { max_validations_per_job: 3 } });
  });

  test('compares only the jobs that its job filter selects', async () => {
    const all = (await work.jobsOf(task.id)).filter(({ type }) => type === 'annotation');
    const job_filter = JSON.stringify({
      and: [{ '==': [{ var: 'id' }, own.id] }, { '==': [{ var: 'stage' }, 'annotation'] }],
    });
    expect(await choose({ job_filter })).toMatchObject({ status: 200, body: { job_filter } });
    const made = await report();
    expect(made.summary.jobs).toMatchObject({ total: all.length, excluded: all.length - 1, included: 1 });
    expect(made.summary.total_frames).toBe(2);
    const ofJobs = await work.owner.good<Page<QualityReport>>('GET', '/api/quality/reports', {
      query: { parent_id: made.id },
    });
    expect(ofJobs.results.map(({ job_id: id }) => id)).toEqual([own.id]);
    const data = await work.owner.good<QualityReportData>('GET', `/api/quality/reports/${made.id}/data`);
    expect(data.parameters).toMatchObject({ job_filter });
    await choose({ job_filter: '' });
    expect((await report()).summary.jobs).toMatchObject({ excluded: 0 });
  });

  test('ignores frames that were removed from the validation, and everything without a ground truth', async () => {
    await work.owner.good('PATCH', `/api/tasks/${task.id}/validation_layout`, { json: { disabled_frames: [0] } });
    expect((await report()).summary).toMatchObject({ validation_frames: 1, gt_count: 1 });
    const refused = async () => {
      const { status, body } = await work.owner.call('POST', '/api/quality/reports', { json: { task_id: task.id } });
      expect({ status, text: JSON.stringify(body) }).toEqual({
        status: 400,
        text: expect.stringContaining(
          'Quality reports require a Ground Truth job in the task at the acceptance stage and in the completed state',
        ),
      });
    };
    for (const json of [{ state: 'in progress' }, { stage: 'validation', state: 'completed' }]) {
      await work.owner.good('PATCH', `/api/jobs/${truth.id}`, { json });
      await refused();
    }
    await work.owner.good('DELETE', `/api/jobs/${truth.id}`);
    await refused();
  });
});

describe('a project beside the ground truths of its tasks', () => {
  test('counts its tasks as one, uses its own settings for tasks without any, and skips the others', async () => {
    const project = await work.owner.good<{ id: number }>('POST', '/api/projects', {
      json: { name: 'fleet', labels: [{ name: 'car' }] },
    });
    const images = await pictures(1, 100, 100);
    const start = () => work.owner.call('POST', '/api/quality/reports', { json: { project_id: project.id } });
    const tasks: Task[] = [];
    for (const name of ['one', 'two', 'bare']) {
      tasks.push(await work.owner.taskWithImages({ name, project_id: project.id }, images));
    }
    const [one, two] = tasks as [Task, Task];
    const made = async (): Promise<QualityReport> => {
      const ended = await work.owner.finished(((await start()).body as { rq_id: string }).rq_id);
      return work.owner.good('GET', `/api/quality/reports/${ended.result_id}`);
    };
    // Without a task to compare, the report is empty.
    expect((await made()).summary).toMatchObject({
      frame_count: 0,
      accuracy: 0,
      tasks: { total: 3, not_configured: 3, included: 0 },
    });
    const label_id = (await work.labelsOf({ task_id: one.id }))[0]?.id;
    for (const [at, of] of [one, two].entries()) {
      const drawing = (await work.jobsOf(of.id))[0] as Job;
      const json = { type: 'ground_truth', task_id: of.id, frame_selection_method: 'manual', frames: [0] };
      const wanted = await work.owner.good<Job>('POST', '/api/jobs', { json });
      await put(wanted, [box(10, { label_id })]);
      await finish(wanted.id);
      // The second box is moved by three of its ten pixels.
      await put(drawing, [box(10 + 3 * at, { label_id })]);
    }
    // The project's report uses a current report of the task.
    const alone = await work.owner.good<{ rq_id: string }>('POST', '/api/quality/reports', {
      json: { task_id: one.id },
    });
    const { result_id: current } = await work.owner.finished(alone.rq_id);
    const whole = await made();
    expect(whole).toMatchObject({
      target: 'project',
      project_id: project.id,
      task_id: null,
      summary: {
        total_frames: 2,
        validation_frames: 2,
        valid_count: 2,
        accuracy: 1,
        conflicts_by_type: { low_overlap: 1 },
        tasks: { total: 3, custom: 0, not_configured: 1, excluded: 0, included: 2 },
        jobs: { total: 2, included: 2 },
      },
    });
    expect((await conflictsOf(whole)).map(({ type }) => type)).toEqual(['low_overlap']);
    const children = await work.owner.good<Page<QualityReport>>('GET', '/api/quality/reports', {
      query: { parent_id: whole.id, sort: 'id' },
    });
    expect(children.results).toMatchObject([
      { id: current, target: 'task', task_id: one.id, project_id: project.id },
      { target: 'task', task_id: two.id, project_id: project.id },
    ]);
    // Both were compared on all of their frames, so there is no weighting.
    const data = await work.owner.good<QualityReportData>('GET', `/api/quality/reports/${whole.id}/data`);
    expect(data).not.toHaveProperty('frame_results');
    expect(data.comparison_summary).toMatchObject({ tasks: { all: tasks.map(({ id }) => id), included_count: 2 } });

    type Stored = { id: number; inherit: boolean; iou_threshold: number };
    const settingsOf = async (query: Record<string, string | number>): Promise<Stored> =>
      (await work.owner.good<Page<Stored>>('GET', '/api/quality/settings', { query })).results[0]!;
    const ofProject = await settingsOf({ project_id: project.id, parent_type: 'project' });
    await work.owner.good('PATCH', `/api/quality/settings/${ofProject.id}`, { json: { iou_threshold: 0.9 } });
    const ofTask = await settingsOf({ task_id: two.id });
    expect(ofTask).toMatchObject({ inherit: true, iou_threshold: 0.9 });
    expect((await made()).summary).toMatchObject({ valid_count: 1, ds_count: 2, accuracy: 1 / 3 });

    // Task settings apply until the task inherits those of its project again.
    const change = (json: object) => work.owner.call('PATCH', `/api/quality/settings/${ofTask.id}`, { json });
    const { body: sent } = await change({});
    expect(await change(sent as object)).toMatchObject({ status: 200, body: { inherit: true, iou_threshold: 0.9 } });
    expect((await change({ iou_threshold: 0.5 })).body).toMatchObject({ inherit: false, iou_threshold: 0.5 });
    expect((await made()).summary.tasks).toMatchObject({ custom: 1, included: 1 });
    expect((await change({ inherit: true })).body).toMatchObject({ inherit: true, iou_threshold: 0.9 });
  });
});
