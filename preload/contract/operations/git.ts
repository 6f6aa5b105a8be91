import type { z } from 'zod';
import { operation } from '../operation.ts';
import * as git from '../schema/git.ts';

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
  pull: operation.post(`${path}/pull`, 'Pull changes from the repository', {
    status: 200,
    body: git.gitPullWriteSchema,
    output: answers.pulled,
  }),
  push: operation.post(`${path}/push`, says.push, {
    status: 200,
    body: git.gitPushWriteSchema,
    output: answers.pushed,
  }),
  history: operation.get(`${path}/history`, 'Pushes, newest first', { output: git.gitHistorySchema }),
  restore: operation.post(`${path}/restore`, 'Restore annotations from a commit', {
    status: 200,
    body: git.gitRestoreWriteSchema,
    output: answers.restored,
  }),
});

const task = boundTo(
  '/api/limner/tasks/{id}/git',
  {
    get: 'Repository of a task, and the changes to push',
    bind: 'Bind a task to a folder of a repository',
    unbind: 'Unbind a task; the repository and annotations do not change',
    push: 'Push local changes',
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
    get: 'Repository of a project, and the changes to push',
    bind: 'Bind all tasks of a project to a repository',
    unbind: 'Unbind a project; annotations do not change',
    push: 'Push local changes as one commit',
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
  createSshKey: operation.post('/api/limner/ssh-keys', 'Create or import an SSH key', {
    body: git.sshKeyWriteSchema,
    output: git.sshKeySchema,
  }),
  deleteSshKey: operation.delete('/api/limner/ssh-keys/{id}', 'Delete an SSH key'),
  getGitHost: operation.get('/api/limner/git/hosts', 'Host keys of a server: confirmed and current', {
    query: git.gitHostQuerySchema,
    output: git.gitHostSchema,
  }),
  confirmGitHost: operation.post('/api/limner/git/hosts', 'Confirm the current host keys of a server', {
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
