import type { qualityOperations } from '../../../../preload/contract/operations/quality.ts';
import type { CasesOf } from '../operation-case.ts';
import type { OperationWorld } from '../operation-world.ts';

async function settings({ boss, task }: OperationWorld): Promise<number> {
  const { results } = await boss.good('listQualitySettings', { query: { task_id: String(task.id) } });
  return results[0]?.id ?? 0;
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
};
