import type {
  jobOperations,
  labelOperations,
  projectOperations,
  requestOperations,
  taskOperations,
} from '../../../../preload/contract/operations/work.ts';
import type { CasesOf } from '../operation-case.ts';

export const projectCases: CasesOf<typeof projectOperations> = {
  listProjects: { good: () => ({}), denied: 'sees less' },
  createProject: {
    good: () => ({ body: { name: 'new', labels: [{ name: 'car' }] } }),
    denied: 'everybody',
    bad: () => [
      [400, { body: { name: '' } }],
      [400, { body: { name: 'x'.repeat(257) } }],
      [400, { body: { name: 'x', assignee_id: 987_654 } }],
      [400, { body: { name: 'x', labels: [{ name: 'twice' }, { name: 'twice' }] } }],
    ],
  },
  getProject: { good: ({ project: { id } }) => ({ params: { id } }), denied: 403 },
  updateProject: {
    good: ({ project: { id } }) => ({ params: { id }, body: { bug_tracker: 'https://example.org' } }),
    denied: 403,
    bad: () => [
      [400, { raw: { name: null } }],
      [404, { body: { labels: [{ id: 987_654, name: 'of nobody' }] } }],
    ],
  },
  deleteProject: { good: async ({ newProject }) => ({ params: { id: (await newProject()).id } }), denied: 403 },
  exportProjectBackup: { good: ({ project: { id } }) => ({ params: { id } }), denied: 403 },
  exportProjectDataset: {
    good: ({ project: { id } }) => ({ params: { id }, query: { format: 'COCO 1.0', save_images: 'True' } }),
    denied: 403,
    bad: () => [
      [400, { query: {} }],
      [400, { query: { format: 'No such format' } }],
    ],
  },
};

export const labelCases: CasesOf<typeof labelOperations> = {
  listLabels: { good: ({ project: { id } }) => ({ query: { project_id: String(id) } }), denied: 403 },
  getLabel: { good: ({ labelId: id }) => ({ params: { id } }), denied: 403 },
  updateLabel: {
    good: ({ labelId: id }) => ({ params: { id }, body: { name: 'car', color: '#00ff00' } }),
    denied: 403,
    bad: () => [
      [400, { body: { name: '' } }],
      [400, { body: { name: 'car', color: 'green' } }],
    ],
  },
  deleteLabel: {
    async good({ boss, newProject }) {
      const { results } = await boss.good('listLabels', { query: { project_id: String((await newProject()).id) } });
      return { params: { id: results[0]!.id } };
    },
    denied: 403,
  },
};

export const taskCases: CasesOf<typeof taskOperations> = {
  listTasks: { good: () => ({}), denied: 'sees less' },
  createTask: {
    good: ({ project }) => ({ body: { name: 'new', project_id: project.id } }),
    denied: 403,
    bad: () => [
      [400, { body: { name: 'new', project_id: 987_654 } }],
      [400, { body: { name: 'new', segment_size: -1 } }],
      [400, { raw: { name: 'new', labels: [{ name: 'x', type: 'blob' }] } }],
    ],
  },
  getTask: { good: ({ task: { id } }) => ({ params: { id } }), denied: 403 },
  updateTask: {
    good: ({ task: { id } }) => ({ params: { id }, body: { subset: 'train' } }),
    denied: 403,
    bad: () => [
      [400, { body: { subset: 'x'.repeat(65) } }],
      [400, { body: { assignee_id: 987_654 } }],
      [400, { body: { labels: [{ name: 'not of the project' }] } }],
    ],
  },
  deleteTask: { good: async ({ newTask }) => ({ params: { id: (await newTask()).id } }), denied: 403 },
  prepareTaskDataAgain: {
    good: async ({ boss }) => ({ params: { id: (await boss.good('createTask', { body: { name: 'empty' } })).id } }),
    // Nothing has failed there, and paths are for administrators; test/contract/work/task-data-again tries one again.
    goodStatus: 400,
    denied: 403,
  },
  listTaskJobs: { good: ({ task }) => ({ params: { id: task.id } }), denied: 403 },
  getTaskStatus: { good: ({ task: { id } }) => ({ params: { id } }), denied: 403 },
  getTaskValidationLayout: { good: ({ task: { id } }) => ({ params: { id } }), denied: 403 },
  updateTaskValidationLayout: {
    async good({ boss, newTask }) {
      const { id } = await newTask();
      await boss.good('createJob', {
        body: { type: 'ground_truth', task_id: id, frame_selection_method: 'manual', frames: [0, 1] },
      });
      return { params: { id }, body: { disabled_frames: [1] } };
    },
    denied: 403,
    bad: () => [
      [400, { body: { disabled_frames: [77] } }],
      [400, { raw: { disabled_frames: 'all' } }],
    ],
  },
  getTaskMeta: { good: ({ task: { id } }) => ({ params: { id } }), denied: 403 },
  updateTaskMeta: {
    good: ({ task: { id } }) => ({ params: { id }, body: { deleted_frames: [1] } }),
    denied: 403,
    bad: () => [
      [400, { body: { deleted_frames: [77] } }],
      [400, { raw: { deleted_frames: 1 } }],
    ],
  },
  exportTaskBackup: { good: ({ task: { id } }) => ({ params: { id }, query: { lightweight: 'False' } }), denied: 403 },
  exportTaskDataset: {
    good: ({ task: { id } }) => ({ params: { id }, query: { format: 'CVAT for images 1.1' } }),
    denied: 403,
    bad: () => [
      [400, { query: {} }],
      [400, { query: { format: 'No such format' } }],
    ],
  },
};

