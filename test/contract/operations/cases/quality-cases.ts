import type { qualityOperations } from '../../../../preload/contract/operations/quality.ts';
import type { CasesOf } from '../operation-case.ts';
import type { OperationWorld } from '../operation-world.ts';

async function settings({ boss, task }: OperationWorld): Promise<number> {
  const { results } = await boss.good('listQualitySettings', { query: { task_id: String(task.id) } });
  return results[0]?.id ?? 0;
}

let made = 0;
async function requirement(world: OperationWorld): Promise<number> {
  made += 1;
  const body = { settings_id: await settings(world), name: `requirement ${made}` };
  return (await world.boss.good('createQualityRequirement', { body })).id;
}
async function matrix({ boss, newQualityReport }: OperationWorld) {
  const { id } = await newQualityReport();
  const { summary } = await boss.good('getQualityReport', { params: { id } });
  const requirement = summary.requirements.items[0]?.requirement_id ?? 0;
  return { params: { id }, query: { requirement } };
}

const report = async ({ newQualityReport }: OperationWorld) => (await newQualityReport()).id;

export const qualityCases: CasesOf<typeof qualityOperations> = {
  listQualityReports: {
    good: async (world) => ({ query: { parent_id: `${await report(world)}` } }),
  },
  createQualityReport: {
    good: async ({ newQualityReport }) => ({ body: { task_id: (await newQualityReport()).taskId } }),

    bad: () => [
      [400, { body: {} }],
      [400, { body: { task_id: 1, project_id: 1 } }],
      [404, { body: { project_id: 987_654 } }],
      [404, { body: { task_id: 987_654 } }],
    ],
  },
  getQualityReport: { good: async (world) => ({ params: { id: await report(world) } }) },
  getQualityReportData: { good: async (world) => ({ params: { id: await report(world) } }) },
  listQualityConflicts: {
    good: async ({ newQualityReport }) => ({ query: { task_id: `${(await newQualityReport()).taskId}` } }),
  },
  listQualitySettings: { good: ({ task }) => ({ query: { task_id: String(task.id) } }) },
  getQualitySettings: { good: async (world) => ({ params: { id: await settings(world) } }) },
  updateQualitySettings: {
    good: async (world) => ({ params: { id: await settings(world) }, body: { iou_threshold: 0.5 } }),

    bad: () => [[400, { body: { iou_threshold: 2 } }]],
  },
  replaceQualitySettings: {
    good: async (world) => ({ params: { id: await settings(world) }, body: { iou_threshold: 0.5 } }),

    bad: () => [[400, { body: { iou_threshold: 2 } }]],
  },
  listQualityRequirements: { good: ({ task }) => ({ query: { task_id: String(task.id) } }) },
  createQualityRequirement: {
    good: async (world) => ({ body: { settings_id: await settings(world), name: 'created' } }),

    bad: () => [
      [400, { body: { settings_id: 1, name: '' } }],
      [404, { body: { settings_id: 987_654, name: 'nowhere' } }],
    ],
  },
  createQualityRequirements: {
    good: async (world) => ({
      body: { settings_id: await settings(world), requirements: [{ name: 'above', children: [{ name: 'below' }] }] },
    }),

    bad: () => [[404, { body: { settings_id: 987_654, requirements: [] } }]],
  },
  getQualityRequirement: { good: async (world) => ({ params: { id: await requirement(world) } }) },
  updateQualityRequirement: {
    good: async (world) => ({ params: { id: await requirement(world) }, body: { iou_threshold: 0.5 } }),

    bad: () => [[400, { body: { iou_threshold: 2 } }]],
  },
  replaceQualityRequirement: {
    good: async (world) => ({ params: { id: await requirement(world) }, body: { name: 'replaced' } }),

    bad: () => [[400, { body: { name: '' } }]],
  },
  deleteQualityRequirement: { good: async (world) => ({ params: { id: await requirement(world) } }) },
  getQualityRequirementMatrix: {
    good: matrix,

    bad: () => [[404, { query: { requirement: 987_654 } }]],
  },
};
