import type {
  jobOperations,
  labelOperations,
  projectOperations,
  requestOperations,
  taskOperations,
} from '../../../../preload/contract/operations/work.ts';
import type { CasesOf } from '../operation-case.ts';
import { groundTruth } from '../operation-world.ts';

const noFormat = (): [number, { query: object }][] => [
  [400, { query: {} }],
  [400, { query: { format: 'No such format' } }],
];

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
  getProject: { good: ({ project: { id } }) => ({ params: { id } }) },
  updateProject: {
    good: ({ project: { id } }) => ({ params: { id }, body: { bug_tracker: 'https://example.org' } }),
    bad: () => [
      [400, { raw: { name: null } }],
      [404, { body: { labels: [{ id: 987_654, name: 'of nobody' }] } }],
    ],
  },
  deleteProject: { good: async ({ newProject }) => ({ params: { id: (await newProject()).id } }) },
  exportProjectBackup: { good: ({ project: { id } }) => ({ params: { id } }) },
  exportProjectDataset: {
    good: ({ project: { id } }) => ({ params: { id }, query: { format: 'COCO 1.0', save_images: 'True' } }),
    bad: noFormat,
  },
};

export const labelCases: CasesOf<typeof labelOperations> = {
  listLabels: { good: ({ project: { id } }) => ({ query: { project_id: String(id) } }) },
  getLabel: { good: ({ labelId: id }) => ({ params: { id } }) },
  updateLabel: {
    good: ({ labelId: id }) => ({ params: { id }, body: { name: 'car', color: '#00ff00' } }),
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
  },
};

export const taskCases: CasesOf<typeof taskOperations> = {
  listTasks: { good: () => ({}), denied: 'sees less' },
  createTask: {
    good: ({ project }) => ({ body: { name: 'new', project_id: project.id } }),
    bad: () => [
      [400, { body: { name: 'new', project_id: 987_654 } }],
      [400, { body: { name: 'new', segment_size: -1 } }],
      [400, { raw: { name: 'new', labels: [{ name: 'x', type: 'blob' }] } }],
    ],
  },
  getTask: { good: ({ task: { id } }) => ({ params: { id } }) },
  updateTask: {
    good: ({ task: { id } }) => ({ params: { id }, body: { subset: 'train' } }),
    bad: () => [
      [400, { body: { subset: 'x'.repeat(65) } }],
      [400, { body: { assignee_id: 987_654 } }],
      [400, { body: { labels: [{ name: 'not of the project' }] } }],
    ],
  },
  deleteTask: { good: async ({ newTask }) => ({ params: { id: (await newTask()).id } }) },
  prepareTaskDataAgain: {
    good: async ({ boss }) => ({ params: { id: (await boss.good('createTask', { body: { name: 'empty' } })).id } }),
    // No task has failed, and paths are for administrators; test/contract/work/task-data-again covers a retry.
    goodStatus: 400,
  },
  openTaskByNames: {
    good: async ({ boss }) => ({
      params: { id: (await boss.good('createTask', { body: { name: 'by names' } })).id },
      body: { names: ['a.jpg'] },
    }),

    bad: () => [
      [400, { body: { names: [] } }],
      [400, { body: { names: ['notes.txt'] } }],
    ],
  },
  listUnsentImages: {
    good: ({ task: { id } }) => ({ params: { id } }),
    bad: () => [[400, { query: { from: -1 } }]],
  },
  removeUnsentImages: { good: ({ task: { id } }) => ({ params: { id } }) },
  getWatchedFolder: { good: ({ task: { id } }) => ({ params: { id } }) },
  setWatchedFolder: {
    good: ({ task: { id } }) => ({ params: { id }, body: { path: '/nowhere' } }),
    // Paths are for administrators; test/contract/work/watched-folder covers them.
    goodStatus: 403,

    bad: () => [[400, { body: { path: '' } }]],
  },
  deleteWatchedFolder: { good: ({ task: { id } }) => ({ params: { id } }) },
  removeTaskFrames: {
    good: ({ task }) => ({ params: { id: task.id }, body: { frames: [0], preview: true } }),

    bad: () => [
      [400, { body: { frames: [] } }],
      [400, { body: { frames: [900] } }],
      [400, { body: { frames: [-1] } }],
    ],
  },
  listTaskJobs: { good: ({ task }) => ({ params: { id: task.id } }) },
  getTaskStatus: { good: ({ task: { id } }) => ({ params: { id } }) },
  getTaskValidationLayout: { good: ({ task: { id } }) => ({ params: { id } }) },
  updateTaskValidationLayout: {
    async good({ boss, newTask }) {
      const { id } = await newTask();
      await boss.good('createJob', { body: groundTruth(id, [0, 1]) });
      return { params: { id }, body: { disabled_frames: [1] } };
    },
    bad: () => [
      [400, { body: { disabled_frames: [77] } }],
      [400, { raw: { disabled_frames: 'all' } }],
    ],
  },
  getTaskMeta: { good: ({ task: { id } }) => ({ params: { id } }) },
  updateTaskMeta: {
    good: ({ task: { id } }) => ({ params: { id }, body: { deleted_frames: [1] } }),
    bad: () => [
      [400, { body: { deleted_frames: [77] } }],
      [400, { raw: { deleted_frames: 1 } }],
    ],
  },
  listChangedFrames: { good: ({ task: { id } }) => ({ params: { id } }) },
  exportTaskBackup: { good: ({ task: { id } }) => ({ params: { id }, query: { lightweight: 'False' } }) },
  exportTaskDataset: {
    good: ({ task: { id } }) => ({ params: { id }, query: { format: 'CVAT for images 1.1' } }),
    bad: noFormat,
  },
};

