import type { z } from 'zod';
import { operation } from '../operation.ts';
import * as git from '../schema/git.ts';

/** Operations on the repository of a task or project. */
const boundTo = <
  Bound extends z.ZodType,
  Pulled extends z.ZodType,
  Pushed extends z.ZodType,
  Restored extends z.ZodType,
>(
  path: `/api/limner/${'tasks' | 'projects'}/{id}/git`,
  says: { readonly get: string; readonly bind: string; readonly unbind: string; readonly push: string },
  answers: { readonly bound: Bound; readonly pulled: Pulled; readonly pushed: Pushed; readonly restored: Restored },
) => ({
  get: operation.get(path, says.get, { output: answers.bound }),
  bind: operation.put(path, says.bind, { body: git.gitBindingWriteSchema, output: answers.bound }),
  unbind: operation.delete(path, says.unbind),
  pull: operation.post(`${path}/pull`, 'Bring what has changed in the repository', {
    status: 200,
    body: git.gitPullWriteSchema,
    output: answers.pulled,
  }),
  push: operation.post(`${path}/push`, says.push, {
    status: 200,
    body: git.gitPushWriteSchema,
    output: answers.pushed,
  }),
  history: operation.get(`${path}/history`, 'Who has pushed what, newest first', { output: git.gitHistorySchema }),
  restore: operation.post(`${path}/restore`, 'Bring annotations back to a past state', {
    status: 200,
    body: git.gitRestoreWriteSchema,
    output: answers.restored,
  }),
});

const task = boundTo(
  '/api/limner/tasks/{id}/git',
  {
    get: 'The repository that a task is bound to, and what it lacks',
    bind: 'Bind a task to a folder of a repository',
    unbind: 'Unbind a task; repository and annotations stay',
    push: 'Bring what has changed here to the repository',
  },
  {
    bound: git.gitTaskSchema,
    pulled: git.gitPulledSchema,
    pushed: git.gitPushedSchema,
    restored: git.gitRestoredSchema,
  },
);
const project = boundTo(
  '/api/limner/projects/{id}/git',
  {
    get: 'The repository of a project, and what it lacks',
    bind: 'Bind all tasks of a project to a repository',
    unbind: 'Unbind a project; all annotations stay',
    push: 'Bring what has changed here, as one commit',
  },
  {
    bound: git.gitProjectSchema,
    pulled: git.gitProjectPulledSchema,
    pushed: git.gitProjectPushedSchema,
    restored: git.gitProjectRestoredSchema,
  },
);

/** Limner extension: SSH keys, and annotations in remote Git repositories. */
export const gitOperations = {
  listSshKeys: operation.get('/api/limner/ssh-keys', 'Your SSH keys', { output: git.sshKeysSchema }),
  createSshKey: operation.post('/api/limner/ssh-keys', 'Make an SSH key, or import one', {
    body: git.sshKeyWriteSchema,
    output: git.sshKeySchema,
  }),
  deleteSshKey: operation.delete('/api/limner/ssh-keys/{id}', 'Delete an SSH key'),
  getGitHost: operation.get('/api/limner/git/hosts', 'The host keys of a server: confirmed, and shown now', {
    query: git.gitHostQuerySchema,
    output: git.gitHostSchema,
  }),
  confirmGitHost: operation.post('/api/limner/git/hosts', 'Confirm the host keys that a server shows', {
    status: 200,
    body: git.gitHostConfirmSchema,
    output: git.gitHostSchema,
  }),
  getTaskGit: task.get,
  bindTaskGit: task.bind,
  unbindTaskGit: task.unbind,
  pullTaskGit: task.pull,
  pushTaskGit: task.push,
  getTaskGitHistory: task.history,
  restoreTaskGit: task.restore,
  getProjectGit: project.get,
  bindProjectGit: project.bind,
  unbindProjectGit: project.unbind,
  pullProjectGit: project.pull,
  pushProjectGit: project.push,
  getProjectGitHistory: project.history,
  restoreProjectGit: project.restore,
} as const;
