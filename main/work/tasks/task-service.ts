import type { z } from 'zod';
import type { Task, taskPatchSchema, taskWriteSchema } from '../../../preload/contract/schema/resources.ts';
import { valuesFor } from '../../db/columns.ts';
import { listRows } from '../../db/list-rows.ts';
import { invalidField, orNotFound } from '../../platform/errors.ts';
import { requireAllowed } from '../../users/access/access-rules.ts';
import type { ActionOf } from '../../users/access/access-table.ts';
import { fewVisible, organizationOf } from '../../users/access/scope.ts';
import type { Actor, Listing, ListRequest } from '../../users/access/actor.ts';
import type { LabelService } from '../labels/label-service.ts';
import type { ProjectRow } from '../tables/project-table.ts';
import { assigneeChange, type Rows } from '../tables/rows.ts';
import type { CloudStorageService } from '../../buckets/cloud-storage-service.ts';
import { namedStorages } from '../tables/storage-repository.ts';
import type { OrganizationMover } from './organization-mover.ts';
import type { ProjectMover } from './project-mover.ts';
import { presentTask } from './task-presenter.ts';
import type { TaskRemover } from './task-remover.ts';
import {
  taskScope,
  taskColumns,
  taskList,
  tasksOfPeople,
  type TaskChange,
  type TaskRow,
} from '../tables/task-table.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';

interface Dependencies extends Pick<
  WorkServiceDependencies,
  'database' | 'tasks' | 'access' | 'people' | 'changes' | 'clock'
> {
  readonly cloudStorages: Pick<CloudStorageService, 'requireFor'>;
  readonly projects: Pick<Rows<ProjectRow>, 'get'>;
  readonly labels: LabelService;
  readonly mover: OrganizationMover;
  readonly projectMover: ProjectMover;
  readonly remover: TaskRemover;
}

type Patch = z.output<typeof taskPatchSchema>;

/** Fields that need a stronger right than 'update'. */
const fieldActions: Readonly<Partial<Record<keyof Patch, ActionOf<'task'>>>> = {
  owner_id: 'update:owner',
  assignee_id: 'update:assignee',
  project_id: 'update:project',
  organization_id: 'update:organization',
  target_storage: 'update:storages',
  source_storage: 'update:storages',
};