export const jobCases: CasesOf<typeof jobOperations> = {
  listJobs: { good: () => ({}), denied: 'sees less' },
  createJob: {
    good: async ({ newTask }) => ({ body: groundTruth((await newTask()).id) }),
    bad: ({ task }) => [
      [400, { raw: { type: 'annotation', task_id: task.id } }],
      [400, { raw: groundTruth(987_654) }],
      [400, { raw: groundTruth(task.id, [99]) }],
    ],
  },
  deleteJob: {
    async good({ boss, newTask }) {
      const { id } = await boss.good('createJob', { body: groundTruth((await newTask()).id) });
      return { params: { id } };
    },
    bad: ({ jobs }) => [[400, { params: { id: jobs[0]!.id } }]],
  },
  getTextPrompts: { good: ({ jobs }) => ({ params: { id: jobs[0]!.id } }) },
  updateTextPrompts: {
    good: ({ jobs }) => ({ params: { id: jobs[0]!.id }, body: { prompts: ['helmet'] } }),
    bad: () => [[400, { raw: { prompts: 'helmet' } }]],
  },
  getJobValidationLayout: { good: ({ jobs }) => ({ params: { id: jobs[0]!.id } }) },
  updateJobValidationLayout: {
    good: ({ jobs }) => ({ params: { id: jobs[0]!.id }, body: { honeypot_real_frames: [0] } }),
    goodStatus: 400,
    bad: () => [[400, { raw: { honeypot_real_frames: 'all' } }]],
  },
  getJob: { good: ({ jobs }) => ({ params: { id: jobs[0]!.id } }) },
  updateJob: {
    good: ({ jobs, boss }) => ({ params: { id: jobs[0]!.id }, body: { assignee: boss.id, state: 'in progress' } }),
    bad: () => [
      [400, { raw: { state: 'done' } }],
      [400, { raw: { stage: 'final' } }],
      [400, { body: { assignee: 987_654 } }],
    ],
  },
  getJobMeta: { good: ({ jobs }) => ({ params: { id: jobs[0]!.id } }) },
  updateJobMeta: {
    good: ({ jobs }) => ({ params: { id: jobs[0]!.id }, body: { deleted_frames: [] } }),
    bad: () => [[400, { body: { deleted_frames: [3] } }]],
  },
  listJobFrames: {
    good: ({ jobs }) => ({ params: { id: jobs[0]!.id }, query: { frame: 1, count: 1 } }),
    bad: () => [[400, { query: { count: 0 } }]],
  },
  getReadingProgress: { good: ({ jobs }) => ({ params: { id: jobs[0]!.id } }) },
  getJobFrame: {
    good: ({ jobs }) => ({ params: { id: jobs[0]!.id, frame: 0 } }),
    bad: ({ jobs }) => [[404, { params: { id: jobs[0]!.id, frame: 3 } }]],
  },
  updateJobFrame: {
    good: ({ jobs }) => ({ params: { id: jobs[0]!.id, frame: 0 }, body: { deleted: false } }),
    bad: ({ jobs }) => [
      [404, { params: { id: jobs[0]!.id, frame: 3 } }],
      [400, { raw: { deleted: 'maybe' } }],
    ],
  },
  exportJobDataset: {
    good: ({ jobs }) => ({ params: { id: jobs[0]!.id }, query: { format: 'COCO 1.0' } }),
    bad: noFormat,
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
  getRequest: { good: async ({ newRequest }) => ({ params: { id: await newRequest() } }) },
  cancelRequest: {
    good: async ({ newRequest }) => ({ params: { id: await newRequest() } }),
    // A finished request cannot be cancelled; test/unit/core/requests cancels pending and running ones.
    goodStatus: 400,
  },
  getRequestReport: { good: async ({ newRequest }) => ({ params: { id: await newRequest() } }) },
};
