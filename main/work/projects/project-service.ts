import type { z } from 'zod';
import type { Project, projectPatchSchema, projectWriteSchema } from '../../../preload/contract/schema/resources.ts';
import { valuesFor } from '../../db/columns.ts';
import { listRows } from '../../db/list-rows.ts';
import { orNotFound } from '../../platform/errors.ts';
import { requireAllowed } from '../../users/access/access-rules.ts';
import type { ActionOf } from '../../users/access/access-table.ts';
import type { Actor, Listing, ListRequest } from '../../users/access/actor.ts';
import type { LabelService } from '../labels/label-service.ts';
import type { OrganizationMover } from '../tasks/organization-mover.ts';
import { organizationOf, visibleTo } from '../../users/access/scope.ts';
import { assigneeChange } from '../tables/rows.ts';
import type { CloudStorageService } from '../../buckets/cloud-storage-service.ts';
import { namedStorages } from '../tables/storage-repository.ts';
import type { TaskRemover } from '../tasks/task-remover.ts';
import { presentProject } from './project-presenter.ts';
import {
  projectColumns,
  projectList,
  projectScope,
  type ProjectChange,
  type ProjectRow,
} from '../tables/project-table.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';

type Patch = z.output<typeof projectPatchSchema>;

/** Fields that need a stronger right than 'update'. */
const fieldActions: Readonly<Partial<Record<keyof Patch, ActionOf<'project'>>>> = {
  owner_id: 'update:owner',
  assignee_id: 'update:assignee',
  organization_id: 'update:organization',
  target_storage: 'update:storages',
  source_storage: 'update:storages',
};

export function createProjectService(
  dependencies: Pick<WorkServiceDependencies, 'database' | 'projects' | 'access' | 'people' | 'changes' | 'clock'> & {
    readonly labels: LabelService;
    readonly cloudStorages: Pick<CloudStorageService, 'requireFor'>;
    readonly mover: OrganizationMover;
    readonly remover: TaskRemover;
  },
) {
  const { database, projects, cloudStorages, labels, access, people, mover, remover, changes, clock } = dependencies;

  /** Skips the access check: after a change, the user may have given the project away. */
  const presentStored = (actor: Actor, id: number): Project =>
    presentProject(orNotFound(projects.get(id)), actor.baseUrl);

  function update(actor: Actor, id: number, body: Patch): Project {
    const fields = Object.keys(body) as (keyof Patch)[];
    const row = access.project(actor, id, 'view', ...fields.map((field) => fieldActions[field] ?? 'update'));
    people.requireUser(actor, 'owner_id', body.owner_id);
    people.requireUser(actor, 'assignee_id', body.assignee_id);
    const storages = namedStorages(body, cloudStorages.requireFor(actor));
    const { organization_id: target } = body;
    const isMove = target !== undefined && target !== row.organization_id;
    if (isMove) mover.requireTarget(actor, 'project', target);
    const moved = isMove ? mover.movedWith.project(row) : { tasks: [], jobs: [] };
    return changes.run(actor, { tasks: moved.tasks, projects: [id], jobs: moved.jobs }, () => {
      const now = clock();
      if (isMove) mover.moveProject(row, target, now);
      projects.update(id, projectChange(body, row, now), now);
      projects.keepStorages(id, storages);
      if (body.labels) labels.write({ kind: 'project', id }, body.labels, actor.userId);
      return presentStored(actor, id);
    });
  }

  return {
    list(actor: Actor, request: ListRequest): Listing<Project> {
      const scope = visibleTo(actor, 'project', projectScope);
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
      const storages = namedStorages(body, cloudStorages.requireFor(actor));
      const id = changes.run(actor, {}, () => {
        const created = projects.insert({
          ...valuesFor(projectColumns, 'plain', body),
          owner_id: body.owner_id ?? actor.userId,
          assignee_id: body.assignee_id ?? null,
          organization_id: organizationOf(actor),
          date: clock(),
        });
        const now = clock();
        if (typeof body.assignee_id === 'number') projects.update(created, { assignee_updated_date: now }, now);
        projects.keepStorages(created, storages);
        labels.write({ kind: 'project', id: created }, body.labels, actor.userId);
        changes.created(actor, 'project', [created]);
        return created;
      });
      return presentStored(actor, id);
    },
    /** In one transaction, so that the row is read once for access, change and answer. */
    update: (actor: Actor, id: number, body: Patch): Project => database.write(() => update(actor, id, body)),
    /** Deletes the project and its tasks. Uploaded media are deleted, media used in place are not. */
    remove(actor: Actor, id: number): void {
      access.project(actor, id, 'view', 'delete');
      remover.removeProject(actor, id);
    },
  };
}

function projectChange(body: Patch, row: ProjectRow, now: string): ProjectChange {
  return {
    ...valuesFor(projectColumns, 'plain', body),
    owner_id: body.owner_id,
    ...assigneeChange(body.assignee_id, row, now),
  };
}
