import type { BaseDependencies } from '../db/base-dependencies.ts';
import type { People } from '../users/accounts/people.ts';
import type { UserRepository } from '../users/accounts/user-repository.ts';
import type { WorkChanges } from './changes.ts';
import type { JobRepository } from './tables/job-repository.ts';
import type { LabelRepository } from './tables/label-repository.ts';
import type { ProjectRepository } from './tables/project-repository.ts';
import type { MediaRepository } from './tables/media-repository.ts';
import type { TaskRepository } from './tables/task-repository.ts';
import type { WorkAccess } from './work-access.ts';

/** Shared dependencies of services for projects, tasks and jobs, under the same names everywhere. */
export interface WorkServiceDependencies extends BaseDependencies {
  readonly access: WorkAccess;
  readonly users: UserRepository;
  readonly people: People;
  readonly projects: ProjectRepository;
  readonly tasks: TaskRepository;
  readonly jobs: JobRepository;
  readonly media: MediaRepository;
  readonly labelRows: LabelRepository;
  readonly changes: WorkChanges;
}
