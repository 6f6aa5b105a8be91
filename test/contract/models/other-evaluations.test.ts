import { describe, expect, test } from 'vitest';
import { makeImages } from '../../support/images.ts';
import { usePeopleHarness } from '../people/people-harness.ts';

const harness = await usePeopleHarness();
const anna = harness.addUser('anna');

const images = await makeImages(4, { width: 40, height: 20 });
const task = await anna.rest.taskWithImages({ name: 'quay', labels: [{ name: 'boat' }, { name: 'buoy' }] }, images);
const [boat, buoy] = (await anna.rest.labels(task.id)).map(({ id }) => id) as [number, number];
type Annotations = Parameters<typeof anna.rest.replaceAnnotations>[2];

/** Evaluates a prediction set against the ground truth of the task. */
async function evaluated(kind: 'tags' | 'semantic' | 'tracks', truth: Annotations, said: Annotations, more = {}) {
  await anna.rest.replaceAnnotations('tasks', task.id, truth);
  const { id: set } = await anna.good('createPredictionSet', { params: { id: task.id }, body: { name: 'model' } });
  await anna.good('addPredictions', { params: { id: set }, body: said });
  await anna.good('updatePredictionSet', { params: { id: set }, body: { state: 'ready' } });
  const { id, rq_id: request } = await anna.good('createEvaluation', {
    body: { name: kind, task_id: task.id, kind, predictions: [set], ...more },
  });
  await anna.rest.finished(request);
  const report = await anna.good('getEvaluation', { params: { id } });
  const { models } = await anna.good('getEvaluationCounts', { params: { id } });
  const frames = async (query: Record<string, string>) =>
    (await anna.good('listEvaluationFrames', { params: { id }, query: { order: 'frame', ...query } })).results.map(
      ({ frame }) => frame,
    );
  const file = (format: 'csv' | 'html' | 'json') =>
    anna.good('getEvaluationFile', { params: { id }, query: { format } }).then(({ content }) => content);
  return { report, measures: report.models[0]?.measures ?? {}, counts: models[0], frames, file };
}

describe('an evaluation', () => {
  test('evaluates tags with classes, confusions and the images of each cell', async () => {
    const tags = (...labels: readonly number[]) => labels.map((label_id, frame) => ({ frame, label_id }));
    const { report, measures, counts, frames, file } = await evaluated(
      'tags',
      { tags: tags(boat, boat, buoy, buoy) },
      { tags: tags(boat, buoy, buoy) },
    );
    expect(report.labels.map(({ truths }) => truths)).toEqual([2, 2]);
    expect(counts?.confusion).toEqual([
      [1, 1, 0],
      [0, 1, 1],
      [0, 0, 0],
    ]);
    expect(measures).toMatchObject({ accuracy: 0.5, exactMatch: 0.5, balancedAccuracy: 0.5, precision: 0.75 });
    expect(report.details[0]?.labels).toEqual([
      { F1: 2 / 3, precision: 1, recall: 0.5 },
      { F1: 0.5, precision: 0.5, recall: 0.5 },
    ]);
    expect(await frames({ show: 'mixed', truth: 'boat', result: 'buoy' })).toEqual([1]);
    expect(await frames({ show: 'missed' })).toEqual([1, 3]);
    const seen = await anna.good('compareEvaluationFrame', { params: { id: report.id, frame: 1 } });
    expect([seen.missed[0]?.truth.label, seen.extra[0]?.result.label]).toEqual(['boat', 'buoy']);
    expect(await file('csv')).toContain('model,boat,2,0.6666666666666666,1,0.5');
    expect(await file('html')).toContain('balancedAccuracy');
  });

  test('evaluates pixels by their top label, and ignores excluded labels', async () => {
    const box = (label_id: number, points: number[], z_order = 0) => ({
      type: 'rectangle' as const,
      frame: 0,
      label_id,
      points,
      z_order,
    });
    // 20 columns of a boat, 10 of them behind a buoy.
    const truth = { shapes: [box(boat, [0, 0, 20, 20]), box(buoy, [10, 0, 20, 20], 1)] };
    const said = { shapes: [box(boat, [0, 0, 10, 20]), box(buoy, [10, 0, 15, 20])] };
    const both = await evaluated('semantic', truth, said);
    expect(both.measures['mIoU']).toBeCloseTo((1 + 0.5) / 2, 9);
    expect(both.counts?.confusion[1]).toEqual([0, 100, 100]);
    expect(both.counts?.confusion[0]).toEqual([200, 0, 0]);
    // Three frames without annotations are background in both.
    expect(both.measures['pixelAccuracy']).toBeCloseTo((3200 - 100) / 3200, 9);
    const one = await evaluated('semantic', truth, said, { labels: ['boat'] });
    expect(one.measures).toMatchObject({ mIoU: 1, pixelAccuracy: 1 });
    expect(one.report.left_out).toBe(1);
  });

  test('evaluates tracks by identity over the frames', async () => {
    const track = (first: number, last: number, left: number) => ({
      frame: first,
      label_id: boat,
      shapes: [
        { frame: first, type: 'rectangle' as const, points: [left, 2, left + 8, 10] },
        ...(last < 3
          ? [{ frame: last + 1, type: 'rectangle' as const, points: [left, 2, left + 8, 10], outside: true }]
          : []),
      ],
    });
    // The one boat is two tracks of the model, so its identity changes once.
    const { report, measures, frames } = await evaluated(
      'tracks',
      { tracks: [track(0, 3, 0), track(0, 3, 20)] },
      { tracks: [track(0, 1, 0), track(2, 3, 0), track(0, 2, 20)] },
    );
    expect(measures).toMatchObject({ IDSW: 1, MOTA: (7 - 1) / 8, MT: 1, PT: 1, ML: 0 });
    expect(measures['IDF1']).toBeCloseTo((2 * (2 + 3)) / (8 + 7), 9);
    expect(report.details[0]?.labels[1]).toEqual({ HOTA: -1, MOTA: -1, IDF1: -1, IDSW: 0 });
    expect(await frames({ show: 'switched' })).toEqual([2]);
    expect(await frames({ show: 'missed' })).toEqual([3]);
    const seen = await anna.good('compareEvaluationFrame', { params: { id: report.id, frame: 3 } });
    expect(seen.counts).toMatchObject({ hits: 1, missed: 1, extra: 0 });
  });
});
