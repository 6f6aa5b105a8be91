import type { LabeledDataInput } from '../../../../preload/contract/schema/annotations.ts';
import type { annotationOperations } from '../../../../preload/contract/operations/work.ts';
import type { CasesOf } from '../operation-case.ts';
import type { OperationWorld } from '../operation-world.ts';

const data = ({ labelId }: OperationWorld, shape: object = {}): LabeledDataInput => ({
  shapes: [{ type: 'rectangle', frame: 0, label_id: labelId, points: [1, 2, 3, 4], ...shape }],
});
const idOf = {
  task: ({ task }: OperationWorld) => task.id,
  job: ({ jobs }: OperationWorld) => jobs[0]!.id,
};

const keyframe = { type: 'rectangle' as const, points: [1, 2, 3, 4] };
/** The second keyframe of a new track. */
async function keyframeOf(world: OperationWorld) {
  const shapes = [0, 1].map((frame) => ({ ...keyframe, frame }));
  const { tracks } = await world.boss.rest.changeAnnotations('jobs', idOf.job(world), 'create', {
    tracks: [{ frame: 0, label_id: world.labelId, shapes }],
  });
  return { id: idOf.job(world), track: tracks[0]!.id!, frame: 1 };
}

const badBodies = (world: OperationWorld) => [
  [400, { body: data(world, { points: [1, 2, 3] }) }] as const,
  [400, { body: data(world, { label_id: 987_654 }) }] as const,
  [400, { body: data(world, { frame: 99 }) }] as const,
  [400, { body: data(world, { attributes: [{ spec_id: 987_654, value: 'x' }] }) }] as const,
  [400, { raw: { shapes: 'all of them' } }] as const,
];

const badChanges = (world: OperationWorld) => [
  ...badBodies(world),
  [400, { query: {} }] as const,
  [400, { query: { action: 'paint' } }] as const,
  [400, { body: data(world, { id: 987_654 }) }] as const,
];

export const annotationCases: CasesOf<typeof annotationOperations> = {
  getTaskAnnotations: {
    good: (world) => ({ params: { id: idOf.task(world) }, query: { frame: '0' } }),

    bad: () => [[400, { query: { frame: 'first' } }]],
  },
  replaceTaskAnnotations: {
    good: (world) => ({ params: { id: idOf.task(world) }, body: data(world) }),

    bad: badBodies,
  },
  changeTaskAnnotations: {
    good: (world) => ({ params: { id: idOf.task(world) }, query: { action: 'create' }, body: data(world) }),

    bad: badChanges,
  },
  clearTaskAnnotations: { good: (world) => ({ params: { id: idOf.task(world) } }) },
  getJobAnnotations: {
    good: (world) => ({ params: { id: idOf.job(world) } }),

    bad: () => [[400, { query: { frame: '-1' } }]],
  },
  replaceJobAnnotations: {
    good: (world) => ({ params: { id: idOf.job(world) }, body: data(world) }),

    bad: (world) => [...badBodies(world), [400, { body: data(world, { frame: 3 }) }]],
  },
  changeJobAnnotations: {
    good: (world) => ({ params: { id: idOf.job(world) }, query: { action: 'create' }, body: data(world) }),

    bad: (world) => [...badChanges(world), [400, { body: data(world, { frame: 3 }) }]],
  },
  clearJobAnnotations: { good: (world) => ({ params: { id: idOf.job(world) } }) },
  listJobTracks: { good: (world) => ({ params: { id: idOf.job(world) } }) },
  putKeyframe: {
    good: async (world) => ({ params: await keyframeOf(world), body: keyframe }),
    bad: () => [
      [400, { body: { ...keyframe, points: [1, 2, 3] } }],
      [400, { raw: { type: 'blob' } }],
    ],
  },
  deleteKeyframe: { good: async (world) => ({ params: await keyframeOf(world) }) },
  listAnnotationChanges: {
    good: (world) => ({ query: { task_id: String(idOf.task(world)) } }),

    bad: (world) => [
      [400, { query: {} }],
      [400, { query: { task_id: 'all' } }],
      [400, { query: { task_id: String(idOf.task(world)), job_id: String(idOf.job(world)) } }],
      [404, { query: { job_id: '987654' } }],
      [404, { query: { project_id: '987654' } }],
    ],
  },
  undoAnnotationChange: {
    async good(world) {
      const params = { id: idOf.task(world) };
      await world.boss.good('replaceTaskAnnotations', { params, body: data(world) });
      const { results } = await world.boss.good('listAnnotationChanges', { query: { task_id: String(params.id) } });
      return { params: { id: results[0]!.id } };
    },
  },
};
