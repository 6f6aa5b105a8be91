import type { z } from 'zod';
import type { Project, projectPatchSchema, projectWriteSchema } from '../../../preload/contract/schema/resources.ts';
import { listRows } from '../../db/list-rows.ts';
import type { Database } from '../../db/open.ts';
import type { Clock } from '../../platform/clock.ts';
import { notFound } from '../../platform/errors.ts';
import { requireAllowed } from '../../people/access/access-rules.ts';
import type { ActionOf } from '../../people/access/access-table.ts';
import type { Actor, Listing, ListRequest } from '../../people/access/actor.ts';
import type { WorkEvents } from '../../webhooks/events/work-events.ts';
import type { LabelService } from '../labels/label-service.ts';
import type { OrganizationMover } from './organization-mover.ts';
import type { People } from '../../people/users/people.ts';
import { organizationOf, visibleTo } from '../../people/access/scope.ts';
import { namedStorages } from '../storages/storage-repository.ts';
import type { TaskRemover } from '../tasks/task-remover.ts';
import type { WorkAccess } from '../work-access.ts';
import { presentProject } from './project-presenter.ts';
import { projectList, type ProjectChange, type ProjectRepository, type ProjectRow } from './project-repository.ts';

type Patch = z.output<typeof projectPatchSchema>;

const columns = {
  organization: 'project.organization_id',
  people: { owner: 'project.owner_id', assignee: 'project.assignee_id' },
};

const fieldActions: Readonly<Record<keyof Patch, ActionOf<'project'>>> = {
  name: 'update',
  labels: 'update',
  bug_tracker: 'update',
  source_storage: 'update',
  target_storage: 'update',
  owner_id: 'update:owner',
  assignee_id: 'update:assignee',
  organization_id: 'update:organization',
};

export function createProjectService(dependencies: {
  readonly database: Database;
  readonly projects: ProjectRepository;
  readonly labels: LabelService;
  readonly access: WorkAccess;
  readonly people: People;
  readonly mover: OrganizationMover;
  readonly remover: TaskRemover;
  readonly events: WorkEvents;
  readonly clock: Clock;
}) {
  const { database, projects, labels, access, people, mover, remover, events, clock } = dependencies;

  /** After a change: who made it may have given the project away. */
  function presentStored(actor: Actor, id: number): Project {
    const row = projects.get(id);
    if (!row) throw notFound();
    return presentProject(row, actor.baseUrl);
  }

  return {
    list(actor: Actor, request: ListRequest): Listing<Project> {
      const scope = visibleTo(actor, 'project', columns);
      const { count, results } = listRows<ProjectRow>(database, projectList, request, scope);
      return { count, results: results.map((row) => presentProject(row, actor.baseUrl)) };
    },
    get: (actor: Actor, id: number): Project => presentProject(access.project(actor, id), actor.baseUrl),
    create(actor: Actor, body: z.output<typeof projectWriteSchema>): Project {
      const facts = access.facts.place(actor, organizationOf(actor));
      requireAllowed(actor, 'project', 'create', facts);
      if (body.owner_id !== undefined && body.owner_id !== actor.userId) {
        requireAllowed(actor, 'project', 'update:owner', { ...facts, people: { owner: actor.userId } });
      }
      people.requireUser(actor, 'owner_id', body.owner_id);
      people.requireUser(actor, 'assignee_id', body.assignee_id);
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
          projects.keepStorages(created, namedStorages(body));
          labels.write({ kind: 'project', id: created }, body.labels, actor.userId);
          events.projectCreated(actor, created);
          return created;
        })
        .immediate();
      return presentStored(actor, id);
    },
    update(actor: Actor, id: number, body: Patch): Project {
      const fields = Object.keys(body) as (keyof Patch)[];
      const row = access.project(actor, id, 'view', ...fields.map((field) => fieldActions[field]));
      people.requireUser(actor, 'owner_id', body.owner_id);
      people.requireUser(actor, 'assignee_id', body.assignee_id);
      const { organization_id: target } = body;
      const isMove = target !== undefined && target !== row.organization_id;
      if (isMove) mover.requireTarget(actor, 'project', target);
      const change = () => {
        const now = clock();
        if (isMove) mover.moveProject(row, target, now);
        projects.update(id, projectChange(body, now), now);
        projects.keepStorages(id, namedStorages(body));
        if (body.labels) labels.write({ kind: 'project', id }, body.labels, actor.userId);
      };
      const watched = { projects: [id], tasksOf: isMove ? id : null };
      database.transaction(() => events.watch(actor, watched, change)).immediate();
      return presentStored(actor, id);
    },
    /** Deletes the project with its tasks; uploaded media go, media used in place stay where they are. */
    remove(actor: Actor, id: number): void {
      access.project(actor, id, 'view', 'delete');
      remover.removeProject(actor, id);
    },
  };
}

function projectChange(body: Patch, now: string): ProjectChange {
  return {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.bug_tracker === undefined ? {} : { bug_tracker: body.bug_tracker }),
    ...(body.owner_id === undefined ? {} : { owner_id: body.owner_id }),
    ...(body.assignee_id === undefined ? {} : { assignee_id: body.assignee_id, assignee_updated_date: now }),
  };
}
