import type { gitOperations } from '../../../preload/contract/operations/git.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';

export function createGitHandlers({ sshKeys, git }: Pick<Core, 'sshKeys' | 'git'>): HandlersOf<typeof gitOperations> {
  return {
    listSshKeys: ({ actor }) => ({ results: sshKeys.list(actor) }),
    createSshKey: ({ actor, request, body }) => sshKeys.create(actor, request.identity.credentials, body),
    deleteSshKey: ({ actor, request, params }) => sshKeys.remove(actor, request.identity.credentials, params.id),
    getGitHost: ({ request, query }) => git.host(query.address, request.signal),
    confirmGitHost: ({ actor, request, body }) =>
      git.confirmHost(actor, body.address, body.fingerprint, request.signal),
    getTaskGit: ({ actor, params }) => git.get(actor, params.id),
    bindTaskGit: ({ actor, params, body }) => git.bind(actor, params.id, body),
    unbindTaskGit: ({ actor, params }) => git.unbind(actor, params.id),
    pullTaskGit: ({ actor, request, params, body }) => git.pull(actor, params.id, body, request.signal),
    pushTaskGit: ({ actor, request, params, body }) => git.push(actor, params.id, body, request.signal),
    getTaskGitHistory: async ({ actor, params }) => ({ results: await git.history(actor, params.id) }),
    restoreTaskGit: async ({ actor, params, body }) => ({ changed: await git.restore(actor, params.id, body.commit) }),
    getProjectGit: ({ actor, params }) => git.projects.get(actor, params.id),
    bindProjectGit: ({ actor, params, body }) => git.projects.bind(actor, params.id, body),
    unbindProjectGit: ({ actor, params }) => git.projects.unbind(actor, params.id),
    pullProjectGit: ({ actor, request, params, body }) => git.projects.pull(actor, params.id, body, request.signal),
    pushProjectGit: ({ actor, request, params, body }) => git.projects.push(actor, params.id, body, request.signal),
    getProjectGitHistory: async ({ actor, params }) => ({ results: await git.projects.history(actor, params.id) }),
    restoreProjectGit: ({ actor, params, body }) => git.projects.restore(actor, params.id, body.commit),
  };
}
