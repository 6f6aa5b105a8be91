import type { z } from 'zod';
import type { Project, projectPatchSchema, projectWriteSchema } from '../../../preload/contract/schema/resources.ts';
import { listRows } from '../../db/list-rows.ts';
import type { Database } from '../../db/open.ts';
import type { Clock } from '../../platform/clock.ts';
import { requireOwner, requireUserGroup } from '../access-rules.ts';
import type { Actor, Listing, ListRequest } from '../actor.ts';
import type { LabelService } from '../labels/label-service.ts';
import type { People } from '../people.ts';
import { organizationOf, visibleTo } from '../scope.ts';
import type { TaskRemover } from '../tasks/task-remover.ts';
import type { WorkAccess } from '../work-access.ts';
import { presentProject } from './project-presenter.ts';
import { projectList, type ProjectChange, type ProjectRepository, type ProjectRow } from './project-repository.ts';

export type ProjectService = ReturnType<typeof createProjectService>;

export function createProjectService(dependencies: {
  readonly database: Database;
  readonly projects: ProjectRepository;
  readonly labels: LabelService;
  readonly access: WorkAccess;
  readonly people: People;
  readonly remover: TaskRemover;
  readonly clock: Clock;
}) {
  const { database, projects, labels, access, people, remover, clock } = dependencies;
  const present = (actor: Actor, id: number): Project => presentProject(access.project(actor, id), actor.baseUrl);

  return {
    list(actor: Actor, request: ListRequest): Listing<Project> {
      const scope = visibleTo(actor, 'project.organization_id', ['project.owner_id', 'project.assignee_id']);
      const { count, results } = listRows<ProjectRow>(database, projectList, request, scope);
      return { count, results: results.map((row) => presentProject(row, actor.baseUrl)) };
    },
    get: present,
    create(actor: Actor, body: z.output<typeof projectWriteSchema>): Project {
      requireUserGroup(actor);
      people.requireUser('owner_id', body.owner_id);
      people.requireUser('assignee_id', body.assignee_id);
      const id = database
        .transaction(() => {
          const created = projects.insert({
            name: body.name,
            owner_id: body.owner_id ?? actor.userId,
            assignee_id: body.assignee_id ?? null,
            bug_tracker: body.bug_tracker,
            organization_id: organizationOf(actor),
            date: clock(),
          });
          labels.write({ kind: 'project', id: created }, body.labels);
          return created;
        })
        .immediate();
      return present(actor, id);
    },
    update(actor: Actor, id: number, body: z.output<typeof projectPatchSchema>): Project {
      const row = access.project(actor, id);
      const own = { ownerId: row.owner_id, assigneeId: row.assignee_id };
      if (body.owner_id !== undefined || body.assignee_id !== undefined) requireOwner(actor, own);
      people.requireUser('owner_id', body.owner_id);
      people.requireUser('assignee_id', body.assignee_id);
      const now = clock();
      const change: ProjectChange = {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.bug_tracker === undefined ? {} : { bug_tracker: body.bug_tracker }),
        ...(body.owner_id === undefined ? {} : { owner_id: body.owner_id }),
        ...(body.organization_id === undefined ? {} : { organization_id: body.organization_id }),
        ...(body.assignee_id === undefined ? {} : { assignee_id: body.assignee_id, assignee_updated_date: now }),
      };
      database
        .transaction(() => {
          projects.update(id, change, now);
          if (body.labels) labels.write({ kind: 'project', id }, body.labels);
        })
        .immediate();
      return present(actor, id);
    },
    /** Deletes the project with its tasks; uploaded media go, media used in place stay where they are. */
    remove(actor: Actor, id: number): void {
      const row = access.project(actor, id);
      requireOwner(actor, { ownerId: row.owner_id, assigneeId: row.assignee_id });
      remover.removeProject(id);
    },
  };
}
