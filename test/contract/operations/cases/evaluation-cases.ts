import type { evaluationOperations } from '../../../../preload/contract/operations/evaluations.ts';
import type { predictionOperations } from '../../../../preload/contract/operations/predictions.ts';
import type { CasesOf } from '../operation-case.ts';
import { makeImages } from '../../../support/images.ts';
import type { OperationWorld } from '../operation-world.ts';

async function newSet({ boss, task, labelId }: OperationWorld): Promise<number> {
  const { id } = await boss.good('createPredictionSet', { params: { id: task.id }, body: { name: 'detector' } });
  const shapes = [{ frame: 0, label_id: labelId, type: 'rectangle' as const, points: [1, 1, 9, 9], score: 0.5 }];
  await boss.good('addPredictions', { params: { id }, body: { shapes } });
  return id;
}

async function newOffer({ boss, task, labelId }: OperationWorld): Promise<number> {
  const { id } = await boss.good('createPredictionSet', {
    params: { id: task.id },
    body: { name: 'a program', offered: true },
  });
  const shapes = [{ frame: 0, label_id: labelId, type: 'rectangle' as const, points: [1, 1, 9, 9] }];
  await boss.good('addPredictions', { params: { id }, body: { shapes } });
  return id;
}

async function newReadySet(world: OperationWorld): Promise<number> {
  const id = await newSet(world);
  await world.boss.good('updatePredictionSet', { params: { id }, body: { state: 'ready' } });
  return id;
}

const bodyOf = async (world: OperationWorld) => ({
  name: 'how good',
  task_id: world.task.id,
  kind: 'bbox' as const,
  predictions: [await newReadySet(world)],
});

async function newEvaluation(world: OperationWorld): Promise<number> {
  const { id, rq_id: request } = await world.boss.good('createEvaluation', { body: await bodyOf(world) });
  await world.boss.rest.finished(request);
  return id;
}

async function newProjectWithSet(world: OperationWorld): Promise<number> {
  const project = await world.newProject();
  const images = await makeImages(1, { width: 48, height: 32 });
  const task = await world.boss.rest.taskWithImages({ name: 'of a project', project_id: project.id }, images);
  const [label] = await world.boss.rest.labels(task.id);
  await newReadySet({ ...world, task, labelId: label!.id });
  return project.id;
}

export const predictionCases: CasesOf<typeof predictionOperations> = {
  listPredictionSets: { good: ({ task }) => ({ params: { id: task.id } }) },
  createPredictionSet: {
    good: ({ task }) => ({ params: { id: task.id }, body: { name: 'a detector', detail: 'version 2' } }),
    bad: () => [[400, { body: { name: ' ' } }]],
  },
  takePredictionsOfTask: {
    good: async (world) => ({
      params: { id: world.task.id },
      body: { name: 'another', source_task_id: (await world.newTask()).id },
    }),
    bad: ({ task }) => [
      [400, { body: { name: 'itself', source_task_id: task.id } }],
      [404, { body: { name: 'none', source_task_id: 987_654 } }],
    ],
  },
  getPredictionSet: { good: async (world) => ({ params: { id: await newSet(world) } }) },
  updatePredictionSet: {
    good: async (world) => ({ params: { id: await newSet(world) }, body: { name: 'renamed', state: 'ready' } }),
    bad: () => [[400, { body: { state: 'filling' as 'ready' } }]],
  },
  addPredictions: {
    good: async (world) => ({
      params: { id: await newSet(world) },
      body: { tags: [{ frame: 1, label_id: world.labelId }] },
    }),
    bad: ({ labelId }) => [
      [400, { body: { tags: [{ frame: 99, label_id: labelId }] } }],
      [400, { body: { tags: [{ frame: 0, label_id: 987_654 }] } }],
    ],
  },
  exportPredictionSet: {
    good: async (world) => ({ params: { id: await newReadySet(world) }, body: { format: 'COCO 1.0' } }),
    bad: () => [[400, { body: { format: 'nothing' } }]],
  },
  listSuggestions: {
    good: async (world) => {
      await newOffer(world);
      return { params: { id: world.jobs[0]!.id }, query: { frame: 0 } };
    },
    bad: () => [[400, { query: { frame: -1 } }]],
  },
  decideSuggestions: {
    good: async (world) => {
      await newOffer(world);
      return { params: { id: world.jobs[0]!.id }, body: { shapes: [1], tags: [] } };
    },
    bad: () => [[400, { body: { shapes: [-1] } }]],
  },
  deletePredictionSet: { good: async (world) => ({ params: { id: await newSet(world) } }) },
};

export const evaluationCases: CasesOf<typeof evaluationOperations> = {
  listEvaluations: {
    good: async (world) => {
      await newEvaluation(world);
      return {};
    },
    denied: 'sees less',
    bad: () => [[404, { query: { task_id: 987_654 } }]],
  },
  createEvaluation: {
    good: async (world) => ({ body: await bodyOf(world) }),
    bad: ({ task }) => [
      [404, { body: { name: 'a', task_id: task.id, kind: 'bbox', predictions: [987_654] } }],
      [400, { body: { name: 'a', task_id: task.id, kind: 'bbox', predictions: [] } }],
      [400, { body: { name: 'a', task_id: task.id, kind: 'bbox', predictions: [1], labels: ['no such label'] } }],
    ],
  },
  listProjectPredictions: { good: async (world) => ({ params: { id: await newProjectWithSet(world) } }) },
  createProjectEvaluation: {
    good: async (world) => ({
      params: { id: await newProjectWithSet(world) },
      body: { name: 'all', predictions: ['detector'], kind: 'bbox' },
    }),
    bad: () => [
      [400, { body: { name: 'all', predictions: [], kind: 'bbox' } }],
      [400, { body: { name: 'all', predictions: ['nobody'], kind: 'bbox' } }],
      [400, { body: { name: 'all', predictions: ['detector', 'detector'], kind: 'bbox' } }],
      [400, { body: { name: 'all', predictions: ['detector'], kind: 'bbox', truth: 'ground_truth' } }],
      [400, { body: { name: 'all', predictions: ['detector'], kind: 'bbox', labels: ['no such label'] } }],
    ],
  },
  getEvaluation: { good: async (world) => ({ params: { id: await newEvaluation(world) } }) },
  deleteEvaluation: { good: async (world) => ({ params: { id: await newEvaluation(world) } }) },
  getEvaluationCounts: {
    good: async (world) => ({ params: { id: await newEvaluation(world) }, query: { iou: 0.75, score: 0.4 } }),
    bad: () => [[400, { query: { iou: 0 } }]],
  },
  listEvaluationFrames: {
    good: async (world) => ({ params: { id: await newEvaluation(world) }, query: { show: 'extra' } }),
    bad: () => [
      [400, { query: { show: 'nothing' as 'all' } }],
      [400, { query: { truth: 'no such label' } }],
      [404, { query: { model: 3 } }],
    ],
  },
  compareEvaluationFrame: {
    good: async (world) => ({ params: { id: await newEvaluation(world), frame: 0 } }),
    bad: () => [[404, { query: { model: 2 } }]],
  },
  getEvaluationFile: {
    good: async (world) => ({ params: { id: await newEvaluation(world) }, query: { format: 'html' } }),
    bad: () => [[400, { query: { format: 'pdf' as 'html' } }]],
  },
};
