import { describe, expect, test } from 'vitest';
import type { FrameMatches } from '../../../preload/contract/schema/finding.ts';
import { colouredCar, pictures, useWork } from './work-harness.ts';

const work = await useWork();

const task = await work.owner.taskWithImages({ labels: [colouredCar, { name: 'day' }] }, await pictures(10));
const [job] = await work.jobsOf(task.id);
const [car, day] = await work.labelsOf({ task_id: task.id });
const spec = (name: string): number => car?.attributes.find((attribute) => attribute.name === name)?.id ?? 0;

const box = (frame: number, width: number, more: object = {}) => ({
  type: 'rectangle',
  frame,
  label_id: car?.id,
  points: [0, 0, width, 10],
  ...more,
});
const red = [{ spec_id: spec('colour'), value: 'red' }];
const moving = (value: boolean) => [{ spec_id: spec('moving'), value: String(value) }];
await work.owner.good('PUT', `/api/jobs/${job?.id}/annotations/`, {
  json: {
    shapes: [box(1, 20), box(1, 60, { attributes: red }), box(6, 20, { score: 0.2 }), box(9, 20)],
    tags: [{ frame: 3, label_id: day?.id }],
    tracks: [
      {
        frame: 2,
        label_id: car?.id,
        shapes: [
          box(2, 10, { attributes: moving(false) }),
          box(4, 30, { attributes: moving(true) }),
          box(7, 30, { outside: true }),
        ],
      },
    ],
  },
});
await work.owner.good('PATCH', `/api/jobs/${job?.id}/data/meta`, { json: { deleted_frames: [5, 9] } });

const search = (filter?: object | null) =>
  work.owner.good<FrameMatches>('POST', `/api/limner/jobs/${job?.id}/frames/search`, { json: { filter } });
const frames = async (filter: object) => (await search(filter)).frames;

describe('frames with matching objects', () => {
  test('includes all objects without a filter and tracks on every visible frame, and skips deleted frames', async () => {
    expect(await search(null)).toEqual({ frames: [1, 2, 3, 4, 6], counts: [2, 1, 2, 1, 2], total: 8 });
    expect(await search()).toEqual(await search(null));
  });

  test.each([
    ['a type', { '==': [{ var: 'type' }, 'track'] }, [2, 3, 4, 6]],
    ['a label of tags', { '==': [{ var: 'label' }, 'day'] }, [3]],
    ['a size, of tracks between their keyframes too', { '<=': [20, { var: 'width' }, 30] }, [1, 3, 4, 6]],
    ['a score, which tracks have not', { '<': [{ var: 'score' }, 0.5] }, [6]],
    ['an attribute', { '==': [{ var: 'attr.car.colour' }, 'red'] }, [1]],
    ['an attribute by its default', { '!': { '==': [{ var: 'attr.car.colour' }, 'red'] } }, [1, 2, 3, 4, 6]],
    ['an attribute that changes along a track', { var: 'attr.car.moving' }, [4, 6]],
    ['a frame', { '>': [{ var: 'frame' }, 3] }, [4, 6]],
    ['nothing that is there', { '==': [{ var: 'label' }, 'bus'] }, []],
  ])('matches %s', async (_what, filter, expected) => {
    expect(await frames(filter)).toEqual(expected);
  });

  test('refuses an invalid filter with a sentence', async () => {
    const { status, body } = await work.owner.call('POST', `/api/limner/jobs/${job?.id}/frames/search`, {
      json: { filter: { '==': [{ var: 'attr.bus.colour' }, 'red'] } },
    });
    expect({ status, body }).toEqual({
      status: 400,
      body: { filter: ['Unknown field "attr.bus.colour".'] },
    });
  });
});
