import type { exportOperations } from '../../../../preload/contract/operations/exports.ts';
import type { CasesOf } from '../operation-case.ts';

const body = { format: 'COCO 1.0', export_options: { split: { parts: [{ name: 'train', share: 1 }] } } };

export const exportCases: CasesOf<typeof exportOperations> = {
  previewProjectExport: {
    good: ({ project: { id } }) => ({ params: { id }, body }),

    bad: () => [[400, { body: { ...body, export_options: { frames: '0-1' } } }]],
  },
  previewTaskExport: {
    good: ({ task: { id } }) => ({ params: { id }, body }),

    bad: () => [
      [400, { body: { format: 'none' } }],
      [400, { body: { ...body, export_options: { unheard_of: true } as object } }],
      [400, { body: { ...body, export_options: { labels: [{ name: 'not there' }] } } }],
      [400, { body: { format: 'YOLO 1.1', export_options: { first_class_id: 1 } } }],
    ],
  },
  previewJobExport: {
    good: ({ jobs }) => ({ params: { id: jobs[0]!.id }, body }),

    bad: () => [[400, { body: { ...body, export_options: { frames: 'the first' } } }]],
  },
  previewProjectExportFrame: {
    good: ({ project: { id } }) => ({ params: { id }, body }),

    bad: () => [[400, { body: { ...body, place: 50 } }]],
  },
  previewTaskExportFrame: {
    good: ({ task: { id } }) => ({ params: { id }, body }),

    bad: () => [
      [400, { body: { format: 'none' } }],
      [400, { body: { ...body, export_options: { labels: [{ name: 'not there' }] } } }],
      [400, { body: { ...body, place: -1 } }],
    ],
  },
  previewJobExportFrame: {
    good: ({ jobs }) => ({ params: { id: jobs[0]!.id }, body: { ...body, options: {}, place: 0 } }),

    bad: () => [[400, { body: { ...body, export_options: { frames: 'the first' } } }]],
  },

  // These tasks consist of images, so extracting images is refused; `test/integration/frames` has videos.
  countTaskFrames: {
    good: ({ task: { id } }) => ({ params: { id }, body: { frames: '0-3:2', annotated: false } }),

    bad: () => [
      [400, { body: { frames: 'the first' } }],
      [400, { body: { frames: '0-900' } }],
      [400, { body: { every: 0 } }],
    ],
  },
  countJobFrames: {
    good: ({ jobs }) => ({ params: { id: jobs[1]!.id }, body: { frames: '2-' } }),

    bad: () => [[400, { body: { frames: '0-3' } }]],
  },
  createTaskFromFrames: {
    good: ({ task: { id } }) => ({ params: { id }, body: { name: 'stills', every: 2 } }),
    goodStatus: 400,

    bad: () => [
      [400, { body: { name: '' } }],
      [400, { body: { name: 'stills', image_format: 'png', image_quality: 50 } }],
    ],
  },
  exportFrames: {
    good: ({ task: { id } }) => ({ params: { id }, body: { frames: '0, 1' } }),
    goodStatus: 400,

    bad: () => [[400, { body: { image_quality: 101 } }]],
  },
};
