import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeImages } from '../../support/images.ts';
import { usePeopleHarness } from '../people/people-harness.ts';

const harness = await usePeopleHarness();
const anna = harness.addUser('anna');
const stranger = harness.addUser('stranger');

const images = await makeImages(4, { width: 200, height: 100 });
const task = await anna.rest.taskWithImages({ name: 'quay', labels: [{ name: 'boat' }, { name: 'buoy' }] }, images);
const [boat, buoy] = (await anna.rest.labels(task.id)).map(({ id }) => id) as [number, number];
const box = (frame: number, label_id: number, points: number[], score = 1) => ({
  frame,
  label_id,
  type: 'rectangle' as const,
  points,
  score,
});
await anna.rest.replaceAnnotations('tasks', task.id, {
  shapes: [
    box(0, boat, [10, 10, 50, 50]),
    box(0, buoy, [100, 10, 120, 30]),
    box(1, boat, [10, 10, 110, 90]),
    box(2, boat, [0, 0, 20, 20]),
  ],
});
const predicted = [
  box(0, boat, [10, 10, 50, 50], 0.9),
  // A buoy that was detected as a boat.
  box(0, boat, [100, 10, 120, 30], 0.8),
  // Overlaps by 0.42, below the threshold.
  box(1, boat, [10, 10, 60, 78], 0.7),
  box(3, buoy, [5, 5, 25, 25], 0.3),
];

async function predictionsOf(shapes: readonly ReturnType<typeof box>[], name = 'detector') {
  const { id } = await anna.good('createPredictionSet', { params: { id: task.id }, body: { name, detail: 'v3' } });
  await anna.good('addPredictions', { params: { id }, body: { shapes: shapes.slice(0, 2) } });
  await anna.good('addPredictions', { params: { id }, body: { shapes: shapes.slice(2) } });
  return anna.good('updatePredictionSet', { params: { id }, body: { state: 'ready' } });
}

async function evaluationOf(body: Record<string, unknown> & { predictions: number[] }) {
  const { id, rq_id: request } = await anna.good('createEvaluation', {
    body: { name: 'how good', task_id: task.id, kind: 'bbox', ...body },
  });
  await anna.rest.finished(request);
  return anna.good('getEvaluation', { params: { id } });
}

describe('prediction sets', () => {
  test('are stored beside the annotations with their scores, and do not change them', async () => {
    const before = await anna.rest.annotations('tasks', task.id);
    const set = await predictionsOf(predicted);
    expect(set).toMatchObject({ source: 'function', detail: 'v3', state: 'ready', object_count: 4 });
    expect(await anna.rest.annotations('tasks', task.id)).toEqual(before);
    await anna.refused(409, 'addPredictions', { params: { id: set.id }, body: { shapes: predicted } });
    await stranger.refused(403, 'getPredictionSet', { params: { id: set.id } });

    const { rq_id: request } = await anna.good('exportPredictionSet', {
      params: { id: set.id },
      body: { format: 'CVAT for images 1.1' },
    });
    const { result_url: url } = await anna.rest.finished(request);
    expect(url).toContain(`/api/tasks/${task.id}/dataset/download`);
    await anna.good('deletePredictionSet', { params: { id: set.id } });
    expect((await anna.good('listPredictionSets', { params: { id: task.id } })).results).toEqual([]);
    expect(await anna.rest.annotations('tasks', task.id)).toEqual(before);
  });

  test('can be created from result files and from another task', async () => {
    const folder = join(harness.folder, 'files');
    mkdirSync(folder);
    const path = join(folder, 'results.json');
    const results = predicted.map(({ frame, label_id: label, points: [x1 = 0, y1 = 0, x2 = 0, y2 = 0], score }) => ({
      image_id: frame + 1,
      category_id: label === boat ? 1 : 2,
      bbox: [x1, y1, x2 - x1, y2 - y1],
      score,
    }));
    writeFileSync(path, JSON.stringify(results));
    const form = new FormData();
    form.set('annotation_file', new Blob([JSON.stringify(results)]), 'results.json');
    const options = JSON.stringify({ image_ids: 'position', category_ids: 'task' });
    const query = new URLSearchParams({ format: 'COCO Results 1.0', name: 'from a file', options });
    const started = await fetch(`${harness.url}/api/limner/tasks/${task.id}/predictions/file/?${query}`, {
      method: 'POST',
      headers: { Authorization: `Token ${harness.tokenOf(anna)}` },
      body: form,
    });
    const { rq_id: request } = (await started.json()) as { rq_id: string };
    await anna.rest.finished(request);

    const other = await anna.rest.taskWithImages(
      { name: 'pier', labels: [{ name: 'boat' }, { name: 'gull' }] },
      images,
    );
    const labels = await anna.rest.labels(other.id);
    await anna.rest.replaceAnnotations('tasks', other.id, {
      shapes: labels.map(({ id }) => box(1, id, [10, 10, 110, 90])),
    });
    const copied = await anna.good('takePredictionsOfTask', {
      params: { id: task.id },
      body: { name: 'the other', source_task_id: other.id },
    });
    expect((await anna.rest.finished(copied.rq_id)).message).toBe('1 object imported, 1 left out or changed.');
    const { results: sets } = await anna.good('listPredictionSets', { params: { id: task.id } });
    expect(
      sets.map(({ name, source, detail, format, object_count }) => [name, source, detail, format, object_count]),
    ).toEqual([
      ['the other', 'task', 'pier', null, 1],
      ['from a file', 'file', 'results.json', 'COCO Results 1.0', 4],
    ]);
    const report = await evaluationOf({ predictions: sets.map(({ id }) => id) });
    expect(report.models.map(({ measures }) => measures?.['AP50']).map((value) => value?.toFixed(4))).toEqual([
      '0.1683',
      '0.1683',
    ]);
  });
});