export function createTaskService(dependencies: Dependencies) {
  const { database, tasks, projects, labels, access, people, mover, projectMover, remover, changes, clock } =
    dependencies;
  const { requireFor } = dependencies.cloudStorages;

  /** Skips the access check: after a change, the user may have given the task away. */
  const presentStored = (actor: Actor, id: number): Task => presentTask(orNotFound(tasks.get(id)), actor.baseUrl);

  function findProject(id: number): ProjectRow {
    const project = projects.get(id);
    if (!project) throw invalidField('project_id', `Invalid pk "${id}" - object does not exist.`);
    return project;
  }

  function requireCreation(actor: Actor, body: z.output<typeof taskWriteSchema>): ProjectRow | null {
    const projectId = body.project_id ?? null;
    const project = projectId === null ? null : findProject(projectId);
    const facts = {
      ...access.facts.place(actor, project ? project.organization_id : organizationOf(actor)),
      people: { projectOwner: project?.owner_id ?? null, projectAssignee: project?.assignee_id ?? null },
    };
    requireAllowed(actor, 'task', project ? 'create@project' : 'create', facts);
    if (body.owner_id !== undefined && body.owner_id !== actor.userId) {
      const people = { ...facts.people, owner: actor.userId };
      requireAllowed(actor, 'task', 'update:owner', { ...facts, people });
    }
    return project;
  }

  function create(actor: Actor, body: z.output<typeof taskWriteSchema>): Task {
    const project = requireCreation(actor, body);
    people.requireUser(actor, 'owner_id', body.owner_id);
    people.requireUser(actor, 'assignee_id', body.assignee_id);
    if (project && body.labels.length > 0) {
      const message = 'Labels of a task inside a project come from the project. Leave labels out.';
      throw invalidField('non_field_errors', message);
    }
    const storages = namedStorages(body, requireFor(actor));
    const id = changes.run(actor, {}, () => {
      const created = tasks.insert({
        ...valuesFor(taskColumns, 'plain', body),
        project_id: project?.id ?? null,
        owner_id: body.owner_id ?? actor.userId,
        assignee_id: body.assignee_id ?? null,
        overlap: body.overlap ?? null,
        segment_size: body.segment_size,
        consensus_replicas: replicasOf(body),
        organization_id: project ? project.organization_id : organizationOf(actor),
        date: clock(),
      });
      const now = clock();
      if (typeof body.assignee_id === 'number') tasks.update(created, { assignee_updated_date: now }, now);
      tasks.keepStorages(created, storages);
      if (!project) labels.write({ kind: 'task', id: created }, body.labels, actor.userId);
      changes.created(actor, 'task', [created]);
      return created;
    });
    return presentStored(actor, id);
  }

  function newProject(actor: Actor, row: TaskRow, { project_id: id }: Patch): ProjectRow | null {
    if (id === undefined || id === null || id === row.project_id) return null;
    const project = findProject(id);
    projectMover.require(actor, row, project);
    return project;
  }

  function update(actor: Actor, id: number, body: Patch): Task {
    const fields = Object.keys(body) as (keyof Patch)[];
    const row = access.task(actor, id, 'view', ...fields.map((field) => fieldActions[field] ?? 'update'));
    people.requireUser(actor, 'owner_id', body.owner_id);
    people.requireUser(actor, 'assignee_id', body.assignee_id);
    if (body.overlap !== undefined && body.overlap !== row.overlap) throw overlapStays();
    const project = newProject(actor, row, body);
    const leaves = body.project_id === null && row.project_id !== null;
    if (leaves) projectMover.requireLeaving(actor, row);
    if (body.labels && (row.project_id !== null || project)) {
      throw invalidField('labels', 'Labels of a task inside a project are changed in the project.');
    }
    if (body.organization_id !== undefined && (row.project_id !== null || project)) {
      if (body.organization_id !== (project ?? row).organization_id) throw followsProject();
    }
    const target = project ? project.organization_id : body.organization_id;
    const isMove = target !== undefined && target !== row.organization_id;
    if (isMove && !project) mover.requireTarget(actor, 'task', target);
    const storages = namedStorages(body, requireFor(actor));
    const watched = { tasks: [id], ...(isMove ? mover.movedWith.task(row) : {}) };
    return changes.run(actor, watched, () => {
      const now = clock();
      if (project) projectMover.move(row, project);
      if (leaves) projectMover.leave(actor, row);
      if (isMove) mover.moveTask(row, target, now);
      const place = project || leaves ? { project_id: project?.id ?? null } : {};
      tasks.update(id, { ...taskChange(body, row, now), ...place }, now);
      tasks.keepStorages(id, storages);
      if (body.labels) labels.write({ kind: 'task', id }, body.labels, actor.userId);
      return presentStored(actor, id);
    });
  }

  return {
    list(actor: Actor, request: ListRequest): Listing<Task> {
      const scope = access.listed(actor, 'task', taskScope, request, () =>
        fewVisible(database, actor, 'task', tasksOfPeople),
      );
      const { count, results } = listRows<TaskRow>(database, taskList, request, scope);
      return { count, results: results.map((row) => presentTask(row, actor.baseUrl)) };
    },
    get: (actor: Actor, id: number): Task => presentTask(access.task(actor, id), actor.baseUrl),
    create,
    /** In one transaction, so that the row is read once for access, change and answer. */
    update: (actor: Actor, id: number, body: Patch): Task => database.write(() => update(actor, id, body)),
    remove(actor: Actor, id: number): void {
      access.task(actor, id, 'view', 'delete');
      remover.removeTask(actor, id);
    },
  };
}

const overlapStays = () =>
  invalidField('overlap', 'Cannot change the overlap of jobs: it is set when a task is created.');
const followsProject = () =>
  invalidField(
    'organization_id',
    'A task inside a project belongs to the organization of the project. Move the project instead.',
  );

function taskChange(body: Patch, row: TaskRow, now: string): TaskChange {
  return {
    ...valuesFor(taskColumns, 'plain', body),
    owner_id: body.owner_id,
    ...assigneeChange(body.assignee_id, row, now),
  };
}

/** @throws AppError 400 if the field has another value by its other name */
function replicasOf({ consensus_replicas: older, initial_replicas: newer }: z.output<typeof taskWriteSchema>): number {
  if (older !== undefined && newer !== undefined && older !== newer) {
    throw invalidField(
      'initial_replicas',
      `consensus_replicas is ${older} and initial_replicas is ${newer}, but both name the same number. Send one of them.`,
    );
  }
  return newer ?? older ?? 0;
}
