import type { frameOperations } from '../../../../preload/contract/operations/frames.ts';
import type { CasesOf } from '../operation-case.ts';

/** Here the tasks are of images, so making images of them is refused; `test/integration/frames` has videos. */
export const frameCases: CasesOf<typeof frameOperations> = {
  countTaskFrames: {
    good: ({ task: { id } }) => ({ params: { id }, body: { frames: '0-3:2', annotated: false } }),
    denied: 403,
    bad: () => [
      [400, { body: { frames: 'the first' } }],
      [400, { body: { frames: '0-900' } }],
      [400, { body: { every: 0 } }],
    ],
  },
  countJobFrames: {
    good: ({ jobs }) => ({ params: { id: jobs[1]!.id }, body: { frames: '2-' } }),
    denied: 403,
    bad: () => [[400, { body: { frames: '0-3' } }]],
  },
  makeTaskOfFrames: {
    good: ({ task: { id } }) => ({ params: { id }, body: { name: 'stills', every: 2 } }),
    goodStatus: 400,
    denied: 403,
    bad: () => [
      [400, { body: { name: '' } }],
      [400, { body: { name: 'stills', image_format: 'png', image_quality: 50 } }],
    ],
  },
  exportFrames: {
    good: ({ task: { id } }) => ({ params: { id }, body: { frames: '0, 1' } }),
    goodStatus: 400,
    denied: 403,
    bad: () => [[400, { body: { image_quality: 101 } }]],
  },
};