describe('an evaluation', () => {
  const counts = (id: number, query: Record<string, number> = {}) =>
    anna.good('getEvaluationCounts', { params: { id }, query });

  test('counts true, false and missed detections and confusions at any overlap and score, and names the frames', async () => {
    const { id: set } = await predictionsOf(predicted);
    const report = await evaluationOf({ predictions: [set] });
    expect(report).toMatchObject({ frame_count: 4, truth_count: 4, left_out: 0, is_outdated: false });
    expect(report.labels.map(({ name, truths }) => [name, truths])).toEqual([
      ['boat', 3],
      ['buoy', 1],
    ]);
    const { id } = report;
    const [at] = (await counts(id, { score: 0.5 })).models;
    expect(at?.all).toMatchObject({ hits: 1, missed: 3, extra: 2, precision: 1 / 3, recall: 1 / 4 });
    expect(at?.confusion).toEqual([
      [1, 0, 2],
      [1, 0, 0],
      [1, 0, 0],
    ]);
    expect(at?.sizes.map(({ truths, missed }) => [truths, missed])).toEqual([
      [2, 2],
      [2, 1],
      [0, 0],
    ]);
    expect(at?.scores.reduce((sum, bin) => sum + bin.matched + bin.extra, 0)).toBe(4);
    const [loose] = (await counts(id, { score: 0.5, iou: 0.4 })).models;
    expect(loose?.all).toMatchObject({ hits: 2, missed: 2, extra: 1 });

    const frames = async (query: Record<string, string | number>) =>
      (await anna.good('listEvaluationFrames', { params: { id }, query: { score: 0.5, ...query } })).results.map(
        ({ frame }) => frame,
      );
    expect(await frames({})).toEqual([1, 2, 0, 3]);
    expect(await frames({ show: 'missed', truth: 'boat' })).toEqual([1, 2]);
    expect(await frames({ show: 'mixed', truth: 'buoy', result: 'boat' })).toEqual([0]);
    expect(await frames({ show: 'extra', score_from: 0.3, score_to: 0.35 })).toEqual([3]);
    expect(await frames({ show: 'missed', size: 'medium' })).toEqual([1]);

    const seen = await anna.good('compareEvaluationFrame', { params: { id, frame: 1 }, query: { score: 0.5 } });
    expect(seen).toMatchObject({ width: 200, height: 100, matched: [], counts: { hits: 0, missed: 1, extra: 1 } });
    expect(seen.missed[0]?.best_overlap).toBeCloseTo(0.425, 9);
    expect(seen.extra[0]).toMatchObject({ near: 0, result: { score: 0.7, label: 'boat' } });
    const [missed] = seen.missed;
    expect(missed?.truth.shape_id).toEqual(expect.any(Number));
    for (const format of ['json', 'csv', 'html'] as const) {
      const file = await anna.good('getEvaluationFile', { params: { id }, query: { format } });
      expect([file.name, file.content.includes('boat')]).toEqual([`how-good.${format}`, true]);
    }
    await stranger.refused(403, 'getEvaluation', { params: { id } });
  });

  test('accepts a mapping of labels, a subset of the frames, and a prediction set as ground truth', async () => {
    const { id: set } = await predictionsOf(predicted);
    const mapped = await evaluationOf({
      predictions: [set],
      label_mapping: { boat: 'buoy', buoy: null },
      labels: ['buoy'],
    });
    const [at] = (await counts(mapped.id, { score: 0 })).models;
    expect(at?.all).toMatchObject({ hits: 1, missed: 0, extra: 2 });
    const part = await evaluationOf({ predictions: [set], frames: { first: 1, last: 2 } });
    expect(part).toMatchObject({ frame_count: 2, truth_count: 2 });
    const itself = await evaluationOf({ predictions: [set], truth_prediction_set_id: set });
    expect(itself.models[0]?.measures?.['AP']).toBeCloseTo(1, 9);
  });

  test('is marked as outdated when the ground truth changes, and compares a frame with the current one', async () => {
    const { id: set } = await predictionsOf(predicted);
    const { id } = await evaluationOf({ predictions: [set] });
    await anna.rest.changeAnnotations('tasks', task.id, 'create', { shapes: [box(3, buoy, [5, 5, 25, 25])] });
    expect((await anna.good('getEvaluation', { params: { id } })).is_outdated).toBe(true);
    const seen = await anna.good('compareEvaluationFrame', { params: { id, frame: 3 }, query: { score: 0 } });
    expect(seen.matched[0]).toMatchObject({ overlap: 1, truth: { label: 'buoy' } });
    await anna.good('deleteEvaluation', { params: { id } });
    await anna.refused(404, 'getEvaluation', { params: { id } });
  });
});