export const jobCases: CasesOf<typeof jobOperations> = {
  listJobs: { good: () => ({}), denied: 'sees less' },
  createJob: {
    good: async ({ newTask }) => ({
      body: {
        type: 'ground_truth',
        task_id: (await newTask()).id,
        frame_selection_method: 'manual',
        frames: [0],
      },
    }),
    denied: 403,
    bad: ({ task }) => [
      [400, { raw: { type: 'annotation', task_id: task.id } }],
      [400, { raw: { type: 'ground_truth', task_id: 987_654, frame_selection_method: 'manual', frames: [0] } }],
      [400, { raw: { type: 'ground_truth', task_id: task.id, frame_selection_method: 'manual', frames: [99] } }],
    ],
  },
  deleteJob: {
    async good({ boss, newTask }) {
      const { id } = await boss.good('createJob', {
        body: {
          type: 'ground_truth',
          task_id: (await newTask()).id,
          frame_selection_method: 'manual',
          frames: [0],
        },
      });
      return { params: { id } };
    },
    denied: 403,
    bad: ({ jobs }) => [[400, { params: { id: jobs[0]!.id } }]],
  },
  getJobValidationLayout: { good: ({ jobs }) => ({ params: { id: jobs[0]!.id } }), denied: 403 },
  updateJobValidationLayout: {
    good: ({ jobs }) => ({ params: { id: jobs[0]!.id }, body: { honeypot_real_frames: [0] } }),
    denied: 403,
    // Frames that are mixed into jobs are not made by Limner, so that there is none to change.
    goodStatus: 400,
    bad: () => [[400, { raw: { honeypot_real_frames: 'all' } }]],
  },
  getJob: { good: ({ jobs }) => ({ params: { id: jobs[0]!.id } }), denied: 403 },
  updateJob: {
    good: ({ jobs, boss }) => ({ params: { id: jobs[0]!.id }, body: { assignee: boss.id, state: 'in progress' } }),
    denied: 403,
    bad: () => [
      [400, { raw: { state: 'done' } }],
      [400, { raw: { stage: 'final' } }],
      [400, { body: { assignee: 987_654 } }],
    ],
  },
  getJobMeta: { good: ({ jobs }) => ({ params: { id: jobs[0]!.id } }), denied: 403 },
  updateJobMeta: {
    good: ({ jobs }) => ({ params: { id: jobs[0]!.id }, body: { deleted_frames: [] } }),
    denied: 403,
    bad: () => [[400, { body: { deleted_frames: [3] } }]],
  },
  exportJobDataset: {
    good: ({ jobs }) => ({ params: { id: jobs[0]!.id }, query: { format: 'COCO 1.0' } }),
    denied: 403,
    bad: () => [
      [400, { query: {} }],
      [400, { query: { format: 'No such format' } }],
    ],
  },
};

export const requestCases: CasesOf<typeof requestOperations> = {
  listRequests: {
    good: async ({ newRequest }) => {
      await newRequest();
      return { query: { status: 'finished' } };
    },
    denied: 'sees less',
  },
  getRequest: { good: async ({ newRequest }) => ({ params: { id: await newRequest() } }), denied: 403 },
  cancelRequest: {
    good: async ({ newRequest }) => ({ params: { id: await newRequest() } }),
    // What has finished cannot be cancelled; test/unit/core/requests cancels what waits and what runs.
    goodStatus: 400,
    denied: 403,
  },
  getRequestReport: { good: async ({ newRequest }) => ({ params: { id: await newRequest() } }), denied: 403 },
};
