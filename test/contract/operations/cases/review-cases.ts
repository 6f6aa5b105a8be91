import type { reviewOperations } from '../../../../preload/contract/operations/review.ts';
import type { CasesOf } from '../operation-case.ts';

export const reviewCases: CasesOf<typeof reviewOperations> = {
  listIssues: { good: ({ newIssue }) => newIssue().then(() => ({})), denied: 'sees less' },
  createIssue: {
    good: ({ jobs }) => ({ body: { job: jobs[0]!.id, frame: 0, position: [1, 2], message: 'look' } }),
    bad: ({ jobs: [job] }) => [
      [400, { body: { job: 987_654, frame: 0, position: [1, 2], message: 'look' } }],
      [400, { body: { job: job!.id, frame: 99, position: [1, 2], message: 'look' } }],
      [400, { body: { job: job!.id, frame: 0, position: [1, 2], message: '' } }],
    ],
  },
  getIssue: { good: async ({ newIssue }) => ({ params: { id: await newIssue() } }) },
  updateIssue: {
    good: async ({ newIssue }) => ({ params: { id: await newIssue() }, body: { resolved: true } }),
    bad: () => [
      [400, { raw: { resolved: 'perhaps' } }],
      [400, { body: { assignee: 987_654 } }],
    ],
  },
  deleteIssue: { good: async ({ newIssue }) => ({ params: { id: await newIssue() } }) },

  listComments: { good: ({ newComment }) => newComment().then(() => ({})), denied: 'sees less' },
  createComment: {
    good: async ({ newIssue }) => ({ body: { issue: await newIssue(), message: 'and this' } }),
    bad: () => [[400, { body: { issue: 987_654, message: 'about nothing' } }]],
  },
  getComment: { good: async ({ newComment }) => ({ params: { id: await newComment() } }) },
  updateComment: {
    good: async ({ newComment }) => ({ params: { id: await newComment() }, body: { message: 'changed' } }),
    bad: () => [[400, { body: { message: ' ' } }]],
  },
  deleteComment: { good: async ({ newComment }) => ({ params: { id: await newComment() } }) },

  createGuide: {
    good: async ({ newTask }) => ({ body: { task_id: (await newTask()).id, markdown: '# How' } }),
    bad: ({ task, project }) => [
      [400, { body: { markdown: 'of nothing' } }],
      [400, { body: { task_id: task.id, project_id: project.id } }],
      [400, { body: { task_id: 987_654 } }],
    ],
  },
  getGuide: { good: async ({ newGuide }) => ({ params: { id: await newGuide() } }) },
  updateGuide: {
    good: async ({ newGuide }) => ({ params: { id: await newGuide() }, body: { markdown: 'changed' } }),
    bad: () => [[400, { raw: { markdown: 7 } }]],
  },
  deleteGuide: { good: async ({ newGuide }) => ({ params: { id: await newGuide() } }) },
  deleteAsset: { good: async ({ newAsset }) => ({ params: { uuid: await newAsset() } }) },
};
