import type { consensusOperations } from '../../../../preload/contract/operations/quality.ts';
import type { CasesOf } from '../operation-case.ts';
import type { OperationWorld } from '../operation-world.ts';

async function settings({ boss, task }: OperationWorld): Promise<number> {
  const { results } = await boss.good('listConsensusSettings', { query: { task_id: String(task.id) } });
  return results[0]?.id ?? 0;
}

const replicated = async ({ newReplicas }: OperationWorld) => (await newReplicas()).taskId;

export const consensusCases: CasesOf<typeof consensusOperations> = {
  createConsensusMerge: {
    good: async (world) => ({ body: { task_id: await replicated(world) } }),

    bad: ({ task, jobs }) => [
      [400, { body: {} }],
      [400, { body: { task_id: task.id } }],
      [400, { body: { task_id: task.id, job_id: jobs[0]?.id } }],
      [404, { body: { job_id: 987_654 } }],
    ],
  },
  listConsensusSettings: { good: ({ task }) => ({ query: { task_id: String(task.id) } }) },
  getConsensusSettings: { good: async (world) => ({ params: { id: await settings(world) } }) },
  updateConsensusSettings: {
    good: async (world) => ({ params: { id: await settings(world) }, body: { iou_threshold: 0.6, quorum: 0.7 } }),

    bad: () => [[400, { body: { quorum: 1.1 } }]],
  },
  getTaskAgreement: {
    good: async (world) => ({ params: { id: await replicated(world) } }),

    bad: ({ task }) => [[400, { params: { id: task.id } }]],
  },
  getTaskAgreementFile: {
    good: async (world) => ({ params: { id: await replicated(world) }, query: { format: 'csv' } }),

    // A format that the type does not allow.
    bad: () => [[400, { query: { format: 'xml' as 'csv' } }]],
  },
};