describe('an evaluation of a project', () => {
  const labels = [{ name: 'boat' }, { name: 'buoy' }];
  async function tasksOf(names: readonly string[]) {
    const project = await anna.good('createProject', { body: { name: 'harbour', labels } });
    const tasks = await Promise.all(
      names.map((name) => anna.rest.taskWithImages({ name, project_id: project.id }, images.slice(0, 2))),
    );
    const [first] = tasks;
    const ids = (await anna.rest.labels(first!.id)).map(({ id }) => id);
    return { project: project.id, tasks: tasks.map(({ id }) => id), boat: ids[0]!, buoy: ids[1]! };
  }
  async function say(taskId: number, name: string, shapes: readonly ReturnType<typeof box>[]) {
    const { id } = await anna.good('createPredictionSet', { params: { id: taskId }, body: { name } });
    await anna.good('addPredictions', { params: { id }, body: { shapes: [...shapes] } });
    await anna.good('updatePredictionSet', { params: { id }, body: { state: 'ready' } });
  }
  async function measure(project: number, body: Record<string, unknown> = {}) {
    const { id, rq_id: request } = await anna.good('createProjectEvaluation', {
      params: { id: project },
      body: { name: 'all of it', predictions: ['v1'], kind: 'bbox', ...body },
    });
    await anna.rest.finished(request);
    return anna.good('getEvaluation', { params: { id } });
  }

  test('counts all its tasks as one, names uncounted objects, and identifies each frame by its task', async () => {
    const { project, tasks, boat: ofBoat } = await tasksOf(['north', 'south', 'unseen']);
    const [north, south, unseen] = tasks as [number, number, number];
    for (const id of tasks) {
      await anna.rest.replaceAnnotations('tasks', id, {
        shapes: [box(0, ofBoat, [10, 10, 50, 50]), box(1, ofBoat, [60, 10, 90, 50])],
      });
    }
    // An older set of the same name, which a newer one replaces.
    await say(north, 'v1', [box(0, ofBoat, [100, 60, 140, 90], 0.9)]);
    await say(north, 'v1', [box(0, ofBoat, [10, 10, 50, 50], 0.9), box(1, ofBoat, [60, 10, 90, 50], 0.8)]);
    // At the position of the boat in the other task's frame: objects of different tasks are never compared.
    await say(south, 'v1', [box(0, ofBoat, [60, 10, 90, 50], 0.7)]);
    expect(await anna.good('listProjectPredictions', { params: { id: project } })).toEqual({
      task_count: 3,
      results: [{ name: 'v1', task_count: 2, object_count: 3 }],
    });

    const report = await measure(project);
    expect(report).toMatchObject({
      task_id: null,
      project_id: project,
      truth: 'annotations',
      frame_count: 4,
      truth_count: 4,
      is_outdated: false,
      tasks: [
        { id: north, name: 'north', left_out: null },
        { id: south, left_out: null },
        { id: unseen, left_out: 'no_predictions' },
      ],
    });
    const { id } = report;
    const { models } = await anna.good('getEvaluationCounts', { params: { id }, query: { score: 0.5 } });
    expect(models[0]).toMatchObject({
      all: { hits: 2, missed: 2, extra: 1 },
      tasks: [
        { task_id: north, hits: 2, missed: 0, extra: 0, f1: 1 },
        { task_id: south, hits: 0, missed: 2, extra: 1, f1: 0 },
      ],
    });
    const frames = async (query: Record<string, string | number>) =>
      (await anna.good('listEvaluationFrames', { params: { id }, query: { score: 0.5, ...query } })).results.map(
        ({ task_id: task, frame }) => [task, frame],
      );
    expect(await frames({ show: 'missed' })).toEqual([
      [south, 0],
      [south, 1],
    ]);
    expect(await frames({ task_id: north, order: 'frame' })).toEqual([
      [north, 0],
      [north, 1],
    ]);
    const seen = await anna.good('compareEvaluationFrame', {
      params: { id, frame: 0 },
      query: { score: 0.5, task_id: south },
    });
    expect(seen).toMatchObject({ task_id: south, counts: { hits: 0, missed: 1, extra: 1 } });
    await anna.refused(400, 'compareEvaluationFrame', { params: { id, frame: 0 } });
    await anna.refused(404, 'compareEvaluationFrame', { params: { id, frame: 0 }, query: { task_id: unseen } });
    await stranger.refused(403, 'getEvaluation', { params: { id } });
    expect((await anna.good('listEvaluations', { query: { project_id: project } })).results).toHaveLength(1);

    await anna.rest.changeAnnotations('tasks', south, 'create', { shapes: [box(1, ofBoat, [5, 5, 25, 25])] });
    expect((await anna.good('getEvaluation', { params: { id } })).is_outdated).toBe(true);
  });

  test('uses ground-truth jobs if selected, and counts tags and pixels over the tasks as well', async () => {
    const { project, tasks, boat: ofBoat, buoy: ofBuoy } = await tasksOf(['east', 'west']);
    const [east, west] = tasks as [number, number];
    for (const id of tasks) await say(id, 'v1', [box(0, ofBoat, [10, 10, 50, 50], 0.9)]);
    const truth = await anna.good('createJob', {
      body: { type: 'ground_truth', task_id: east, frame_selection_method: 'manual', frames: [0] },
    });
    await anna.rest.replaceAnnotations('jobs', truth.id, { shapes: [box(0, ofBoat, [10, 10, 50, 50])] });
    expect(await measure(project, { truth: 'ground_truth' })).toMatchObject({
      frame_count: 1,
      truth_count: 1,
      tasks: [
        { id: east, left_out: null },
        { id: west, left_out: 'no_ground_truth' },
      ],
    });

    for (const [id, label] of [
      [east, ofBoat],
      [west, ofBuoy],
    ] as const) {
      await anna.rest.replaceAnnotations('tasks', id, { shapes: [box(0, label, [10, 10, 50, 50])] });
    }
    const pixels = await measure(project, { kind: 'semantic' });
    expect(pixels.frame_count).toBe(4);
    const { models } = await anna.good('getEvaluationCounts', { params: { id: pixels.id }, query: {} });
    expect(models[0]?.tasks.map(({ task_id: task, hits, missed }) => [task, hits, missed])).toEqual([
      [east, 1600, 0],
      [west, 0, 1600],
    ]);
  });
});
