import type {
  GitBinding,
  GitDifference,
  GitSkipped,
  GitPulled,
  GitPullWrite,
  GitPushed,
  GitPushWrite,
} from '../../preload/contract/schema/git.ts';
import { call } from './client.ts';

export interface GitOwner {
  readonly kind: 'task' | 'project';
  readonly id: number;
}
type WithSkipped<Answer> = Answer & { readonly skipped: readonly GitSkipped[] };

const nothingSkipped = { skipped: [] };
const of = ({ id }: GitOwner) => ({ params: { id } });

/** The same calls for tasks and projects; those of a project may skip some tasks. */
export const gitCalls = {
  bind: (owner: GitOwner, body: Pick<GitBinding, 'address' | 'branch' | 'folder' | 'format'>) =>
    owner.kind === 'task'
      ? call('bindTaskGit', { ...of(owner), body }).then((state) => ({ ...state, ...nothingSkipped }))
      : call('bindProjectGit', { ...of(owner), body }),
  unbind: (owner: GitOwner): Promise<unknown> =>
    owner.kind === 'task' ? call('unbindTaskGit', of(owner)) : call('unbindProjectGit', of(owner)),
  pull: async (owner: GitOwner, body: Partial<GitPullWrite>, signal: AbortSignal): Promise<WithSkipped<GitPulled>> =>
    owner.kind === 'task'
      ? { ...(await call('pullTaskGit', { ...of(owner), body, signal })), ...nothingSkipped }
      : call('pullProjectGit', { ...of(owner), body, signal }),
  push: async (owner: GitOwner, body: Partial<GitPushWrite>, signal: AbortSignal): Promise<WithSkipped<GitPushed>> =>
    owner.kind === 'task'
      ? { ...(await call('pushTaskGit', { ...of(owner), body, signal })), ...nothingSkipped }
      : call('pushProjectGit', { ...of(owner), body, signal }),
  restore: async (owner: GitOwner, commit: string): Promise<WithSkipped<{ readonly changed: GitDifference }>> =>
    owner.kind === 'task'
      ? { ...(await call('restoreTaskGit', { ...of(owner), body: { commit } })), ...nothingSkipped }
      : call('restoreProjectGit', { ...of(owner), body: { commit } }),
};
