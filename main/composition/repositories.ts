import type { Store } from '../db/store.ts';
import { createInvitationRepository } from '../users/organizations/invitation-repository.ts';
import { createMembershipRepository } from '../users/organizations/membership-repository.ts';
import { createOrganizationRepository } from '../users/organizations/organization-repository.ts';
import { createUserRepository } from '../users/accounts/user-repository.ts';
import { createAnnotationSetRepository } from '../work/annotations/annotation-set-repository.ts';
import { createIdempotencyRepository } from '../work/annotations/idempotency-repository.ts';
import { createStagedSaveRepository } from '../work/annotations/staged-save-repository.ts';
import { createIssueRepository } from '../work/issues/issue-repository.ts';
import { createJobRepository } from '../work/tables/job-repository.ts';
import { createLabelRepository } from '../work/tables/label-repository.ts';
import { createProjectRepository } from '../work/tables/project-repository.ts';
import { createMediaRepository } from '../work/tables/media-repository.ts';
import { createTaskRepository } from '../work/tables/task-repository.ts';

export type Repositories = ReturnType<typeof createRepositories>;

export function createRepositories(database: Store) {
  return {
    projects: createProjectRepository(database),
    tasks: createTaskRepository(database),
    jobs: createJobRepository(database),
    media: createMediaRepository(database),
    labelRows: createLabelRepository(database),
    sets: createAnnotationSetRepository(database),
    idempotency: createIdempotencyRepository(database),
    stagedSaves: createStagedSaveRepository(database),
    users: createUserRepository(database),
    organizations: createOrganizationRepository(database),
    memberships: createMembershipRepository(database),
    invitations: createInvitationRepository(database),
    issues: createIssueRepository(database),
  };
}
