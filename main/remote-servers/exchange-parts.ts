import type { Store } from '../db/store.ts';
import type { State } from '../git-sync/merge.ts';
import type { Clock } from '../platform/clock.ts';
import type { Actor } from '../users/access/actor.ts';
import type { createIssueService } from '../work/issues/issue-service.ts';
import type { createJobService } from '../work/jobs/job-service.ts';
import type { createProjectService } from '../work/projects/project-service.ts';
import type { createTaskService } from '../work/tasks/task-service.ts';
import type { LocalReads } from './job-content.ts';
import type { Side } from './job-sides.ts';
import type { LinkRow, ObjectRow, RemoteRepository } from './remote-repository.ts';
import type { CvatServer } from './server-client.ts';

export interface LocalWrites {
  readonly issueService: ReturnType<typeof createIssueService>;
  readonly jobService: Pick<ReturnType<typeof createJobService>, 'update'>;
  readonly taskService: Pick<ReturnType<typeof createTaskService>, 'update' | 'create' | 'remove'>;
  readonly projectService: Pick<ReturnType<typeof createProjectService>, 'update' | 'create'>;
}

export interface ExchangeDependencies extends LocalReads, LocalWrites {
  readonly database: Store;
  readonly clock: Clock;
  readonly remotes: RemoteRepository;
}

export interface OpenLink {
  readonly actor: Actor;
  readonly link: LinkRow;
  readonly server: CvatServer;
}

/** Both ends, and the texts of the last exchange in the server's form. */
export interface Sides {
  readonly rows: readonly ObjectRow[];
  readonly here: Side;
  readonly there: Side;
  readonly base: State;
  readonly mine: State;
  readonly theirs: State;
}
