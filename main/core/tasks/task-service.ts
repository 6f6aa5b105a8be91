import type { z } from 'zod';
import type { Task, taskPatchSchema, taskWriteSchema } from '../../../preload/contract/schema/resources.ts';
import { listRows } from '../../db/list-rows.ts';
import type { Database } from '../../db/open.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { requireOwner, requireUserGroup } from '../access-rules.ts';
import type { Actor, Listing, ListRequest } from '../actor.ts';
import type { LabelService } from '../labels/label-service.ts';
import type { People } from '../people.ts';
import { organizationOf, visibleTo } from '../scope.ts';
import { projectOfTask, taskStaff, type WorkAccess } from '../work-access.ts';
import { presentTask } from './task-presenter.ts';
import type { TaskRemover } from './task-remover.ts';
import { taskList, type TaskChange, type TaskRepository, type TaskRow } from './task-repository.ts';

export type TaskService = ReturnType<typeof createTaskService>;

interface Dependencies {
  readonly database: Database;
  readonly tasks: TaskRepository;
  readonly labels: LabelService;
  readonly access: WorkAccess;
  readonly people: People;
  readonly remover: TaskRemover;
  readonly clock: Clock;
}

export function createTaskService({ database, tasks, labels, access, people, remover, clock }: Dependencies) {
  const present = (actor: Actor, id: number): Task => presentTask(access.task(actor, id), actor.baseUrl);

  function create(actor: Actor, body: z.output<typeof taskWriteSchema>): Task {
    requireUserGroup(actor);
    people.requireUser('owner_id', body.owner_id);
    people.requireUser('assignee_id', body.assignee_id);
    const projectId = body.project_id ?? null;
    const project = projectId === null ? null : openProject(actor, projectId);
    if (project && body.labels.length > 0) {
      const message = 'Labels of a task inside a project come from the project. Leave labels out.';
      throw new AppError('invalid', message, { non_field_errors: [message] });
    }
    const id = database
      .transaction(() => {
        const created = tasks.insert({
          name: body.name,
          project_id: projectId,
          owner_id: body.owner_id ?? actor.userId,
          assignee_id: body.assignee_id ?? null,
          bug_tracker: body.bug_tracker,
          overlap: body.overlap ?? null,
          segment_size: body.segment_size,
          subset: body.subset,
          organization_id: project ? project.organization_id : organizationOf(actor),
          date: clock(),
        });
        if (!project) labels.write({ kind: 'task', id: created }, body.labels);
        return created;
      })
      .immediate();
    return present(actor, id);
  }

  function openProject(actor: Actor, id: number) {
    try {
      return access.project(actor, id);
    } catch (error) {
      if (error instanceof AppError && error.code === 'not-found') {
        throw invalidField('project_id', `Invalid pk "${id}" - object does not exist.`);
      }
      throw error;
    }
  }

  function update(actor: Actor, id: number, body: z.output<typeof taskPatchSchema>): Task {
    const row = access.task(actor, id);
    const changesPeople =
      body.owner_id !== undefined || body.assignee_id !== undefined || body.project_id !== undefined;
    if (changesPeople) requireOwner(actor, taskStaff(row), projectOfTask(row));
    people.requireUser('owner_id', body.owner_id);
    people.requireUser('assignee_id', body.assignee_id);
    if (body.project_id !== undefined && body.project_id !== row.project_id) throw movesBetweenProjects();
    if (body.labels && row.project_id !== null) {
      throw invalidField('labels', 'Labels of a task inside a project are changed in the project.');
    }
    database
      .transaction(() => {
        tasks.update(id, taskChange(body, clock()), clock());
        if (body.labels) labels.write({ kind: 'task', id }, body.labels);
      })
      .immediate();
    return present(actor, id);
  }

  return {
    list(actor: Actor, request: ListRequest): Listing<Task> {
      const staff = ['task.owner_id', 'task.assignee_id', 'project.owner_id', 'project.assignee_id'];
      const scope = visibleTo(actor, 'task.organization_id', staff);
      const { count, results } = listRows<TaskRow>(database, taskList, request, scope);
      return { count, results: results.map((row) => presentTask(row, actor.baseUrl)) };
    },
    get: present,
    create,
    update,
    remove(actor: Actor, id: number): void {
      const row = access.task(actor, id);
      requireOwner(actor, { ownerId: row.owner_id, assigneeId: null }, projectOfTask(row));
      remover.removeTask(id);
    },
  };
}

function movesBetweenProjects(): AppError {
  return invalidField('project_id', 'A task cannot be moved to another project yet. Export it and import it there.');
}

function taskChange(body: z.output<typeof taskPatchSchema>, now: string): TaskChange {
  return {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.bug_tracker === undefined ? {} : { bug_tracker: body.bug_tracker }),
    ...(body.subset === undefined ? {} : { subset: body.subset }),
    ...(body.owner_id === undefined ? {} : { owner_id: body.owner_id }),
    ...(body.organization_id === undefined ? {} : { organization_id: body.organization_id }),
    ...(body.assignee_id === undefined ? {} : { assignee_id: body.assignee_id, assignee_updated_date: now }),
  };
}
