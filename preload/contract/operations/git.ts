import { operation } from '../operation.ts';
import * as git from '../schema/git.ts';

/** Limner's own: SSH keys, and annotations in remote Git repositories. */
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
  getTaskGit: operation.get('/api/limner/tasks/{id}/git', 'The repository that a task is bound to, and what it lacks', {
    output: git.gitTaskSchema,
  }),
  bindTaskGit: operation.put('/api/limner/tasks/{id}/git', 'Bind a task to a folder of a repository', {
    body: git.gitBindingWriteSchema,
    output: git.gitTaskSchema,
  }),
  unbindTaskGit: operation.delete('/api/limner/tasks/{id}/git', 'Unbind a task; repository and annotations stay'),
  pullTaskGit: operation.post('/api/limner/tasks/{id}/git/pull', 'Bring what has changed in the repository', {
    status: 200,
    body: git.gitPullWriteSchema,
    output: git.gitPulledSchema,
  }),
  pushTaskGit: operation.post('/api/limner/tasks/{id}/git/push', 'Bring what has changed here to the repository', {
    status: 200,
    body: git.gitPushWriteSchema,
    output: git.gitPushedSchema,
  }),
  getTaskGitHistory: operation.get('/api/limner/tasks/{id}/git/history', 'Who has pushed what, newest first', {
    output: git.gitHistorySchema,
  }),
  restoreTaskGit: operation.post('/api/limner/tasks/{id}/git/restore', 'Bring annotations back to a past state', {
    status: 200,
    body: git.gitRestoreWriteSchema,
    output: git.gitRestoredSchema,
  }),
  getProjectGit: operation.get('/api/limner/projects/{id}/git', 'The repository of a project, and what it lacks', {
    output: git.gitProjectSchema,
  }),
  bindProjectGit: operation.put('/api/limner/projects/{id}/git', 'Bind all tasks of a project to a repository', {
    body: git.gitBindingWriteSchema,
    output: git.gitProjectSchema,
  }),
  unbindProjectGit: operation.delete('/api/limner/projects/{id}/git', 'Unbind a project; all annotations stay'),
  pullProjectGit: operation.post('/api/limner/projects/{id}/git/pull', 'Bring what has changed in the repository', {
    status: 200,
    body: git.gitPullWriteSchema,
    output: git.gitProjectPulledSchema,
  }),
  pushProjectGit: operation.post('/api/limner/projects/{id}/git/push', 'Bring what has changed here, as one commit', {
    status: 200,
    body: git.gitPushWriteSchema,
    output: git.gitProjectPushedSchema,
  }),
  getProjectGitHistory: operation.get('/api/limner/projects/{id}/git/history', 'Who has pushed what, newest first', {
    output: git.gitHistorySchema,
  }),
  restoreProjectGit: operation.post('/api/limner/projects/{id}/git/restore', 'Bring annotations back to a past state', {
    status: 200,
    body: git.gitRestoreWriteSchema,
    output: git.gitProjectRestoredSchema,
  }),
} as const;
