import { beforeEach, describe, expect, test } from 'vitest';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { pictures, useWork } from './work-harness.ts';

const work = await useWork();
const attributes = [{ name: 'parked', mutable: true, input_type: 'checkbox', default_value: 'false', values: [] }];
const task = await work.owner.taskWithImages(
  { labels: [{ name: 'car', attributes }, { name: 'ship' }], segment_size: 5, overlap: 0 } as object,
  await pictures(10),
);
const [job, next] = await work.owner.jobs(task.id);
const labels = await work.owner.labels(task.id);
const [car, ship] = [labels.find(({ name }) => name === 'car')!, labels.find(({ name }) => name === 'ship')!];

const box = (left: number) => ({ type: 'rectangle', points: [left, 1, left + 4, 9] });
const keyframes = (...frames: number[]) => frames.map((frame) => ({ frame, ...box(frame) }));
const tracks = async (of = job!.id) =>
  (await work.owner.good<LabeledData>('GET', `/api/jobs/${of}/annotations/`)).tracks;
const track = async () => (await tracks())[0]!;
const framesOf = async () => (await track()).shapes.map(({ frame }) => frame);
let id = 0;
const path = (frame: number, { of = job!.id, trackId = id } = {}) =>
  `/api/limner/jobs/${of}/tracks/${trackId}/keyframes/${frame}`;
const put = (frame: number, json: object, headers: Record<string, string> = {}) =>
  work.owner.call('PUT', path(frame), { json, headers });
const remove = (frame: number, headers: Record<string, string> = {}) =>
  work.owner.call('DELETE', path(frame), { headers });

beforeEach(async () => {
  await work.owner.good('PUT', `/api/jobs/${job!.id}/annotations/`, {
    json: { tracks: [{ frame: 1, label_id: car.id, shapes: keyframes(1, 3) }] },
  });
  id = (await track()).id!;
});

describe('one keyframe of a track', () => {
  test('is created, replaced and deleted; the others and the id of the track remain', async () => {
    const [kept] = (await track()).shapes;
    const created = await put(2, { ...box(30), attributes: [{ spec_id: car.attributes[0]!.id, value: 'true' }] });
    expect(created).toMatchObject({ status: 200, body: { frame: 2, ...box(30), outside: false } });
    expect(await framesOf()).toEqual([1, 2, 3]);
    await put(2, { ...box(40), outside: true, occluded: true });
    const changed = await track();
    expect(changed.id).toBe(id);
    expect(changed.shapes[0]).toEqual(kept);
    expect(changed.shapes[1]).toMatchObject({ frame: 2, ...box(40), outside: true, occluded: true });
    expect(await remove(2)).toMatchObject({ status: 204 });
    expect(await framesOf()).toEqual([1, 3]);
  });

  test('before the first one moves the start of the track, and so does deleting the first one', async () => {
    await put(0, box(5));
    expect(await track()).toMatchObject({ frame: 0 });
    await remove(0);
    await remove(1);
    expect(await track()).toMatchObject({ frame: 3 });
  });

  test('that is the last one is not deleted, because a track needs one', async () => {
    await remove(1);
    const { status, body } = await remove(3);
    expect({ status, body: JSON.stringify(body) }).toMatchObject({ status: 400 });
    expect(JSON.stringify(body)).toContain('Delete the track');
    expect(await framesOf()).toEqual([3]);
  });

  test.each([
    ['a frame outside the job', 7, {}, 404],
    ['points that do not fit the type', 2, { points: [1, 2, 3] }, 400],
    ['an attribute of another label', 2, { attributes: [{ spec_id: 987_654, value: 'x' }] }, 400],
    ['a mask that is not one', 2, { type: 'mask', points: [1, 2] }, 400],
  ])('is refused with %s', async (_, frame, wrong, status) => {
    expect(await put(frame, { ...box(1), ...wrong })).toMatchObject({ status });
    expect(await framesOf()).toEqual([1, 3]);
  });

  test('is not found in another job, on a frame without one, or after the track was deleted', async () => {
    expect(await work.owner.call('PUT', path(6, { of: next!.id }), { json: box(1) })).toMatchObject({ status: 404 });
    expect(await remove(2)).toMatchObject({ status: 404 });
    await work.owner.good('DELETE', `/api/jobs/${job!.id}/annotations/`);
    expect(await put(2, box(1))).toMatchObject({ status: 404 });
    expect(await remove(1)).toMatchObject({ status: 404 });
  });

  test('is saved once for one idempotency key', async () => {
    const key = { 'Idempotency-Key': `once ${id}` };
    const { body: answer } = await put(2, box(30), key);
    await put(2, box(50));
    expect((await put(2, box(30), key)).body).toEqual(answer);
    expect((await track()).shapes[1]).toMatchObject(box(50));
    expect(await remove(2, key)).toMatchObject({ status: 204 });
    expect(await remove(2, key)).toMatchObject({ status: 204 });
  });

  test('of a skeleton is refused in words, because each of its points has keyframes', async () => {
    const skeletons = await work.owner.taskWithImages(
      {
        labels: [
          {
            name: 'person',
            type: 'skeleton',
            sublabels: [{ name: 'head', type: 'points' }],
            svg: '<circle r="1.5" cx="50" cy="50" data-type="element node" data-element-id="1" data-node-id="1" data-label-name="head"/>',
          },
        ],
      } as object,
      await pictures(3),
    );
    const [its] = await work.owner.jobs(skeletons.id);
    const [person] = await work.owner.labels(skeletons.id);
    const data = await work.owner.good<LabeledData>('PUT', `/api/jobs/${its!.id}/annotations/`, {
      json: {
        tracks: [
          {
            frame: 0,
            label_id: person!.id,
            shapes: [{ frame: 0, type: 'skeleton' }],
            elements: [
              { frame: 0, label_id: person!.sublabels[0]!.id, shapes: [{ frame: 0, type: 'points', points: [4, 5] }] },
            ],
          },
        ],
      },
    });
    const at = path(1, { of: its!.id, trackId: data.tracks[0]!.id! });
    const { status, body } = await work.owner.call('PUT', at, { json: { type: 'skeleton' } });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('skeleton');
  });

  test('is refused if the version that the window has seen is unknown', async () => {
    const stale = { 'X-Limner-Window': 'mine', 'X-Limner-Seen': 'unknown-0' };
    expect(await put(2, box(30), stale)).toMatchObject({ status: 409 });
    expect(await framesOf()).toEqual([1, 3]);
  });

  test('of one piece makes the pieces of a cut track independent', async () => {
    await work.owner.good('PUT', `/api/tasks/${task.id}/annotations/`, {
      json: { tracks: [{ frame: 0, label_id: ship.id, shapes: keyframes(0, 9) }] },
    });
    const whole = async () => (await work.owner.good<LabeledData>('GET', `/api/tasks/${task.id}/annotations/`)).tracks;
    id = (await track()).id!;
    await put(2, box(30));
    const [merged] = await whole();
    expect(merged!.shapes.find(({ frame }) => frame === 2)).toMatchObject(box(30));
  });
});

describe('tracks of some frames of a job', () => {
  const window = async (query: object) =>
    (
      await work.owner.good<{ tracks: LabeledData['tracks'] }>('GET', `/api/limner/jobs/${job!.id}/tracks`, {
        query: query as Record<string, number>,
      })
    ).tracks.map(({ shapes }) => shapes.map(({ frame }) => frame));

  test('have the keyframes that these frames need', async () => {
    await work.owner.good('PUT', `/api/jobs/${job!.id}/annotations/`, {
      json: {
        tracks: [
          { frame: 0, label_id: car.id, shapes: keyframes(0, 1, 3, 4) },
          { frame: 4, label_id: car.id, shapes: keyframes(4) },
          { frame: 0, label_id: car.id, shapes: keyframes(0) },
        ],
      },
    });
    expect(await window({})).toEqual([[0, 1, 3, 4], [4], [0]]);
    expect(await window({ frame: 2, to_frame: 2 })).toEqual([[1, 3], [0]]);
    expect(await window({ frame: 1, to_frame: 1 })).toEqual([[1], [0]]);
    expect(await window({ frame: 3 })).toEqual([[3, 4], [4], [0]]);
    expect(await window({ to_frame: 0 })).toEqual([[0], [0]]);
  });
});
